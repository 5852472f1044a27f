package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyRunner;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.gradient.Cluster;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.RowPart;
import io.mutune.trainer.noise.RowBuckets;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which private files a cluster's machines read themselves, by what is public of a study. */
class ReadByMachinesTest {
  private static final String SCALE_FREE =
      """
      search:
        strategy: scale-free
        space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 20}
        sweeps: [{epsilon: 0.4, trials: 2}]
        score: {on: private, epsilon: 0.3}
      train: {method: noisy-gd, loss: softmax}
      """;
  private static final String MEAN = "{type: private-mean, epsilon: 0.1, clipNorm: 2}, ";

  /** So many that machines read them for the mean too, of five features. */
  private static final long ROWS_BEFORE_MAPS = 60_000_000;

  /** In a small heap they are refused before. */
  private static final String HERE =
      "here|private rows with their features, and sums over them, take .*";

  @TempDir Path folder;

  /** Says who was to read, and ends the study with it. */
  private static class Told implements Cluster {
    @Override
    public String description() {
      return "this process";
    }

    @Override
    public int parts(long bytes) {
      return 2;
    }

    @Override
    public Rows hold(int parts, IntFunction<RowPart> part) {
      throw new UncheckedIOException(new IOException("read here"));
    }

    @Override
    public ClusterRows read(RowFiles files, RowBuckets buckets, long bytes) {
      throw new UncheckedIOException(new IOException("read there"));
    }

    @Override
    public void close() {}
  }

  /** Machines that have no row, add up what there is of it, and fail when rows are counted. */
  private record NoRows(int columns, RowBuckets buckets) implements ClusterRows {
    @Override
    public boolean haveUnits() {
      return false;
    }

    @Override
    public long unfit() {
      return 0;
    }

    @Override
    public long[] add(Job<RowBlocks> job) {
      throw new UncheckedIOException(new IOException("not counted"));
    }

    @Override
    public <T extends Serializable> Kept<T> keep(Making<T> making) {
      T part = making.of(new RowBlocks(columns, List.of()));
      return job -> job.of(part);
    }
  }

  private void require(String who, long rows, String mean, String rest) throws IOException {
    require("read " + who, new Told(), rows, mean, rest);
  }

  private void require(String message, Cluster cluster, long rows, String mean, String rest)
      throws IOException {
    SmallSweep.writeRows(folder.resolve("private.csv"), 400, 5, 1);
    SmallSweep.writeRows(folder.resolve("test.csv"), 100, 5, 2);
    require(
        message,
        cluster,
        """
        data:
          private: {path: private.csv, format: csv, classes: 3, features: 5, rows: %d}
          test: {path: test.csv}
        features: [%s{type: random-fourier, features: 4096, gamma: 1}]
        """
                .formatted(rows, mean)
            + rest);
  }

  private void require(String message, Cluster cluster, String rest) throws IOException {
    Path file = folder.resolve("sweep.yaml");
    Files.writeString(file, "version: 1\nname: read\nbudget: {epsilon: 2, delta: 1.0e-9}\n" + rest);
    String text = Files.readString(file);
    SweepContext context = SweepContext.ofFile(file);
    StudyPlan plan = StudyPlan.of(SweepReader.read(file.toString(), text, context));
    Path runs = folder.resolve("runs");
    try (StudyStore store = Stores.open(runs.resolve(StoreOption.FILE))) {
      Study study = Study.create(plan, text, context, runs);
      study.enter(store);
      RunEnvironment environment =
          new RunEnvironment(Engine.KERNEL, StudyListener.SILENT, () -> false)
              .on(Optional.of(cluster));
      assertThatThrownBy(() -> new StudyRunner(store, study, environment).run())
          .isInstanceOf(IOException.class)
          .hasMessageMatching(message);
    }
  }

  @Test
  void largeSets_areReadByMachines_andSmallOnesHere() throws IOException {
    require("there", 70_000, "", SCALE_FREE);
    require("there", 70_000, MEAN, SCALE_FREE);
    require("there", ROWS_BEFORE_MAPS, MEAN, SCALE_FREE);
    require(HERE, 60_000, "", SCALE_FREE);
  }

  /** They would go into one bucket, and not into the heap of these tests. */
  @Test
  void rowsBeforeAMean_haveToFit_whereTheyAreReadHere() throws IOException {
    require(
        "private rows with their features, and sums over them, take .*",
        new Told(),
        40_000_000,
        MEAN,
        SCALE_FREE);
  }

  @Test
  void machinesThatFailWhileTheyCount_endTheStudyInOneLine() throws IOException {
    Cluster failing =
        new Told() {
          @Override
          public ClusterRows read(RowFiles files, RowBuckets buckets, long bytes) {
            return new NoRows(files.columns(), buckets);
          }
        };
    require("not counted", failing, 70_000, "", SCALE_FREE);
    require("not counted", failing, ROWS_BEFORE_MAPS, MEAN, SCALE_FREE);
  }

  @Test
  void largeSets_areReadHere_whereAQuestionIsNoSumOfWholeNumbers() throws IOException {
    require(HERE, 70_000, "", "search: {strategy: fixed}\ntrain: {method: agd, loss: softmax}\n");
  }

  private static final String PEOPLE =
      """
      data:
        columns:
          who: {type: id}
          home: {type: category, values: [city, land]}
          class: {type: label, values: [low, high]}
        unit: {column: who, rows: 5, people: 2000}
        private: {path: private.csv, format: csv}
      search: {strategy: fixed}
      train: {method: noisy-gd, loss: logistic}
      """;

  /** Of 16 features, as the kernel fills them up. */
  @Test
  void partsThatAreHandedOver_areAsMany_asAllRowsOfTheStatedPeopleAsk() throws IOException {
    Files.writeString(folder.resolve("private.csv"), "who,home,class\na,city,low\nb,land,high\n");
    List<Long> bytes = new ArrayList<>();
    Cluster told =
        new Told() {
          @Override
          public int parts(long ofRows) {
            bytes.add(ofRows);
            return 2;
          }
        };
    require("read here", told, PEOPLE);
    assertThat(bytes).containsExactly(5 * 2000L * 16 * Float.BYTES);
  }

  /** Rows by group go through their maps where they are counted, a block of 4096 at a time. */
  @Test
  void machinesThatCountByGroup_areAskedForTheMapsAndABlock() throws IOException {
    Files.writeString(folder.resolve("private.csv"), "who,home,class\na,city,low\nb,land,high\n");
    Cluster told =
        new Told() {
          @Override
          public void check(RowFiles files, RowBuckets buckets, long bytes, double working)
              throws IOException {
            if (files.columns() == 2 && working > 4096.0 * 4096 * Float.BYTES) {
              throw new IOException("enough");
            }
          }
        };
    require(
        "enough",
        told,
        """
        data:
          columns:
            home: {type: category, values: [city, land]}
            who: {type: ignore}
            class: {type: label, values: [low, high]}
          private: {path: private.csv, format: csv, rows: 1000}
          test: {path: private.csv, private: true, rows: 200000000, range: {first: 2, last: 200000000}}
        features: [{type: random-fourier, features: 4096, gamma: 1}]
        search:
          strategy: grid
          points: {values: 2}
          space: {learningRate: {min: 1, max: 9}, steps: 10}
          score: {on: private, epsilon: 0.3, test: confusion}
        train: {method: noisy-gd, loss: logistic}
        output: {by: home}
        """);
  }
}
