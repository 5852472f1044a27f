package io.mutune.trainer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.MutuneCommand;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.testing.SharedFolder;
import io.mutune.trainer.network.EncoderReference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Whole studies on executors of their own processes, and the same ones in this process alone. */
class SparkStudiesTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root"));

  private static final String EXECUTORS_CLASSES = "spark.executor.extraClassPath";
  private static final String EXECUTORS_MEMORY = "spark.executor.memory";
  private static final String EXECUTORS_OPTIONS = "spark.executor.extraJavaOptions";

  @TempDir Path folder;

  /** Executors find Mutune's classes where this process does, as jars or not. */
  @BeforeEach
  void start() throws IOException {
    System.setProperty(EXECUTORS_CLASSES, ClassPathJar.in(folder));
    System.setProperty(EXECUTORS_MEMORY, "2g");
  }

  @AfterEach
  void stop() {
    System.clearProperty(EXECUTORS_CLASSES);
    System.clearProperty(EXECUTORS_OPTIONS);
    System.clearProperty(EXECUTORS_MEMORY);
  }

  private enum Data {
    DIGITS {
      @Override
      String sweep(Path folder) {
        Path digits = ROOT.resolve("sweeps/data/digits.csv.gz").toAbsolutePath();
        return """
            data:
              private: {declared: public, path: %s, format: csv, label: last, classes: 10, features: 64,
                rows: 1300, range: {first: 1, last: 1300}}
              test: {path: %s, range: {first: 1301, last: 1797}}
            features: [{type: scale, min: 0, max: 16}, {type: l2-normalize}]
            train: {method: noisy-gd, loss: softmax}
            """
            .formatted(digits, digits);
      }
    },
    ADULT_FROM_RAW_COLUMNS {
      @Override
      String sweep(Path folder) throws IOException {
        String card = Files.readString(ROOT.resolve("sweeps/cards/adult.yaml"));
        return "data:\n"
            + card.substring(card.indexOf("missing:"), card.indexOf("private:")).indent(2)
            + """
              private: {declared: public, path: %s, format: csv, header: false, rows: 32000}
              test: {path: %s, skipLines: 1}
            train: {method: noisy-gd, loss: logistic}
            """
                .formatted(
                    SharedFolder.file("data/adult.data.gz"),
                    SharedFolder.file("data/adult.test.gz"));
      }
    },
    MNIST {
      @Override
      String sweep(Path folder) {
        return """
            data:
              private: {declared: public, path: %s, labels: %s, format: idx, classes: 10, rows: 60000}
              test: {path: %s, labels: %s}
            features: [{type: scale, min: 0, max: 255}, {type: l2-normalize}]
            train: {method: noisy-gd, loss: softmax}
            """
            .formatted(
                Stream.of(
                        "train-images-idx3",
                        "train-labels-idx1",
                        "t10k-images-idx3",
                        "t10k-labels-idx1")
                    .map(name -> SharedFolder.file("data/mnist-" + name + "-ubyte.gz"))
                    .toArray());
      }
    },
    PEOPLE {
      @Override
      String sweep(Path folder) throws IOException {
        Path rows = people(folder, "rows.csv", 900, 1);
        Path test = people(folder, "test.csv", 100, 2);
        return """
            data:
              columns:
                who: {type: id}
                age: {type: number, min: 0, max: 100}
                home: {type: category, values: [city, land]}
                income: {type: label, values: [low, high]}
              unit: {column: who, rows: 3, people: 400}
              private: {declared: public, path: %s, format: csv}
              test: {path: %s}
            train: {method: noisy-gd, loss: logistic}
            """
            .formatted(rows, test);
      }
    },

    /** So many features of so many stated rows that executors read them. */
    PARTS_OF_DIGITS {
      @Override
      String sweep(Path folder) throws IOException {
        Path digits = ROOT.resolve("sweeps/data/digits.csv.gz").toAbsolutePath();
        List<String> lines;
        try (BufferedReader text =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(digits)), StandardCharsets.UTF_8))) {
          lines = text.lines().toList();
        }
        return """
            data:
              private: {declared: public, path: [%s, %s, %s], format: csv, label: last, classes: 10,
                features: 64, rows: 70000}
              test: {path: %s, range: {first: 1301, last: 1797}}
            features: [{type: scale, min: 0, max: 16}, %s]
            train: {method: noisy-gd, loss: softmax}
            """
            .formatted(
                Files.write(folder.resolve("a.csv"), lines.subList(0, 500)),
                Files.write(folder.resolve("b.csv"), lines.subList(500, 800)),
                Files.write(folder.resolve("c.csv"), lines.subList(800, 1300)),
                digits,
                MANY);
      }
    },

    SAMPLES_OF_PARTS {
      @Override
      String sweep(Path folder) throws IOException {
        return PARTS_OF_DIGITS
            .sweep(folder)
            .replace("method: noisy-gd", "method: dp-sgd, samplingRate: 0.2");
      }
    },

    PARTS_OF_PEOPLE {
      @Override
      String sweep(Path folder) throws IOException {
        String small = PEOPLE.sweep(folder);
        Path more = people(folder, "more.csv", 700, 3);
        return small
            .replace("people: 400", "people: 70000")
            .replaceFirst("path: (\\S+rows[.]csv)", "path: [$1, " + more + "]")
            .replace("train:", "features: [" + MANY + "]\ntrain:");
      }
    },

    PARTS_OF_TEXTS {
      @Override
      String sweep(Path folder) throws IOException {
        EncoderReference encoder = SmallEncoder.add(folder);
        return """
            data:
              columns:
                words: {type: text, encoder: %s, digest: %s, numbers: %d}
                age: {type: number, min: 0, max: 100}
                class: {type: label, values: ["yes", "no"]}
              private: {declared: public, path: [%s, %s], format: tsv, header: false, rows: 70000}
              test: {path: %s}
            features: [%s]
            train: {method: noisy-gd, loss: logistic}
            """
            .formatted(
                encoder.name(),
                encoder.digest(),
                encoder.numbers(),
                SmallEncoder.rows(folder.resolve("a.tsv"), 900, 1),
                SmallEncoder.rows(folder.resolve("b.tsv"), 500, 2),
                // All of its rows have to fit.
                Files.writeString(folder.resolve("test.tsv"), "a text\t5\tyes\na word\t9\tno\n"),
                MANY);
      }
    },

    PARTS_OF_PICTURES {
      @Override
      String sweep(Path folder) throws IOException {
        EncoderReference encoder = SmallEncoder.addOfPictures(folder);
        return """
            data:
              private: {declared: public, path: [%s, %s], format: images, encoder: %s, digest: %s,
                numbers: %d, classes: [dark, light], rows: 70000}
              test: {path: %s}
            features: [%s]
            train: {method: noisy-gd, loss: logistic}
            """
            .formatted(
                SmallEncoder.pictures(folder.resolve("a.zip"), 120, 1),
                SmallEncoder.pictures(folder.resolve("b.zip"), 80, 2),
                encoder.name(),
                encoder.digest(),
                encoder.numbers(),
                SmallEncoder.pictures(folder.resolve("test.zip"), 6, 3),
                MANY);
      }
    };

    private static final String MANY = "{type: random-fourier, features: 4096, gamma: 0.5}";

    abstract String sweep(Path folder) throws IOException;

    private static Path people(Path folder, String name, int rows, long seed) throws IOException {
      Random random = new Random(seed);
      String text =
          random
              .ints(rows, 0, 100)
              .mapToObj(
                  age ->
                      "%d,%d,%s,%s\n"
                          .formatted(
                              random.nextInt(rows / 2),
                              age,
                              random.nextBoolean() ? "city" : "land",
                              age + random.nextInt(40) > 70 ? "high" : "low"))
              .collect(Collectors.joining());
      return Files.writeString(folder.resolve(name), "who,age,home,income\n" + text);
    }
  }

  @ParameterizedTest
  @EnumSource
  void studiesOnTwoAndFourExecutors_areThoseOfOneProcess_bitForBit(Data data) throws IOException {
    Path sweep = sweep(data.sweep(folder), "sweeps: [{epsilon: 0.4, trials: 3}]", 8, 3);
    Released here = run(sweep);
    assertThat(run(sweep, "--master", "local-cluster[2,1,2048]")).isEqualTo(here);
    assertThat(run(sweep, "--master", "local-cluster[4,1,2048]")).isEqualTo(here);
  }

  private Command refused(Path sweep, Path runs) {
    Command run =
        Command.of(
            () -> {},
            "run",
            sweep.toString(),
            "--output",
            runs.toString(),
            "--master",
            "local-cluster[2,1,2048]");
    assertThat(run.status()).as("%s", run.err()).isEqualTo(2);
    assertThat(run.err()).doesNotContain("\tat ");
    return run;
  }

  @Test
  void executorsThatCannotEncode_endTheStudyInOneLine_beforeItIsCharged() throws IOException {
    Path sweep =
        sweep(Data.PARTS_OF_TEXTS.sweep(folder), "sweeps: [{epsilon: 0.4, trials: 3}]", 8, 3);
    System.setProperty(
        EXECUTORS_CLASSES, ClassPathJar.in(folder, place -> !place.contains("encoder")));
    Path runs = folder.resolve("runs");
    assertThat(refused(sweep, runs).err())
        .contains(
            "an executor cannot encode texts: the part of Mutune that computes encoders is not"
                + " here");
    try (StudyStore store = Stores.open(runs.resolve("mutune.db"))) {
      assertThat(store.ids()).hasSize(1);
      assertThat(store.charges(store.ids().get(0))).isEmpty();
    }
  }

  @Test
  void executorsOfAnotherKind_areRefusedInOneLine_beforeAStudyIsEntered() throws IOException {
    Path sweep = sweep(Data.DIGITS.sweep(folder), "sweeps: [{epsilon: 0.4, trials: 3}]", 8, 3);
    System.setProperty(EXECUTORS_OPTIONS, "-Dos.arch=s390x");
    Path runs = folder.resolve("runs");
    assertThat(refused(sweep, runs).err())
        .contains("an executor computes by ", ", s390x, the driver by ")
        .endsWith("the same Java and processor are needed\n");
    if (Files.exists(runs)) {
      try (StudyStore store = Stores.open(runs.resolve("mutune.db"))) {
        assertThat(store.ids()).isEmpty();
      }
    }
  }

  /**
   * An executor every five seconds, once both are there: no charge is missing or double, as the
   * charges are the same.
   */
  @Test
  void aStudyOf40Trials_whoseExecutorsAreKilled_isThatOfOneProcess() throws IOException {
    Path sweep = sweep(Data.DIGITS.sweep(folder), "sweeps: [{epsilon: 0.1, trials: 40}]", 60, 10);
    Released here = run(sweep);
    AtomicInteger kills = new AtomicInteger();
    ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
    try {
      killer.scheduleWithFixedDelay(() -> kill(kills), 5, 5, TimeUnit.SECONDS);
      assertThat(run(sweep, "--master", "local-cluster[2,1,2048]")).isEqualTo(here);
    } finally {
      killer.shutdownNow();
    }
    assertThat(kills.get()).isGreaterThanOrEqualTo(3);
  }

  /** An executor: this process has no other children. */
  private static void kill(AtomicInteger kills) {
    // A busy machine would kill what has not yet started. The driver counts as one.
    SparkEnv here = SparkEnv.get();
    if (here == null || here.blockManager().master().getMemoryStatus().size() < 3) {
      return;
    }
    ProcessHandle.current()
        .children()
        .findAny()
        .filter(ProcessHandle::destroyForcibly)
        .ifPresent(child -> kills.incrementAndGet());
  }

  /** A worker or an executor every five seconds, and another worker in its place. */
  @Test
  void aStudyOf40TrialsOnAStandaloneCluster_whoseWorkersAreKilled_isThatOfOneProcess()
      throws IOException {
    Path sweep = sweep(Data.DIGITS.sweep(folder), "sweeps: [{epsilon: 0.1, trials: 40}]", 60, 10);
    Released here = run(sweep);
    AtomicInteger workers = new AtomicInteger();
    AtomicInteger executors = new AtomicInteger();
    ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
    try (StandaloneMachines machines = new StandaloneMachines(folder, 2)) {
      killer.scheduleWithFixedDelay(
          () -> kill(machines, workers, executors), 15, 5, TimeUnit.SECONDS);
      assertThat(run(sweep, "--master", machines.url())).isEqualTo(here);
    } finally {
      killer.shutdownNow();
    }
    assertThat(workers.get()).isGreaterThanOrEqualTo(3);
    assertThat(executors.get()).isGreaterThanOrEqualTo(2);
  }

  private static void kill(
      StandaloneMachines machines, AtomicInteger workers, AtomicInteger executors) {
    if (workers.get() > executors.get()) {
      executors.addAndGet(machines.killExecutor() ? 1 : 0);
      return;
    }
    try {
      machines.killWorker();
      machines.startWorker();
      workers.incrementAndGet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final String TWICE = "sweeps: [{epsilon: 0.1, trials: 20}]";

  @Test
  void aStudyWhoseMasterGoesAway_goesOnWithTheExecutorsThatItHas() throws IOException {
    Path sweep = sweep(Data.DIGITS.sweep(folder), TWICE, 30, 10);
    Released here = run(sweep);
    try (StandaloneMachines machines = new StandaloneMachines(folder, 2)) {
      AtomicInteger killed = new AtomicInteger();
      Runnable kill =
          () -> {
            machines.killMaster();
            killed.incrementAndGet();
          };
      assertThat(run(kill, sweep, "--master", machines.url())).isEqualTo(here);
      assertThat(killed).hasValue(1);
    }
  }

  @Test
  void aStudyWithoutAnyExecutor_endsInOneLine_andGoesOnInOneProcess() throws IOException {
    Path sweep = sweep(Data.DIGITS.sweep(folder), TWICE, 30, 10);
    Path runs = folder.resolve("runs");
    System.setProperty("spark.mutune.executorWait", "5s");
    try (StandaloneMachines machines = new StandaloneMachines(folder, 2)) {
      Runnable kill =
          () -> {
            machines.killWorker();
            machines.killWorker();
          };
      Command run =
          Command.of(
              kill,
              "run",
              sweep.toString(),
              "--output",
              runs.toString(),
              "--master",
              machines.url());
      assertThat(run.status()).as("%s", run.err()).isEqualTo(2);
      assertThat(run.err())
          .contains("the Spark cluster has failed: it has had no executor for 5 seconds")
          .doesNotContain("\tat ");
    } finally {
      System.clearProperty("spark.mutune.executorWait");
    }
    Command resumed = Command.of(() -> {}, "resume", "--output", runs.toString());
    assertThat(resumed.status()).as("%s", resumed.err()).isZero();
    assertThat(Command.of(() -> {}, "audit", resumed.lastLine()).status()).isZero();
  }

  /** One command line in this process and what came of it. */
  private record Command(int status, String out, String err) {
    /**
     * Runs it.
     *
     * @param trained what happens once a trial has trained
     */
    static Command of(Runnable trained, String... words) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      CommandLine command = MutuneCommand.commandLine();
      command.setOut(new PrintWriter(out));
      command.setErr(new PrintWriter(err, true));
      ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
      try {
        watch.scheduleWithFixedDelay(
            () -> {
              if (err.toString().contains("trial ")) {
                trained.run();
                watch.shutdown();
              }
            },
            100,
            100,
            TimeUnit.MILLISECONDS);
        return new Command(command.execute(words), out.toString(), err.toString());
      } finally {
        watch.shutdownNow();
      }
    }

    String lastLine() {
      return out.lines().reduce("", (before, line) -> line);
    }
  }

  private Path sweep(String data, String sweeps, int steps, int together) throws IOException {
    return Files.writeString(
        folder.resolve("sweep.yaml"),
        "version: 1\nname: spark\n"
            + data
            + """
            budget: {epsilon: 3, delta: 1.0e-5}
            search:
              strategy: scale-free
              space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: %d}
              %s
              score: {on: private, epsilon: 0.05}
            run: {noise: {seed: 7}, parallelTrials: %d}
            """
                .formatted(steps, sweeps, together));
  }

  /**
   * What a study leaves.
   *
   * @param charges lines of the statement, in no order, since trials that run together are charged
   *     as they come
   */
  private record Released(String model, String trials, List<String> charges) {}

  private Released run(Path sweep, String... more) throws IOException {
    return run(() -> {}, sweep, more);
  }

  private Released run(Runnable trained, Path sweep, String... more) throws IOException {
    Path runs = Files.createTempDirectory(folder, "runs");
    String[] words =
        Stream.concat(
                Stream.of("run", sweep.toString(), "--output", runs.toString()), Stream.of(more))
            .toArray(String[]::new);
    Command ended = Command.of(trained, words);
    assertThat(ended.status()).as("%s", ended.err()).isZero();
    Path study = Path.of(ended.lastLine());
    Command audited = Command.of(() -> {}, "audit", study.toString());
    assertThat(audited.status()).as("%s", audited.out()).isZero();
    return new Released(
        HexFormat.of().formatHex(Files.readAllBytes(study.resolve("model.npz"))),
        Files.readString(study.resolve("trials.csv")),
        Files.readAllLines(study.resolve("statement.txt")).stream()
            .filter(line -> !line.matches("\\s+[0-9a-f]{64}"))
            .sorted()
            .toList());
  }
}
