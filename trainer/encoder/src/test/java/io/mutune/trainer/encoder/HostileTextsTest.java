package io.mutune.trainer.encoder;

import static io.mutune.trainer.encoder.Answer.mutune;
import static io.mutune.trainer.encoder.TextSweep.SWEEP;
import static io.mutune.trainer.encoder.TextSweep.SWEEP_WITHOUT_TEST;
import static io.mutune.trainer.encoder.TextSweep.shortOnes;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.network.EncoderLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies with texts that nobody would write: each is a row like others, or adds nothing. */
class HostileTextsTest {
  @TempDir static Path shared;
  @TempDir Path folder;
  private TextSweep texts;

  @BeforeAll
  static void addEncoder() throws IOException {
    TestEncoder.addTo(EncoderLibrary.usual(), shared);
  }

  @BeforeEach
  void place() {
    texts = new TextSweep(folder);
  }

  @Test
  void aRowThatDoesNotFit_isAsIfItWereNotThere_andTheOthersStayAsTheyAre() throws IOException {
    List<String> rows = shortOnes("train", 60);
    List<String> more = new ArrayList<>(rows);
    more.add(50, "\t1"); // no text
    more.add(7, "a label of no class\t2");
    Path plain = texts.run(SWEEP, rows, "--no-check").last();
    Path beside = texts.run(SWEEP, more, "--no-check").last();
    assertThat(beside.resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(plain.resolve("model.npz")));
  }

  /** Bytes that are no UTF-8, and more of them than an encoder looks at. */
  @Test
  void bytesThatAreNoText_areNoFailureOfAStudy() throws IOException {
    List<String> rows = shortOnes("train", 60);
    Path plain = texts.run(SWEEP, rows, "--no-check").last();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes((String.join("\n", rows) + "\n").getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(new byte[] {(byte) 0xff, (byte) 0xc3, ' ', (byte) 0x80, '\t', '1', '\n'});
    bytes.writeBytes(("x".repeat(1 << 20) + "\t0\n").getBytes(StandardCharsets.UTF_8));
    Files.write(folder.resolve("rows.tsv"), bytes.toByteArray());
    String sweep = folder.resolve("sweep.yaml").toString();
    String runs = folder.resolve("runs").toString();
    Answer hostile = mutune("run", sweep, "--output", runs, "--no-check");
    assertThat(hostile.err()).doesNotContain("\tat ");
    assertThat(hostile.last()).isDirectory().isNotEqualTo(plain);
  }

  @Test
  void aHostileText_isARowLikeOthers_andLeavesThemAsTheyAre() throws IOException {
    List<String> rows = new ArrayList<>(shortOnes("train", 60));
    rows.add("word ".repeat(30_000) + "\t1");
    rows.add("\uD83D\uDE00\t0");
    rows.add("\u0000\t0");
    Path trained = texts.run(SWEEP, rows).last();
    Path model = trained.resolve("model.npz");
    List<String> sentences =
        shortOnes("test", 40).stream().map(line -> line.substring(0, line.indexOf('\t'))).toList();
    List<String> all = predict(model, sentences);
    assertThat(all).hasSize(40).containsOnly("0", "1");
    for (int i : List.of(0, 17)) {
      assertThat(predict(model, List.of(sentences.get(i)))).containsExactly(all.get(i));
    }
  }

  /** The classes, below a table's two lines of headings. */
  private List<String> predict(Path model, List<String> texts) throws IOException {
    Path file = Files.write(folder.resolve("raw.tsv"), texts);
    Answer answer = mutune("predict", model.toString(), file.toString());
    assertThat(answer.status()).as(answer.err()).isZero();
    return answer
        .out()
        .lines()
        .skip(2)
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .toList();
  }

  /** What a library throws at a text is no failure of a study whose charge is spent. */
  @Test
  void aTextThatAnEncoderFailsAt_isARowThatAddsNothing() throws IOException {
    String sweep = SWEEP_WITHOUT_TEST.replace("encoder: e5-small-v2", TextSweep.small(folder));
    List<String> rows = TextSweep.smallRows();
    List<String> more = new ArrayList<>(rows);
    more.add(50, "unknown words\t1"); // its tokenizer throws
    more.add(20, " \t0"); // of which there is no token
    Answer plain = texts.run(sweep, rows, "--no-check");
    Answer beside = texts.run(sweep, more, "--no-check");
    assertThat(beside.last().resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(plain.last().resolve("model.npz")));
    assertThat(beside.out()).doesNotContain("unknown");
    assertThat(beside.err()).doesNotContain("unknown", "\tat ");
  }
}
