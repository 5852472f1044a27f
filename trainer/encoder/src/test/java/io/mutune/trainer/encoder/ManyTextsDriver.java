package io.mutune.trainer.encoder;

import io.mutune.testing.TestNetwork;
import io.mutune.trainer.data.FeatureCache;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderForm.Subject;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.TextForm;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TextType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * How much memory many texts take on their way to kept features: random words, the tokens of
 * e5-small-v2, and a network that looks each token's 384 numbers up. By hand, docs/performance.md.
 *
 * <p>Arguments: an empty folder, and how many texts.
 */
final class ManyTextsDriver {
  private static final int TOKENS = 30_522;
  private static final int NUMBERS = 384;
  private static final int WORDS = 20;

  private ManyTextsDriver() {}

  /** Prints the seconds, and the process's most resident memory. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int texts = Integer.parseInt(arguments[1]);
    Path rows = write(folder.resolve("rows.tsv"), texts);
    Table table =
        Table.of(
            new Column("text", new TextType(add(folder), false)),
            new Column("label", new LabelType(List.of("0", "1"), Map.of(), List.of())));
    DataSpec spec =
        DataSpec.of(
            List.of(rows),
            DataFormat.TSV,
            CsvLayout.ofTable('\t', false, false, 0),
            table,
            new RowRange(1, texts));
    System.out.printf("before: %s%n", memory());
    long start = System.nanoTime();
    PublicRows read =
        new PublicData(
                spec,
                FeaturePipeline.of(),
                FeaturePipeline.of(),
                new FeatureCache(folder.resolve("cache")))
            .rows();
    System.out.printf(
        "%d rows in %.0f s: %s%n", read.count(), (System.nanoTime() - start) / 1e9, memory());
  }

  private static Path write(Path file, int texts) throws IOException {
    Random random = new Random(3);
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      for (int i = 0; i < texts; i++) {
        for (int word = 0; word < WORDS; word++) {
          out.print(Integer.toString(random.nextInt(36 * 36 * 36), 36) + " ");
        }
        out.print("\t" + random.nextInt(2) + "\n");
      }
    }
    return file;
  }

  private static EncoderReference add(Path folder) throws IOException {
    Path network = TestNetwork.looksUp(TOKENS, NUMBERS).write(folder.resolve("network.onnx"));
    Path tokenizer = TestEncoder.file(TestEncoder.KNOWN.tokenizerFile(), folder);
    EncoderIdentity identity =
        EncoderIdentity.ofTexts(
            NUMBERS,
            new TextForm("", TextForm.Pooling.MEAN, 512, true),
            EncoderFile.read(network).sha256(),
            EncoderFile.read(tokenizer).sha256());
    EncoderLibrary.usual()
        .add(
            new EncoderLibrary.Entry("looked-up", identity, "random", "none"),
            network,
            Optional.of(tokenizer));
    return new EncoderReference(Subject.TEXT, "looked-up", identity.digest(), NUMBERS);
  }

  /** Of it, what is in files can be given back at any time. */
  private static String memory() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.matches("(VmHWM|RssAnon|RssFile):.*"))
        .map(line -> line.replaceAll("\\s+", " "))
        .reduce("", (all, line) -> all + line + "; ");
  }
}
