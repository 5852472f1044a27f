package io.mutune.trainer.spark;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;

/** An encoder of three words, and files of texts for it. */
final class SmallEncoder {
  private static final String NAME = "small";
  private static final int WIDTH = 4;

  private SmallEncoder() {}

  /** Puts it where this process finds it. */
  static EncoderReference add(Path folder) throws IOException {
    Path network = TestNetwork.looksUp(3, WIDTH).write(folder.resolve("small.onnx"));
    Path tokenizer = TestNetwork.tokenizer(folder.resolve("small.json"));
    TextForm form = new TextForm("", TextForm.Pooling.MEAN, 512, true);
    EncoderIdentity identity =
        EncoderIdentity.ofTexts(
            WIDTH, form, EncoderFile.read(network).sha256(), EncoderFile.read(tokenizer).sha256());
    EncoderLibrary.usual()
        .add(
            new EncoderLibrary.Entry(NAME, identity, "a test's own", "none"),
            network,
            Optional.of(tokenizer));
    return new EncoderReference(form.subject(), NAME, identity.digest(), WIDTH);
  }

  /** A text, a number and one of two classes, some of which do not fit. */
  static Path rows(Path file, int rows, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      boolean yes = random.nextBoolean();
      text.append("a ".repeat(1 + random.nextInt(yes ? 5 : 9)))
          .append(row % 50 == 7 ? "unheard-of" : random.nextBoolean() ? "word" : "text")
          .append("\t%d\t%s\n".formatted(random.nextInt(100), yes ? "yes" : "no"));
    }
    return Files.writeString(file, text);
  }
}
