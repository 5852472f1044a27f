package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.Lockstep;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Trains a grid of 100 points on MNIST's 60000 rows: ten learning rates by ten numbers of steps up
 * to 100, with secure noise and a journal in memory. Prints time and peak memory, reading included.
 *
 * <p>Arguments: the folder of MNIST's files, and how many trials run together.
 */
public final class GridDriver {
  private static final int CLASSES = 10;
  private static final int FEATURES = 784;
  private static final int ROWS = 60000;
  private static final int SIDE = 10;

  private GridDriver() {}

  public static void main(String[] args) throws Exception {
    int together = Integer.parseInt(args[1]);
    Meter all = new Meter();
    PrivateRows rows = rows(Path.of(args[0]));
    Meter training = new Meter();
    List<Training> grid = grid();
    ClippedSums engine = Engine.KERNEL.sums(RowOrders.secret());
    for (int from = 0; from < grid.size(); from += together) {
      train(grid, from, Math.min(grid.size(), from + together), rows, engine);
    }
    int steps = grid.stream().mapToInt(Training::steps).sum();
    System.out.printf(
        Locale.ROOT,
        "%d trials, %d at once, %d steps in all: %.1f s, with reading %.1f s; %.1f s of CPU, with"
            + " reading %.1f s; at most %d MiB%n",
        grid.size(),
        together,
        steps,
        training.wall(),
        all.wall(),
        training.cpu(),
        all.cpu(),
        Meter.peakMebibytes());
  }

  private static List<Training> grid() {
    List<Training> grid = new ArrayList<>();
    for (int t = 1; t <= SIDE; t++) {
      for (int e = 1; e <= SIDE; e++) {
        grid.add(
            new NoisyGd(ClipNorm.of(1), 0.9, true)
                .training(
                    Fixture.problem(new SoftmaxLoss(), CLASSES, Adjacency.ADD_REMOVE, ROWS),
                    Fixture.run(0.1 * Math.pow(2, e), t * SIDE, 100),
                    PublicInputs.NONE));
      }
    }
    return grid;
  }

  private static void train(
      List<Training> grid, int from, int to, PrivateRows rows, ClippedSums engine)
      throws InterruptedException, ExecutionException {
    Lockstep lockstep = new Lockstep(engine, to - from);
    ExecutorService threads = Executors.newFixedThreadPool(to - from);
    List<Future<?>> ends = new ArrayList<>();
    for (int number = from; number < to; number++) {
      Training method = grid.get(number);
      Lockstep.Member member = lockstep.member(number - from);
      AttemptStreams streams = new AttemptStreams("grid", number, 1);
      ends.add(
          threads.submit(
              () -> {
                try (member) {
                  method.train(
                      Fixture.charged(method),
                      rows,
                      TrainingAttempt.fresh(
                          member, new SecureNoise(), streams, new RecordingJournal()));
                }
              }));
    }
    threads.shutdown();
    for (Future<?> end : ends) {
      end.get();
    }
  }

  private static PrivateRows rows(Path folder) throws IOException {
    DataSpec spec =
        new DataSpec(
            folder.resolve("mnist-train-images-idx3-ubyte.gz"),
            folder.resolve("mnist-train-labels-idx1-ubyte.gz"),
            DataFormat.IDX,
            CsvLayout.standard(),
            ClassLabels.of(CLASSES),
            FEATURES,
            null);
    return new PrivateData(spec, 60_000, FeaturePipeline.of(new Scale(0, 255)), null)
        .rows(Fixture.charged(grid().get(0)));
  }
}
