package io.mutune.trainer.encoder;

import static io.mutune.trainer.encoder.Answer.mutune;
import static io.mutune.trainer.encoder.TextSweep.SWEEP;
import static io.mutune.trainer.encoder.TextSweep.SWEEP_WITHOUT_TEST;
import static io.mutune.trainer.encoder.TextSweep.sentences;
import static io.mutune.trainer.encoder.TextSweep.shortOnes;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.MutuneCommand;
import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Thorough;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whole studies that begin with raw texts. */
class TextStudiesTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", "."));
  private static final Pattern ACCURACY = Pattern.compile("\"testAccuracy\" : ([0-9.]+)");

  @TempDir static Path shared;
  @TempDir Path folder;
  private TextSweep texts;

  @BeforeAll
  static void addEncoder() throws IOException {
    assertThat(System.getenv("MUTUNE_ENCODERS")).isNotNull();
    TestEncoder.addTo(EncoderLibrary.usual(), shared);
  }

  @BeforeEach
  void place() {
    texts = new TextSweep(folder);
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
    Path study = texts.run(STARTED, shortOnes("train", 20)).last();
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
    assertThat(accuracy(texts.run(sweep, shortOnes("train", 20)).last())).isGreaterThan(0.65);
  }

  private static double accuracy(Path study) throws IOException {
    Matcher found = ACCURACY.matcher(Files.readString(study.resolve("result.json")));
    assertThat(found.find()).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void anotherEncoderOfThatName_isRefusedBeforeAnythingIsCharged() throws IOException {
    Path model = texts.run(SWEEP, shortOnes("train", 60)).last().resolve("model.npz");
    Path known =
        EncoderLibrary.usual().folder().resolve("e5-small-v2").resolve("encoder.properties");
    Path kept = Files.copy(known, folder.resolve("kept"), StandardCopyOption.REPLACE_EXISTING);
    Path raw = Files.write(folder.resolve("raw.tsv"), List.of("a film"));
    try {
      Files.writeString(known, Files.readString(known).replace("prefix=", "prefix=x"));
      assertThat(mutune("predict", model.toString(), raw.toString()).err())
          .contains("the encoder 'e5-small-v2' on this machine is another one");
      Answer refused = texts.run(SWEEP, shortOnes("train", 60));
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
    Answer answer =
        texts.run(SWEEP.replace("e5-small-v2", "all-minilm-l6-v2"), shortOnes("train", 60));
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
    Path first = texts.run(keeping, rows).last();
    List<String> files = names(folder.resolve("cache"));
    Path second = texts.run(keeping, rows).last();
    assertThat(files).isNotEmpty().isEqualTo(names(folder.resolve("cache")));
    assertThat(second.resolve("model.npz"))
        .hasBinaryContent(Files.readAllBytes(first.resolve("model.npz")));
    Path centred = texts.run(keeping.replace("l2-normalize", "constant"), rows).last();
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
    Files.write(place.resolve("rows.tsv"), TextSweep.smallRows());
    Files.write(place.resolve("test.tsv"), TextSweep.smallRows());
    String file =
        Files.writeString(
                place.resolve("sweep.yaml"),
                SWEEP
                    .replace("run: {noise: {seed: 7}}\n", "")
                    .replace("encoder: e5-small-v2", TextSweep.small(place)))
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
    Files.write(folder.resolve("rows.tsv"), sentences("train", 3000));
    String sweep =
        SWEEP_WITHOUT_TEST
            .replace("delta: 1.0e-3", "delta: 1.0e-4")
            .replace("rows: 60}", "rows: 3000}\n  cache: " + cache)
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
    assertThat(parts(cache)).contains("0.part");
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
        texts.run(
            SWEEP_WITHOUT_TEST.replace("e5-small-v2", column),
            shortOnes("train", 60),
            "--no-check");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .contains("model.onnx: is no ONNX network that can be computed")
        .doesNotContain("\tat ");
    assertThat(folder.resolve("runs/mutune.db")).doesNotExist();
  }

  @Test
  void theSourceOfAnEncoder_isInTheStatementAndTheProvenance() throws IOException {
    String column = TextSweep.small(folder);
    assertThat(column).endsWith(", source: 'a test''s own'");
    String sweep = SWEEP_WITHOUT_TEST.replace("encoder: e5-small-v2", column);
    Path study = texts.run(sweep, TextSweep.smallRows(), "--no-check").last();
    String digest = EncoderLibrary.usual().find("small").orElseThrow().identity().digest();
    assertThat(Files.readString(study.resolve("statement.txt")).replaceAll("\\s+", " "))
        .contains("encoder small (digest " + digest + "; a test's own)");
    assertThat(Files.readString(study.resolve("result.json")))
        .contains("small (digest " + digest + "; a test's own)");
  }
}
