import com.sun.management.OperatingSystemMXBean;
import io.mutune.orchestrator.cli.MutuneCommand;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many rows a second {@code mutune predict} takes, once it has started: a million rows of 100
 * numbers from NPY, 300000 of them from CSV and JSON lines, beside the reader of training, which
 * reads the same CSV into memory in the same process. Each is done three times; the best counts
 * (docs/performance.md).
 */
final class PredictSpeed {
  private static final int COLUMNS = 100;
  private static final int CLASSES = 10;
  private static final int MANY = 1_000_000;
  private static final int FEWER = 300_000;
  private static final int ROUNDS = 3;

  private PredictSpeed() {}

  private interface Work {
    void run() throws IOException;
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    Path npy = folder.resolve("rows.npy");
    Path csv = folder.resolve("rows.csv");
    Path headed = folder.resolve("headed.csv");
    Path lines = folder.resolve("rows.jsonl");
    if (!Files.exists(lines)) {
      npy(npy);
      csv(csv, "");
      csv(headed, join(COLUMNS, "x%d") + ",kind\n");
      lines(lines);
    }
    Path numbers = model(folder.resolve("numbers"), numbers());
    Path table = model(folder.resolve("table"), table());
    compare("NPY to CSV", MANY, () -> predict(numbers, npy, folder.resolve("answers.csv")));
    compare("NPY to Parquet", MANY, () -> predict(numbers, npy, folder.resolve("answers.parquet")));
    double ours = compare("CSV to CSV", FEWER, () -> predict(numbers, csv, folder.resolve("answers.csv")));
    double training = compare("CSV, training reader", FEWER, () -> train(csv));
    say("predict has %.2f of its speed", ours / training);
    compare("table in CSV to CSV", FEWER, () -> predict(table, headed, folder.resolve("answers.csv")));
    compare("table in JSON lines", FEWER, () -> predict(table, lines, folder.resolve("answers.jsonl")));
  }

  /** Wall time, and processor time of all threads, which other load changes less. */
  private static double compare(String what, int rows, Work work) throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    double least = Double.POSITIVE_INFINITY;
    double processor = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
      long begun = System.nanoTime();
      long before = system.getProcessCpuTime();
      work.run();
      least = Math.min(least, (System.nanoTime() - begun) / 1e9);
      processor = Math.min(processor, (system.getProcessCpuTime() - before) / 1e9);
    }
    say(
        "%-22s %7d rows: %6.2f s, %7.0f rows a second; %6.2f s of processor time, %7.0f rows a second of it",
        what, rows, least, rows / least, processor, rows / processor);
    return rows / processor;
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }

  private static void predict(Path model, Path rows, Path answers) {
    int status =
        MutuneCommand.commandLine()
            .execute(
                "predict",
                model.toString(),
                rows.toString(),
                "--type",
                rows.toString().replaceFirst(".*\\.", ""),
                "--output",
                answers.toString());
    if (status != 0) {
      throw new IllegalStateException("predict ended with " + status);
    }
  }

  /** The same rows as those of training are read, into memory and without maps. */
  private static void train(Path csv) throws IOException {
    DataSpec spec =
        new DataSpec(
            csv, null, DataFormat.CSV, CsvLayout.standard(), ClassLabels.of(CLASSES), COLUMNS, null);
    new PublicData(spec, FeaturePipeline.of()).rows();
  }

  private static Path model(Path folder, String rows) throws IOException {
    Files.createDirectories(folder);
    double[] weights = new Random(1).doubles((COLUMNS + 1) * CLASSES, -1, 1).toArray();
    NpzFile.write(
        folder.resolve("model.npz"),
        Map.of("weights", new NpyArray(new int[] {COLUMNS + 1, CLASSES}, weights)));
    Files.writeString(
        folder.resolve("model.json"),
        """
        {"loss": "softmax", "classes": [%s],
         "features": [{"type": "constant"}, {"type": "l2-normalize"}], "data": %s}"""
            .formatted(join(CLASSES, "\"class %d\""), rows));
    return folder;
  }

  private static String numbers() {
    return "{\"format\": \"csv\", \"delimiter\": \",\", \"header\": false, \"label\": \"last\", \"features\": %d}"
        .formatted(COLUMNS);
  }

  private static String table() {
    return """
        {"format": "csv", "delimiter": ",", "header": true, "features": %d, "table": {"columns": [%s,
          {"name": "kind", "type": "label", "values": [%s]}]}}"""
        .formatted(
            COLUMNS,
            join(COLUMNS, "{\"name\": \"x%d\", \"type\": \"number\", \"min\": -5, \"max\": 5, \"knots\": 0}"),
            join(CLASSES, "\"%d\""));
  }

  private static String join(int count, String form) {
    return IntStream.range(0, count)
        .mapToObj(i -> form.formatted(i))
        .collect(Collectors.joining(","));
  }

  private static void npy(Path file) throws IOException {
    String head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }".formatted(MANY, COLUMNS);
    String padded = head + " ".repeat(117 - head.length()) + "\n";
    ByteBuffer row = ByteBuffer.allocate(4 * COLUMNS).order(ByteOrder.LITTLE_ENDIAN);
    Random random = new Random(2);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
      out.write(padded.getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < MANY; i++) {
        row.clear();
        for (int j = 0; j < COLUMNS; j++) {
          row.putFloat((float) random.nextGaussian());
        }
        out.write(row.array());
      }
    }
  }

  private static void csv(Path file, String head) throws IOException {
    Random random = new Random(2);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(head);
      for (int i = 0; i < FEWER; i++) {
        for (int j = 0; j < COLUMNS; j++) {
          out.write(number(random) + ",");
        }
        out.write(i % CLASSES + "\n");
      }
    }
  }

  private static void lines(Path file) throws IOException {
    Random random = new Random(2);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < FEWER; i++) {
        out.write("{");
        for (int j = 0; j < COLUMNS; j++) {
          out.write("\"x" + j + "\": " + number(random) + ", ");
        }
        out.write("\"kind\": \"" + i % CLASSES + "\"}\n");
      }
    }
  }

  private static String number(Random random) {
    return Float.toString((float) (Math.rint(random.nextGaussian() * 1e5) / 1e5));
  }
}
