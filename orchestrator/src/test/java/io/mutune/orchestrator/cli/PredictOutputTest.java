package io.mutune.orchestrator.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import blue.strategic.parquet.ParquetReader;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Probabilities, row by row, and files that are left whole. */
class PredictOutputTest {
  private static final String INSTEAD =
      "mutune: the loss of this model gives no probabilities: scores stand in their place\n";

  @TempDir Path folder;

  private Path model;

  @BeforeEach
  void makeFolder() throws IOException {
    model = Files.createDirectory(folder.resolve("toy-1"));
  }

  private void model(String loss, int columns, double... weights) throws IOException {
    NpzFile.write(
        model.resolve("model.npz"),
        Map.of("weights", new NpyArray(new int[] {2, columns}, weights)));
    Files.writeString(
        model.resolve("model.json"),
        """
        {"loss": "%s", "classes": ["left", "a \\"b\\", c"], "features": [], "data":
         {"format": "csv", "delimiter": ",", "header": false, "label": "last", "features": 2}}"""
            .formatted(loss));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("rows"), text);
  }

  private CommandRun mutune(Object... more) {
    return CommandRun.of(
        Stream.concat(Stream.of("predict", model), Stream.of(more))
            .map(Object::toString)
            .toArray(String[]::new));
  }

  @Test
  void csvAndJsonLines_haveProbabilities() throws IOException {
    model("softmax", 2, Math.log(3), 0, 0, 0);
    Path rows = file("1,0\n0,9\n");
    CommandRun csv = mutune(rows, "--format", "csv");
    assertThat(csv.out())
        .isEqualTo(
            """
            row,class,probability_left,"probability_a ""b"", c"
            1,left,0.75,0.25
            2,left,0.5,0.5
            """);
    assertThat(csv.err()).isEmpty();
    String[] lines = mutune(rows, "--format", "jsonl").out().split("\n", -1);
    assertThat(lines).hasSize(3);
    assertThat(Json.read(lines[0]))
        .isEqualTo(
            Json.read(
                """
                {"row": 1, "class": "left", "probabilities": {"left": 0.75, "a \\"b\\", c": 0.25}}"""));
  }

  @Test
  void aLogisticModelOfOneLogit_hasProbabilitiesOfBothClasses() throws IOException {
    model("logistic", 1, Math.log(3), 0);
    assertThat(mutune(file("1,0\n"), "--format", "jsonl").out())
        .isEqualTo(
            "{\"row\":1,\"class\":\"a \\\"b\\\", c\","
                + "\"probabilities\":{\"left\":0.25,\"a \\\"b\\\", c\":0.75}}\n");
  }

  @Test
  void aLossWithoutProbabilities_givesScores_andSaysSo() throws IOException {
    model("hinge", 1, -2, 0);
    CommandRun answer = mutune(file("1,0\n"), "--format", "csv");
    assertThat(answer.out()).isEqualTo("row,class,\"score_a \"\"b\"\", c\"\n1,left,-2.0\n");
    assertThat(answer.err()).isEqualTo(INSTEAD);
    assertThat(answer.status()).isZero();
  }

  @Test
  void output_isAFileWhoseNameSaysItsForm() throws IOException {
    model("softmax", 2, 1, 0, 0, 1);
    Path rows = file("1,0\n".repeat(9000));
    Path out = folder.resolve("answers.csv");
    assertThat(mutune(rows, "--output", out)).isEqualTo(new CommandRun(0, "", ""));
    assertThat(Files.readString(out)).isEqualTo(mutune(rows, "--format", "csv").out());
    assertThat(Files.readAllLines(out)).hasSize(9001).last().asString().startsWith("9000,left,");
    Path lines = folder.resolve("answers.jsonl");
    mutune(rows, "--output", lines);
    assertThat(Files.readAllLines(lines)).hasSize(9000);
    mutune(rows, "--output", lines, "--format", "json");
    assertThat(Json.read(Files.readString(lines)).withArray("predictions")).hasSize(9000);
  }

  @Test
  void whatIsRead_isNotWrittenOver() throws IOException {
    model("softmax", 2, 1, 0, 0, 1);
    Path rows = file("1,0\n");
    Path elsewhere = Files.createSymbolicLink(folder.resolve("answers.csv"), rows);
    for (Path read :
        List.of(rows, elsewhere, model.resolve("model.npz"), model.resolve("model.json"))) {
      assertThat(mutune(rows, "--output", read).failedWith(ExitCode.INVALID))
          .startsWith("mutune: --output " + read + ": is ")
          .endsWith("; name another file");
    }
    assertThat(rows).hasContent("1,0\n");
    Path release = Files.createDirectory(model.resolve("release-1"));
    Path other = Files.writeString(release.resolve("model.npz"), "another model");
    for (Path left : List.of(other, model.resolve("card.json.sig"), model.resolve("report.html"))) {
      assertThat(mutune(rows, "--output", left).failedWith(ExitCode.INVALID))
          .endsWith(": is a document of the study; name another file");
    }
    assertThat(mutune(rows, "--output", model.resolve("answers.csv")).status()).isZero();
    assertThat(Files.getPosixFilePermissions(model.resolve("answers.csv")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aLink_leadsToTheFileThatIsWritten() throws IOException {
    model("softmax", 2, 0, 0, 0, 0);
    Path target = Files.writeString(folder.resolve("target.csv"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), target.getFileName());
    mutune(file("1,0\n"), "--output", link).succeeded();
    assertThat(link).isSymbolicLink();
    assertThat(target).content().startsWith("row,class,");
    Path fresh = folder.resolve("fresh.csv");
    mutune(file("1,0\n"), "--output", Files.createSymbolicLink(folder.resolve("to"), fresh))
        .succeeded();
    assertThat(fresh).isNotEmptyFile();
    Path circle = Files.createSymbolicLink(folder.resolve("circle"), folder.resolve("circle"));
    assertThat(mutune(file("1,0\n"), "--output", circle).failedWith(ExitCode.INVALID))
        .contains("circle");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aLinkOfTheSystem_isWrittenTo_andStays() throws Exception {
    model("softmax", 2, 0, 0, 0, 0);
    Path link = Files.createSymbolicLink(folder.resolve("out.csv"), Path.of("/dev/stdout"));
    Path rows = file("1,0\n");
    try (MutuneProcess process =
        MutuneProcess.start(
            "predict", model.toString(), rows.toString(), "--output", link.toString())) {
      assertThat(process.end().succeeded().out()).startsWith("row,class,");
    }
    assertThat(link).isSymbolicLink();
  }

  /** It may be any that the process has open, a jar or a store. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileThatIsOpenHere_isNotWrittenOver() throws IOException {
    model("softmax", 2, 0, 0, 0, 0);
    Path rows = file("1,0\n");
    Path other = Files.writeString(folder.resolve("other"), "open");
    try (InputStream open = Files.newInputStream(other);
        Stream<Path> numbers = Files.list(Path.of("/proc/self/fd"))) {
      Path number = numbers.filter(fd -> leadsTo(fd, other)).findFirst().orElseThrow();
      assertThat(mutune(rows, "--output", number).failedWith(ExitCode.INVALID))
          .contains(number + ": is a file that is open here already");
      assertThat(open.read()).isEqualTo('o');
    }
    assertThat(other).hasContent("open");
  }

  private static boolean leadsTo(Path link, Path file) {
    try {
      return Files.readSymbolicLink(link).equals(file.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aCommandThatIsToldToEnd_leavesNothing() throws Exception {
    model("softmax", 2, 0, 0, 0, 0);
    // So many that it is still at work when the signal comes.
    Path rows = folder.resolve("rows.csv.gz");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream lines = new GZIPOutputStream(packed)) {
      lines.write("1,0\n".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
    }
    for (int i = 0; i < 100; i++) {
      Files.write(rows, packed.toByteArray(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    Path answers = Files.createDirectory(folder.resolve("answers"));
    String output = answers.resolve("all.csv").toString();
    try (MutuneProcess process =
        MutuneProcess.start("predict", model.toString(), rows.toString(), "--output", output)) {
      process.until(() -> answers.toFile().list().length > 0);
      process.signal("TERM");
      assertThat(process.end().status()).isEqualTo(128 + 15);
    }
    assertThat(answers).isEmptyDirectory();
  }

  /** Read back by parquet-floor, beside the CSV of the same answers, beyond one group of rows. */
  @Test
  void parquet_hasTheColumnsOfCsv() throws IOException {
    model("softmax", 2, Math.log(3), 0, 0, 0);
    Path rows = file("1,0\n0,9\n".repeat(9000));
    Path out = folder.resolve("answers.parquet");
    assertThat(mutune(rows, "--output", out)).isEqualTo(new CommandRun(0, "", ""));
    List<String> head =
        ParquetReader.readMetadata(out.toFile()).getFileMetaData().getSchema().getFields().stream()
            .map(Type::getName)
            .toList();
    assertThat(head).containsExactly("row", "class", "probability_left", "probability_a \"b\", c");
    List<String> lines = cells(out);
    List<String> csv = mutune(rows, "--format", "csv").out().lines().skip(1).toList();
    assertThat(lines).isEqualTo(csv);
    assertThat(mutune(rows, "--format", "parquet").failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --format parquet is no text to print: add --output FILE");
  }

  /** Of each row its cells with commas between, without the names that they are read with. */
  private static List<String> cells(Path file) throws IOException {
    try (Stream<String[]> all = ParquetReader.streamContentToStrings(file.toFile())) {
      return all.map(
              row ->
                  Stream.of(row)
                      .map(cell -> cell.substring(cell.lastIndexOf('=') + 1))
                      .collect(joining(",")))
          .toList();
    }
  }

  @Test
  void parquet_hasScores_whereOneSpeaksForBoth_andTargets() throws IOException {
    model("hinge", 1, -2, 0);
    Path out = folder.resolve("answers.parquet");
    CommandRun run = mutune(file("1,0\n"), "--output", out);
    assertThat(run.err()).isEqualTo(INSTEAD);
    assertThat(cells(out)).containsExactly("1,left,-2.0");
    Files.writeString(
        model.resolve("model.json"),
        """
        {"loss": "squared", "target": {"min": 10, "max": 30}, "features": [], "data":
         {"format": "csv", "delimiter": ",", "header": false, "label": "last", "features": 2}}""");
    mutune(file("-0.25,0\n"), "--output", out);
    // The score, −2·−0.25, lies three quarters of the way from 10 to 30.
    assertThat(cells(out)).containsExactly("1,25.0");
  }

  @Test
  void aRowThatDoesNotFit_leavesNoOutput_andTheOneBeforeAsItWas() throws IOException {
    model("hinge", 1, -2, 0);
    Path out = Files.writeString(folder.resolve("answers.csv"), "before");
    Path rows = file("1,0\n".repeat(20000) + "1,x\n");
    CommandRun run = mutune(rows, "--output", out);
    assertThat(run.err())
        .isEqualTo(INSTEAD + "mutune: " + rows + ":20001: column 2 is not a finite number\n");
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(out).hasContent("before");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
    }
  }

  @Test
  void outputThatCannotBeWritten_isNamed() throws IOException {
    model("softmax", 2, 1, 0, 0, 1);
    Path rows = file("1,0\n");
    assertThat(mutune(rows, "--output", folder).failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --output " + folder + ": is a folder, not a file");
    Path gone = folder.resolve("gone");
    Path within = gone.resolve("x.json");
    assertThat(mutune(rows, "--output", within).failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: --output " + within + ": there is no folder " + gone);
    CommandRun run = mutune(rows, "--format", "xml");
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.err()).contains("--format");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDisk_isAFailureOfStorage_andTheFileIsNamed() throws IOException {
    model("softmax", 2, 1, 0, 0, 1);
    Path rows = file("1,0\n");
    for (String form : List.of("csv", "jsonl", "table", "parquet")) {
      assertThat(
              mutune(rows, "--output", "/dev/full", "--format", form).failedWith(ExitCode.STORAGE))
          .isEqualTo("mutune: --output /dev/full: cannot be written: No space left on device");
    }
  }
}
