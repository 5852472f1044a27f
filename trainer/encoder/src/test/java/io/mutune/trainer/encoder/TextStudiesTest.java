package io.mutune.trainer.encoder;

import static io.mutune.trainer.encoder.Answer.mutune;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.MutuneCommand;
import io.mutune.orchestrator.report.Json;
import io.mutune.testing.SharedFolder;
import io.mutune.testing.TestNetwork;
import io.mutune.testing.Thorough;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.TextForm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whole studies that begin with raw texts. */
class TextStudiesTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", "."));
  private static final Pattern ACCURACY = Pattern.compile("\"testAccuracy\" : ([0-9.]+)");

  /** Small, and seeded, so that two runs are alike but for what is changed. */
  private static final String SWEEP =
      """
      version: 1
      name: text
      data:
        columns:
          words: {type: text, encoder: e5-small-v2}
          label: {type: label, values: ["0", "1"]}
        private: {declared: public, path: rows.tsv, format: tsv, header: false, rows: 60}
        test: {path: test.tsv}
      features: [{type: l2-normalize}]
      budget: {epsilon: 8, delta: 1.0e-3}
      search: {strategy: fixed, space: {logitNoise: 0.5, steps: 20}}
      train: {method: noisy-gd, loss: logistic}
      run: {noise: {seed: 7}}
      """;

  /** Whose private rows are the only ones. */
  private static final String SWEEP_WITHOUT_TEST = SWEEP.replace("  test: {path: test.tsv}\n", "");

  @TempDir static Path shared;
  @TempDir Path folder;

  @BeforeAll
  static void addEncoder() throws IOException {
    assertThat(System.getenv("MUTUNE_ENCODERS")).isNotNull();
    TestEncoder.addTo(EncoderLibrary.usual(), shared);
  }

  private static List<String> sentences(String part, int most) throws IOException {
    Path file = SharedFolder.file("data/sst2-" + part + ".tsv.gz");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return lines.lines().limit(most).toList();
    }
  }

  /** The shortest: a network's time is that of its tokens. */
  private static List<String> shortOnes(String part, int most) throws IOException {
    return sentences(part, Math.max(1000, 3 * most)).stream()
        .sorted(Comparator.comparingInt(String::length))
        .limit(most)
        .toList();
  }

  /** At the same place each time, since a seed's noise is a sweep's. */
  private Answer run(String sweep, List<String> rows, String... options) throws IOException {
    Files.write(folder.resolve("rows.tsv"), rows);
    Files.write(folder.resolve("test.tsv"), shortOnes("test", 40));
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    return mutune(
        Stream.concat(
                Stream.of("run", file.toString(), "--output", folder.resolve("runs").toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void theSweepOfTexts_runsAsItIs_onFewerSentences() throws IOException {
    for (String part : List.of("train", "dev", "test")) {
      Path cut = folder.resolve("sst2-" + part + ".tsv.gz");
      try (PrintWriter out =
          new PrintWriter(
              new GZIPOutputStream(Files.newOutputStream(cut)), false, StandardCharsets.UTF_8)) {
        shortOnes(part, part.equals("train") ? 1200 : 300).forEach(out::println);
      }
    }
    String sweep =
        Files.readString(ROOT.resolve("sweeps/text.yaml"))
            .replace("${MUTUNE_DATA}", folder.toString())
            .replace("rows: 6900", "rows: 1200")
            .replace("epsilon: 1.0", "epsilon: 4.0");
    Path file = Files.writeString(folder.resolve("text.yaml"), sweep);
    Path runs = folder.resolve("runs");
    Path study = mutune("run", file.toString(), "--output", runs.toString()).last();
    assertThat(accuracy(study)).isGreaterThan(0.75);
    assertThat(Files.readString(study.resolve("statement.txt")))
        .contains(
            "the texts that the encoder e5-small-v2 (digest "
                + TestEncoder.KNOWN.identity().digest(),
            "they are taken to be public");
    assertThat(Files.readString(study.resolve("result.json")))
        .contains(
            "e5-small-v2 (digest %s; %s)"
                .formatted(TestEncoder.KNOWN.identity().digest(), TestEncoder.KNOWN.source()));
    assertThat(mutune("audit", "--output", runs.toString()).status()).isZero();
  }

  /** One step that hardly moves anything: the model is what the texts of the classes make. */
  private static final String STARTED =
      SWEEP
          .replace("logitNoise: 0.5, steps: 20", "learningRate: 1.0e-9, steps: 1")
          .replace(
              "loss: logistic",
              "loss: logistic, start: label-names,"
                  + " labelNames: {texts: [a terrible film, a wonderful film], scale: 20}");

  @Test
  void aStart_isWhatTheEncoderMakesOfATextForEachClass() throws IOException {
    Path study = run(STARTED, shortOnes("train", 20)).last();
    assertThat(accuracy(study)).isGreaterThan(0.65);
    assertThat(Files.readString(study.resolve("statement.txt")))
        .contains("'a terrible film', 'a wonderful film': the sweep calls them public");
    assertThat(mutune("audit", "--output", folder.resolve("runs").toString()).status()).isZero();
  }

  @Thorough
  @Test
  void aStartOfAdaMix_goesThroughTheMapsAsARowDoes() throws IOException {
    String sweep =
        STARTED
            .replace("  test:", "  public: {path: test.tsv}\n  test:")
            .replace("[{type: l2", "[{type: public-mean}, {type: l2")
            .replace("method: noisy-gd, loss: logistic", "method: adamix, loss: softmax");
    assertThat(accuracy(run(sweep, shortOnes("train", 20)).last())).isGreaterThan(0.65);
  }

  private static double accuracy(Path study) throws IOException {
    Matcher found = ACCURACY.matcher(Files.readString(study.resolve("result.json")));
    assertThat(found.find()).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void aRowThatDoesNotFit_isAsIfItWereNotThere_andTheOthersStayAsTheyAre() throws IOException {
    List<String> rows = shortOnes("train", 60);
    List<String> more = new ArrayList<>(rows);
    more.add(50, "\t1"); // no text
    more.add(7, "a label of no class\t2");
    Path plain = run(SWEEP, rows, "--no-check").last();
    Path beside = run(SWEEP, more, "--no-check").last();
    assertThat(beside.resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(plain.resolve("model.npz")));
  }

  /** Bytes that are no UTF-8, and more of them than an encoder looks at. */
  @Test
  void bytesThatAreNoText_areNoFailureOfAStudy() throws IOException {
    List<String> rows = shortOnes("train", 60);
    Path plain = run(SWEEP, rows, "--no-check").last();
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
    Path trained = run(SWEEP, rows).last();
    Path model = trained.resolve("model.npz");
    List<String> texts =
        shortOnes("test", 40).stream().map(line -> line.substring(0, line.indexOf('\t'))).toList();
    List<String> all = predict(model, texts);
    assertThat(all).hasSize(40).containsOnly("0", "1");
    for (int i : List.of(0, 17)) {
      assertThat(predict(model, List.of(texts.get(i)))).containsExactly(all.get(i));
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

  @Test
  void anotherEncoderOfThatName_isRefusedBeforeAnythingIsCharged() throws IOException {
    Path model = run(SWEEP, shortOnes("train", 60)).last().resolve("model.npz");
    Path known =
        EncoderLibrary.usual().folder().resolve("e5-small-v2").resolve("encoder.properties");
    Path kept = Files.copy(known, folder.resolve("kept"), StandardCopyOption.REPLACE_EXISTING);
    Path raw = Files.write(folder.resolve("raw.tsv"), List.of("a film"));
    try {
      Files.writeString(known, Files.readString(known).replace("prefix=", "prefix=x"));
      assertThat(mutune("predict", model.toString(), raw.toString()).err())
          .contains("the encoder 'e5-small-v2' on this machine is another one");
      Answer refused = run(SWEEP, shortOnes("train", 60));
      assertThat(refused.status()).isEqualTo(2);
      assertThat(refused.err()).contains("is another one");
      assertThat(mutune("list", "--output", folder.resolve("runs").toString()).out().lines())
          .hasSize(3); // the headings and the first study
    } finally {
      Files.copy(kept, known, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Test
  void anEncoderThatIsNotHere_isOneLineThatSaysWhatToRun() throws IOException {
    Answer answer = run(SWEEP.replace("e5-small-v2", "all-minilm-l6-v2"), shortOnes("train", 60));
    assertThat(answer.status()).isEqualTo(2);
    assertThat(answer.err())
        .contains("is not on this machine: mutune encoder add all-minilm-l6-v2")
        .doesNotContain("\tat ");
  }

  @Test
  void featuresAreKept_whereTheOwnerAsks_whateverMapsFollow() throws IOException {
    String keeping =
        SWEEP.replace("  test: {", "  cache: " + folder.resolve("cache") + "\n  test: {");
    List<String> rows = shortOnes("train", 60);
    Path first = run(keeping, rows).last();
    List<String> files = names(folder.resolve("cache"));
    Path second = run(keeping, rows).last();
    assertThat(files).isNotEmpty().isEqualTo(names(folder.resolve("cache")));
    assertThat(second.resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(first.resolve("model.npz")));
    Path centred = run(keeping.replace("l2-normalize", "constant"), rows).last();
    assertThat(centred).exists();
    assertThat(names(folder.resolve("cache"))).isEqualTo(files);
  }

  private static List<String> names(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  /**
   * The lower bound of a sound study passes its guarantee with a probability of at most 0.01, and
   * at ε = 8 by far less: 20 runs can show no more than about ε = 1. By a small encoder, since each
   * study of an attack loads its own.
   */
  @Test
  void aStudyOfTexts_canBeAttacked_andKeepsItsGuarantee() throws IOException {
    Path place = Files.createDirectories(folder.resolve("attacked"));
    Files.write(place.resolve("rows.tsv"), smallRows());
    Files.write(place.resolve("test.tsv"), smallRows());
    String file =
        Files.writeString(
                place.resolve("sweep.yaml"),
                SWEEP
                    .replace("run: {noise: {seed: 7}}\n", "")
                    .replace("encoder: e5-small-v2", small(place)))
            .toString();
    Path out = place.resolve("attack.json");
    mutune("attack", "membership", file, "--references", "4", "--output", out.toString())
        .succeeded();
    JsonNode membership = Json.read(Files.readString(out));
    assertThat(membership.path("members").asInt()).isEqualTo(60);
    assertThat(membership.path("curves").size()).isEqualTo(2);
    mutune("attack", "neighbours", file, "--runs", "20", "--output", out.toString()).succeeded();
    JsonNode neighbours = Json.read(Files.readString(out));
    assertThat(neighbours.path("runs").asInt()).isEqualTo(20);
    assertThat(neighbours.path("problems").size()).isZero();
    assertThat(neighbours.path("numbers").size()).isPositive();
    // What is planned is rounded towards less than the budget.
    assertThat(neighbours.path("guaranteed").path("epsilon").asDouble()).isBetween(7.999, 8.0);
    assertThat(neighbours.path("lowerBound").path("epsilon").asDouble()).isBetween(0.0, 8.0);
    assertThat(neighbours.path("refutes").asBoolean(true)).isFalse();
  }

  /** That rows are not encoded twice is a matter of EncodedReaderTest. */
  @Test
  @Thorough
  void aStudyThatIsKilledWhileItEncodes_keepsWhatIsDone_andGoesOnToItsEnd() throws Exception {
    Path cache = folder.resolve("cache");
    Path runs = folder.resolve("runs");
    Files.write(folder.resolve("rows.tsv"), sentences("train", 800));
    String sweep =
        SWEEP_WITHOUT_TEST
            .replace("rows: 60}", "rows: 800}\n  cache: " + cache)
            .replace("run: {noise: {seed: 7}}\n", "");
    Path file = Files.writeString(folder.resolve("sweep.yaml"), sweep);
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                MutuneCommand.class.getName(),
                "run",
                file.toString(),
                "--output",
                runs.toString(),
                "--no-check")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.txt").toFile());
    command.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = command.start();
    try {
      while (process.isAlive() && parts(cache).isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(process.isAlive()).as(Files.readString(folder.resolve("out.txt"))).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(parts(cache)).containsExactly("0.part");
    Answer resumed = mutune("resume", "--output", runs.toString());
    assertThat(resumed.last().resolve("model.npz")).exists();
    assertThat(names(cache)).hasSize(4).noneMatch(name -> name.endsWith(".parts"));
    mutune("audit", "--output", runs.toString()).succeeded();
  }

  private static List<String> parts(Path cache) throws IOException {
    if (!Files.isDirectory(cache)) {
      return List.of();
    }
    for (String name : names(cache)) {
      if (name.endsWith(".parts")) {
        return names(cache.resolve(name)).stream().filter(part -> part.endsWith(".part")).toList();
      }
    }
    return List.of();
  }

  /** What the private rows are first read with is looked at before they are charged for. */
  @Test
  void anEncoderThatCannotBeComputed_isRefusedBeforeAnythingIsCharged() throws IOException {
    Path network = Files.writeString(folder.resolve("broken.onnx"), "no network".repeat(9));
    Path tokenizer = TestEncoder.file(TestEncoder.KNOWN.tokenizerFile(), shared);
    EncoderIdentity identity =
        EncoderIdentity.ofTexts(
            384,
            (TextForm) TestEncoder.KNOWN.identity().form(),
            EncoderFile.read(network).sha256(),
            EncoderFile.read(tokenizer).sha256());
    EncoderLibrary.usual()
        .add(
            new EncoderLibrary.Entry("broken", identity, "a test", "none"),
            network,
            Optional.of(tokenizer));
    String column = "broken, digest: " + identity.digest() + ", numbers: 384";
    Answer refused =
        run(
            SWEEP_WITHOUT_TEST.replace("e5-small-v2", column),
            shortOnes("train", 60),
            "--no-check");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .contains("model.onnx: is no ONNX network that can be computed")
        .doesNotContain("\tat ");
    assertThat(folder.resolve("runs/mutune.db")).doesNotExist();
  }

  /** Adds an encoder of three words, and says what of a card takes it. */
  private static String small(Path scratch) throws IOException {
    Path network = TestNetwork.looksUp(3, 4).write(scratch.resolve("small.onnx"));
    Path tokenizer = TestNetwork.tokenizer(scratch.resolve("small.json"));
    mutune(
            "encoder",
            "add",
            network.toString(),
            "--name",
            "small",
            "--tokenizer",
            tokenizer.toString(),
            "--source",
            "a test's own")
        .succeeded();
    String shown = mutune("encoder", "show", "small").succeeded().out();
    return shown.substring(shown.indexOf("encoder: small"), shown.lastIndexOf('}'));
  }

  private static List<String> smallRows() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rows.add("a ".repeat(1 + i % 5) + (i % 2 == 0 ? "text" : "word") + "\t" + i % 2);
    }
    return rows;
  }

  /** What a library throws at a text is no failure of a study whose charge is spent. */
  @Test
  void aTextThatAnEncoderFailsAt_isARowThatAddsNothing() throws IOException {
    String sweep = SWEEP_WITHOUT_TEST.replace("encoder: e5-small-v2", small(folder));
    List<String> rows = smallRows();
    List<String> more = new ArrayList<>(rows);
    more.add(50, "unknown words\t1"); // its tokenizer throws
    more.add(20, " \t0"); // of which there is no token
    Answer plain = run(sweep, rows, "--no-check");
    Answer beside = run(sweep, more, "--no-check");
    assertThat(beside.last().resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(plain.last().resolve("model.npz")));
    assertThat(beside.out()).doesNotContain("unknown");
    assertThat(beside.err()).doesNotContain("unknown", "\tat ");
  }

  @Test
  void theSourceOfAnEncoder_isInTheStatementAndTheProvenance() throws IOException {
    String column = small(folder);
    assertThat(column).endsWith(", source: 'a test''s own'");
    String sweep = SWEEP_WITHOUT_TEST.replace("encoder: e5-small-v2", column);
    Path study = run(sweep, smallRows(), "--no-check").last();
    String digest = EncoderLibrary.usual().find("small").orElseThrow().identity().digest();
    assertThat(Files.readString(study.resolve("statement.txt")).replaceAll("\\s+", " "))
        .contains("encoder small (digest " + digest + "; a test's own)");
    assertThat(Files.readString(study.resolve("result.json")))
        .contains("small (digest " + digest + "; a test's own)");
  }
}
