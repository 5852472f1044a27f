package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistake of form is told to whoever holds the files, and costs no budget. */
class FormCheckTest {
  private static final String GOOD = "1,2,0\n3,4,1\n5,6,2\n";
  private static final String CSV = "format: csv";

  @TempDir Path folder;

  private CommandRun run(String form, String... more) throws IOException {
    String sweep =
        """
        version: 1
        name: formed
        data:
          private: {classes: 3, rows: 100, %s}
        budget: {epsilon: 2, delta: 1.0e-5, account: mine}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 2}}
        train: {method: noisy-gd, loss: softmax}
        """
            .formatted(form.contains("path:") ? form : "path: rows, " + form);
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    String[] words = {"run", file.toString(), "--output", runs()};
    String[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return CommandRun.of(all);
  }

  private String runs() {
    return folder.resolve("runs").toString();
  }

  private String account(String word) {
    return CommandRun.of("account", word, "mine", "--output", runs()).succeeded().out();
  }

  private void rows(String text) throws IOException {
    Files.writeString(folder.resolve("rows"), text, StandardCharsets.ISO_8859_1);
  }

  private void refused(String form, String line) throws IOException {
    CommandRun.of("account", "create", "mine", "--mu", "50", "--output", runs()).succeeded();
    String shown = account("show");
    String history = account("history");
    CommandRun run = run(form);
    assertThat(run.failedWith(ExitCode.INVALID)).endsWith(line);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains(folder.toString()).doesNotContain("S3CRET");
    assertThat(account("show")).isEqualTo(shown);
    assertThat(account("history")).isEqualTo(history);
    assertThat(CommandRun.of("list", "--output", runs(), "--format", "json").succeeded().out())
        .doesNotContain("formed");
    try (var left = Files.list(Path.of(runs()))) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2,0\\n3,4,S3CRET\\n | format: csv | rows:2: column 3 is not one of the class labels: 3 classes are the labels 0 to 2",
        "1,S3CRET,0\\n3,4,1\\n | format: csv | rows:1: column 2 is not a finite number",
        "1;2;0\\n3;4;1\\n | format: csv | rows:1: has no column beside the label: is the delimiter right?",
        "1,2,0\\n3,1\\n | format: csv | rows:2: has 2 columns instead of 3",
        "a,b,c\\n1,2,0\\n | format: csv, header: true, label: kind | rows: has no label column 'kind'",
        "1,2,0\\n | format: csv, label: 7 | rows: has no label column '7'",
        "\"1,2,0\\n | format: csv, features: 2 | or too many of them",
        "0 1:S3CRET\\n | format: libsvm, features: 2 | rows:1: entry 1 has a value that is not a finite number",
        "S3CRET | format: npz | rows: is truncated or damaged: its zip does not unpack",
      })
  void aMistake_isOneLine_andLeavesNoTrace(String text, String form, String line)
      throws IOException {
    rows(text.replace("\\n", "\n"));
    refused(form, line);
  }

  /** As a table of German farms from an old program is. */
  @Test
  void latin1_isTold_whereItBegins() throws IOException {
    rows("h,b,k\n1,2,0\n3,4,1\n".replace("h", "h\u00f6he"));
    CommandRun.of("account", "create", "mine", "--mu", "50", "--output", runs()).succeeded();
    assertThat(run("format: csv, header: true, label: k").succeeded().err())
        .contains("rows:1: is not UTF-8");
    Files.writeString(folder.resolve("rows"), "h\u00f6he,b,k\n1,2,0\n3,4,1\n");
    assertThat(run("format: csv, header: true, label: k").succeeded().err())
        .doesNotContain("UTF-8");
  }

  @Test
  void aHeaderThatIsNotStated_isTold() throws IOException {
    rows("a,b,0\n1,2,0\n");
    refused(CSV, "rows:1: column 1 is not a finite number");
  }

  @Test
  void anEmptyFile_isTold() throws IOException {
    rows("");
    refused(CSV, "rows: is empty");
  }

  @Test
  void anEmptyFileOfAStatedWidth_isTold() throws IOException {
    rows("");
    refused(CSV + ", features: 2", "rows: has no rows");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    return packed.toByteArray();
  }

  /** What its bytes look like depends on rows, so that its name has to tell. */
  @Test
  void gzipByAnotherName_andAnotherFileByItsName_areTold() throws IOException {
    Files.write(folder.resolve("rows"), gzip(GOOD));
    refused(CSV, "rows: is gzip: its name must end in .gz");
    Files.writeString(folder.resolve("rows.gz"), GOOD);
    CommandRun run = run("path: rows.gz, " + CSV);
    assertThat(run.failedWith(ExitCode.INVALID)).endsWith("rows.gz: is no gzip, as its name says");
  }

  @Test
  void aTruncatedGzip_andBytesAfterOne_areTold() throws IOException {
    byte[] whole = gzip(GOOD);
    Path rows = folder.resolve("rows.gz");
    String named = "path: rows.gz, " + CSV;
    Files.write(rows, Arrays.copyOf(whole, whole.length - 6));
    refused(named, "rows.gz: is truncated or damaged: its gzip does not unpack");
    Files.write(rows, Arrays.copyOf(whole, whole.length + 6));
    CommandRun run = run(named);
    run.failedWith(ExitCode.INVALID);
    assertThat(run.err()).contains("its gzip does not unpack");
  }

  @Test
  void labelsOfAnotherLength_areTold() throws IOException {
    byte[] images = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4};
    byte[] labels = {0, 0, 8, 1, 0, 0, 0, 1, 0};
    Files.write(folder.resolve("rows"), images);
    Files.write(folder.resolve("labels"), labels);
    String file = folder.resolve("rows").toString();
    refused(
        "labels: labels, format: idx",
        "labels: does not have as many labels as " + file + " has records");
  }

  @Test
  void aNpyOfAnotherType_isTold() throws IOException {
    Files.write(folder.resolve("labels"), new byte[] {1});
    rows("\u0093NUMPY\u0001\u0000\u0004\u0000S3C\n");
    refused(
        "labels: labels, format: npy", "rows: does not begin like a NumPy array of plain numbers");
  }

  @Test
  void withoutTheCheck_protectedRowsNeedAStatedWidth_andUnfitOnesAreNoError() throws IOException {
    CommandRun.of("account", "create", "mine", "--mu", "50", "--output", runs()).succeeded();
    rows("x\n" + GOOD);
    assertThat(run(CSV, "--no-check").failedWith(ExitCode.INVALID)).contains("state 'features'");
    CommandRun done = run(CSV + ", features: 2", "--no-check").succeeded();
    assertThat(done.out()).contains("the form of the files, which was not checked");
    assertThat(done.err()).doesNotContain("rows:1");
  }

  @Test
  void aCheckedStudy_saysSo_andKeepsTheWidthThatTheHolderStated() throws IOException {
    CommandRun.of("account", "create", "mine", "--mu", "50", "--output", runs()).succeeded();
    rows(GOOD);
    CommandRun done = run(CSV).succeeded();
    assertThat(done.out())
        .contains("the form of the files was checked by their holder before the first charge");
    assertThat(Files.readString(done.folder().resolve("statement.txt"))).contains("was checked");
    CommandRun.of("audit", "--output", runs()).succeeded();
  }
}
