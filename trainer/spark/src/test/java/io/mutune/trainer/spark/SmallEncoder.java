package io.mutune.trainer.spark;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.PictureForm;
import io.mutune.trainer.network.TextForm;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;

/** An encoder of three words and one of small pictures, and files for them. */
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

  /** One of pictures, likewise. */
  static EncoderReference addOfPictures(Path folder) throws IOException {
    Path network = TestNetwork.usual().write(folder.resolve("pictures.onnx"));
    List<Double> none = List.of(0.0, 0.0, 0.0);
    List<Double> one = List.of(1.0, 1.0, 1.0);
    PictureForm form =
        new PictureForm(
            new Image(TestNetwork.SIDE, TestNetwork.SIDE, 3), none, one, Optional.empty());
    EncoderIdentity identity =
        EncoderIdentity.ofPictures(TestNetwork.WIDTH, form, EncoderFile.read(network).sha256());
    EncoderLibrary.usual()
        .add(
            new EncoderLibrary.Entry("pictures", identity, "a test's own", "none"),
            network,
            Optional.empty());
    return new EncoderReference(form.subject(), "pictures", identity.digest(), TestNetwork.WIDTH);
  }

  /** Pictures in folders of two classes. */
  static Path pictures(Path file, int rows, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (int row = 0; row < rows; row++) {
        boolean light = random.nextBoolean();
        BufferedImage picture = new BufferedImage(12, 9, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < 108; i++) {
          int level = (light ? 100 : 20) + random.nextInt(100);
          picture.setRGB(i % 12, i / 12, level << 16 | level << 8 | 255 - level);
        }
        zip.putNextEntry(new ZipEntry("%s/%03d.jpg".formatted(light ? "light" : "dark", row)));
        ImageIO.write(picture, "jpg", zip);
      }
    }
    return file;
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
