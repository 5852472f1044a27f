package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import blue.strategic.parquet.ParquetReader;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.testing.SharedFolder;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Studies of pictures in folders, zips and lists. */
@Timeout(300)
class ImageStudiesTest {
  private static final int SIDE = 4;
  private static final int ROWS = 120;
  private static final List<String> CLASSES = List.of("dark", "light");
  private static final String REST =
      """
      budget: {epsilon: 2, delta: 1.0e-4%s}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 20}}
      """;

  @TempDir Path folder;

  /** Relative to {@code rows}, in the order of the names. */
  private final List<String> names = new ArrayList<>();

  /** The upper or the lower half is lighter. */
  @BeforeEach
  void pictures() throws IOException {
    Random random = new Random(7);
    ByteBuffer values = ByteBuffer.allocate(4 * ROWS * SIDE * SIDE).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer labels = ByteBuffer.allocate(4 * ROWS).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < ROWS; row++) {
      int label = 2 * row / ROWS;
      String name = CLASSES.get(label) + "/%04d.png".formatted(row);
      names.add(name);
      BufferedImage picture = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_BYTE_GRAY);
      for (int i = 0; i < SIDE * SIDE; i++) {
        boolean isLight = (i < SIDE * SIDE / 2) == (label == 0);
        int sample = (isLight ? 140 : 20) + random.nextInt(100);
        picture.getRaster().setSample(i % SIDE, i / SIDE, 0, sample);
        values.putFloat(sample / 255f);
      }
      labels.putInt(label);
      Path file = folder.resolve("rows").resolve(name);
      Files.createDirectories(file.resolveSibling(""));
      ImageIO.write(picture, "png", file.toFile());
    }
    write("rows.npy", "<f4", "(%d, %d, %d)".formatted(ROWS, SIDE, SIDE), values.array());
    write("labels.npy", "<i4", "(%d,)".formatted(ROWS), labels.array());
    Files.write(
        folder.resolve("rows/list.csv"),
        names.stream().map(name -> name + "," + name.replaceFirst("/.*", "")).toList());
  }

  private void write(String name, String type, String shape, byte[] data) throws IOException {
    String header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(type, shape);
    String padded = header + " ".repeat(128 - 10 - 1 - header.length()) + "\n";
    ByteBuffer file = ByteBuffer.allocate(128 + data.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.putShort((short) padded.length());
    file.put(padded.getBytes(StandardCharsets.US_ASCII)).put(data);
    Files.write(folder.resolve(name), file.array());
  }

  private void zip(String name) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      // Another order than that of the names, and a folder above.
      for (int i = names.size() - 1; i >= 0; i--) {
        zip.putNextEntry(new ZipEntry("all/" + names.get(i)));
        Files.copy(folder.resolve("rows").resolve(names.get(i)), zip);
      }
    }
  }

  private String sweep(String name, String rows, String more, String account) throws IOException {
    String text =
        "version: 1\nname: %s\ndata:\n  private: {%s, rows: %d%s}\n%s"
                .formatted(name, rows, ROWS, more, "features: [{type: l2-normalize}]\n")
            + REST.formatted(account);
    return Files.writeString(folder.resolve(name + ".yaml"), text).toString();
  }

  @ParameterizedTest
  @CsvSource({"rows", "rows.zip"})
  void aDraft_proposesFoldersAsClasses_andIsAddedOnceTheyAreConfirmed(String place)
      throws IOException {
    Files.delete(folder.resolve("rows/list.csv"));
    zip("rows.zip");
    CommandRun draft = CommandRun.of("data", "draft", folder.resolve(place).toString());
    assertThat(draft.succeeded().out())
        .contains(
            "name: rows\n", "path: \"" + folder.resolve(place) + "\"\n", "classes: [dark, light]\n")
        .contains("  private.classes: unconfirmed\n");
    assertThat(draft.err()).contains("is as private as they are, until each figure");
    String finished =
        draft
            .out()
            .replace("epsilon: \"?\", delta: \"?\"", "epsilon: 2, delta: 1.0e-4")
            .replace("size: \"?\"", "size: 4")
            .replace("rows: \"?\"", "rows: 100");
    Path card = Files.writeString(folder.resolve("card.yaml"), finished);
    String runs = folder.resolve("runs").toString();
    assertThat(CommandRun.of("data", "add", card.toString(), "--output", runs).err())
        .contains("private.classes was read from the private file: confirm");
    Files.writeString(card, finished.replace(": unconfirmed", ": confirmed"));
    CommandRun.of("data", "add", card.toString(), "--output", runs).succeeded();

    assertThat(CommandRun.of("data", "draft", folder.resolve("rows/dark").toString()).err())
        .contains("dark: has no file in a folder of a class");
    assertThat(
            CommandRun.of("data", "draft", folder.resolve(place).toString(), "--label", "c").err())
        .contains("--label is for tables");
  }

  /** A study of the same sweep, in a store of its own that has the set in that form. */
  private Path seeded(String kind, String rows) throws IOException {
    String runs = folder.resolve("runs-" + kind).toString();
    Path file =
        Files.writeString(
            folder.resolve(kind + "-card.yaml"),
            "version: 1\nname: pictures\nprivate: {%s, rows: %d, declared: simulated}\n"
                .formatted(rows, ROWS));
    CommandRun.of("data", "add", file.toString(), "--output", runs).succeeded();
    String sweep =
        "version: 1\nname: pictures\ndata: pictures\nfeatures: [{type: l2-normalize}]\n"
            + REST.formatted("")
            + "run: {noise: {seed: 3}}\n";
    Path text = Files.writeString(folder.resolve("seeded.yaml"), sweep);
    CommandRun run = CommandRun.of("run", text.toString(), "--output", runs).succeeded();
    CommandRun.of("audit", "--output", runs).succeeded();
    return run.folder();
  }

  private CommandRun mutune(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--output", folder.resolve("runs").toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  /** It would take files with names beyond ASCII for none of the classes. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessThatCannotReadAllNames_isRefusedBeforeACharge() throws Exception {
    String text = sweep("ascii", "path: rows, " + IMAGES, "", "");
    String runs = folder.resolve("runs").toString();
    try (MutuneProcess process =
        MutuneProcess.startIn(List.of("env", "LC_ALL=C"), "run", text, "--output", runs)) {
      assertThat(process.end().toldWhy(ExitCode.INVALID))
          .contains("names that this process cannot read; set LC_ALL");
    }
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  private static final String IMAGES =
      "format: images, size: 4, channels: 1, classes: [dark, light]";

  @Test
  void picturesInAFolderAZipOrAList_giveTheModelOfTheirPixels() throws IOException {
    Path npy =
        seeded("npy", "path: rows.npy, labels: labels.npy, format: npy, classes: 2, features: 16");
    byte[] model = Files.readAllBytes(npy.resolve("model.npz"));
    Files.move(folder.resolve("rows/list.csv"), folder.resolve("list.csv"));
    Path files = seeded("folder", "path: rows, " + IMAGES);
    assertThat(files.resolve("model.npz")).hasBinaryContent(model);
    zip("rows.zip");
    Path zipped = seeded("zip", "path: rows.zip, " + IMAGES);
    assertThat(zipped.resolve("model.npz")).hasBinaryContent(model);
    Files.move(folder.resolve("list.csv"), folder.resolve("rows/list.csv"));
    Path listed = seeded("list", "path: rows/list.csv, " + IMAGES);
    assertThat(listed.resolve("model.npz")).hasBinaryContent(model);
    for (Path study : List.of(files, listed)) {
      String list = folder.resolve("rows/list.csv").toString();
      assertThat(CommandRun.of("predict", study.toString(), list, "--metrics").succeeded().out())
          .contains("On 120 rows: accuracy");
    }
    requirePredictions(files);
  }

  /** A line a file, whatever folders they are in; nearly all are told apart. */
  private void requirePredictions(Path model) throws IOException {
    Files.delete(folder.resolve("rows/list.csv"));
    for (String rows : List.of("rows", "rows.zip")) {
      CommandRun run =
          CommandRun.of(
                  "predict", model.toString(), folder.resolve(rows).toString(), "--format", "json")
              .succeeded();
      var predictions = Json.read(run.out()).path("predictions");
      assertThat(predictions.size()).isEqualTo(ROWS);
      int right = 0;
      for (int row = 0; row < ROWS; row++) {
        right += names.get(row).startsWith(predictions.path(row).path("class").asString()) ? 1 : 0;
        assertThat(predictions.path(row).path("file").asString()).endsWith(names.get(row));
      }
      assertThat(right).isGreaterThan(ROWS * 9 / 10);
    }
    Path other = Files.writeString(folder.resolve("one.csv"), "rows/dark/0000.png\n");
    assertThat(CommandRun.of("predict", model.toString(), other.toString()).succeeded().out())
        .contains("rows/dark/0000.png", "dark");
    Path answers = folder.resolve("answers.csv");
    CommandRun.of("predict", model.toString(), other.toString(), "--output", answers.toString())
        .succeeded();
    assertThat(answers)
        .content()
        .startsWith("row,file,class,probability_")
        .contains("\n1,rows/dark/0000.png,dark,");
    assertThat(
            CommandRun.of("predict", model.toString(), other.toString(), "--format", "jsonl")
                .succeeded()
                .out())
        .startsWith("{\"row\":1,\"file\":\"rows/dark/0000.png\",\"class\":\"dark\",");
    Path table = folder.resolve("answers.parquet");
    CommandRun.of("predict", model.toString(), other.toString(), "--output", table.toString())
        .succeeded();
    try (Stream<String[]> rows = ParquetReader.streamContentToStrings(table.toFile())) {
      assertThat(rows.findFirst().orElseThrow())
          .startsWith("row=1", "file=rows/dark/0000.png", "class=dark");
    }
    assertThat(
            CommandRun.of("predict", model.toString(), folder.resolve("rows.npy").toString()).err())
        .contains("is no folder of images; a file of them is a .zip, or a list");
  }

  private String card(String rows) throws IOException {
    return Files.writeString(
            folder.resolve("card.yaml"),
            """
            version: 1
            name: pictures
            budget: {mu: 5}
            private: {path: %s, %s, rows: %d}
            """
                .formatted(rows, IMAGES, ROWS))
        .toString();
  }

  @Test
  void aFolderIsRegistered_andItsOwnerIsToldWhatDoesNotFit() throws IOException {
    Files.delete(folder.resolve("rows/list.csv"));
    Files.writeString(folder.resolve("rows/.hidden"), "left by a program");
    Path stray = Files.writeString(folder.resolve("rows/dark/notes.txt"), "no picture");
    CommandRun refused = mutune("data", "add", card("rows"));
    assertThat(refused.status()).isNotEqualTo(0);
    assertThat(refused.out())
        .contains("rows: dark/notes.txt: is no JPEG, PNG, BMP or GIF")
        .doesNotContain("hidden");
    Files.delete(stray);
    mutune("data", "add", card("rows")).succeeded();
    String sweep =
        Files.writeString(
                folder.resolve("registered.yaml"),
                """
                version: 1
                name: registered
                data: pictures
                budget: {epsilon: 2, delta: 1.0e-4}
                search: {strategy: fixed, space: {logitNoise: 1, steps: 5}}
                """)
            .toString();
    mutune("run", sweep).succeeded();
    mutune("audit").succeeded();
    Files.writeString(folder.resolve("rows/dark/0000.png"), "another file");
    mutune("run", sweep).succeeded();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "path: above/rows/dark, format: images",
        "path: above/rows, format: images",
        "path: above, format: images",
        "path: linked, format: images",
        "path: above/rows/list.csv, format: images",
        "path: above/rows/open.csv, format: csv, features: 16",
        "path: link, format: images"
      })
  void noOtherSweep_readsAnythingOfAProtectedFolder(String open) throws IOException {
    Path rows = Files.createDirectory(folder.resolve("above")).resolve("rows");
    Files.move(folder.resolve("rows"), rows);
    Files.move(rows.resolve("list.csv"), folder.resolve("away.csv"));
    mutune("data", "add", card("above/rows")).succeeded();
    Files.move(folder.resolve("away.csv"), rows.resolve("list.csv"));
    Files.writeString(rows.resolve("open.csv"), "0,0\n");
    Files.createDirectories(folder.resolve("linked/dark"));
    Files.createLink(folder.resolve("linked/dark/a.png"), rows.resolve("dark/0001.png"));
    Files.createSymbolicLink(folder.resolve("link"), rows);
    String sweep =
        Files.writeString(
                folder.resolve("other.yaml"),
                """
                version: 1
                name: other
                data:
                  private: {path: rows.npy, labels: labels.npy, format: npy, classes: [dark, light], features: 16, rows: 9}
                  test: {%s%s}
                """
                        .formatted(open, open.contains("images") ? ", size: 4, channels: 1" : "")
                    + REST.formatted(""))
            .toString();
    CommandRun run = mutune("run", sweep, "--no-check");
    assertThat(run.status()).isNotEqualTo(0);
    assertThat(run.err()).contains("is a file of a registered data set");
  }

  @Test
  void publicAndProtectedPictures_lieInFoldersOfTheirOwn() throws IOException {
    String sweep = sweep("nested", "path: rows, " + IMAGES, "}\n  test: {path: rows/light", "");
    assertThat(CommandRun.of("validate", sweep).err())
        .contains("must name no row that data.private");
    Files.createDirectories(folder.resolve("linked/dark"));
    Files.createLink(folder.resolve("linked/dark/a.png"), folder.resolve("rows/dark/0001.png"));
    String linked = sweep("linked", "path: rows, " + IMAGES, "}\n  test: {path: linked", "");
    assertThat(mutune("run", linked, "--no-check").err()).contains("have a file in common");
    String listed = sweep("listed", "path: rows/list.csv, " + IMAGES, "}\n  test: {path: rows", "");
    assertThat(CommandRun.of("validate", listed).err())
        .contains("must name no row that data.private");
  }

  @Test
  void whatAStudyLeaves_doesNotLieAmongItsRows() throws IOException {
    String sweep = sweep("among", "path: rows, " + IMAGES, "", "");
    CommandRun run =
        CommandRun.of(
            "run", sweep, "--output", folder.resolve("rows/runs").toString(), "--no-check");
    assertThat(run.status()).isNotEqualTo(0);
    assertThat(run.err()).contains("output.directory lies within this folder of rows");
  }

  @Test
  void aListBehindALink_isRefused() throws IOException {
    Files.createSymbolicLink(folder.resolve("list.csv"), folder.resolve("rows/list.csv"));
    String sweep = sweep("behind", "path: list.csv, " + IMAGES, "", "");
    assertThat(mutune("run", sweep, "--no-check").err()).contains("name the list itself");
  }

  /** A few thousand of MNIST's test pictures; a constant answer is right for 0.12 of them. */
  @Test
  void theSweepOfImages_runsAsItIs() throws IOException {
    Path images = SharedFolder.file("data/mnist-t10k-images-idx3-ubyte.gz");
    Path digits = images.resolveSibling("mnist-t10k-labels-idx1-ubyte.gz");
    try (InputStream pixels = new GZIPInputStream(Files.newInputStream(images));
        InputStream labels = new GZIPInputStream(Files.newInputStream(digits))) {
      pixels.skipNBytes(16);
      labels.skipNBytes(8);
      for (int i = 0; i < 2500; i++) {
        BufferedImage picture = new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY);
        picture.getRaster().setDataElements(0, 0, 28, 28, pixels.readNBytes(784));
        Path file =
            folder.resolve("%s/%d/%d.png".formatted(i < 2000 ? "train" : "test", labels.read(), i));
        Files.createDirectories(file.resolveSibling(""));
        ImageIO.write(picture, "png", file.toFile());
      }
    }
    Path sweep = Path.of(System.getProperty("mutune.root", ".")).resolve("sweeps/images.yaml");
    String text =
        Files.readString(sweep)
            .replace("${MUTUNE_DATA}", folder.toString())
            .replace("rows: 5000", "rows: 2000\n    declared: simulated");
    Path here =
        Files.writeString(folder.resolve("images.yaml"), text + "run: {noise: {seed: 1}}\n");
    Path study = mutune("run", here.toString()).succeeded().folder();
    double accuracy =
        Json.read(Files.readString(study.resolve("result.json"))).path("testAccuracy").asDouble();
    System.out.println("ImageStudiesTest: images.yaml on 2000 of MNIST " + accuracy);
    assertThat(accuracy).isGreaterThan(0.5);
  }
}
