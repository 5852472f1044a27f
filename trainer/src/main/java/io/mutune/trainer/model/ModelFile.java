package io.mutune.trainer.model;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** A model as the bytes that a trainer of its own wrote, which scores rows by it. Immutable. */
public final class ModelFile implements TrainedModel {
  /** Scores rows. */
  @FunctionalInterface
  public interface Scorer {
    /**
     * Scores rows by a model.
     *
     * @param stop called while the scores are waited for; what it throws is thrown on
     * @return {@code [rows, columns]}, row-major; a row that nothing is said of has a NaN
     * @throws Failure if the trainer failed, which may follow from the rows
     * @throws IOException if the rows cannot be handed over
     */
    float[] scores(ModelFile model, RowBlocks rows, Runnable stop) throws IOException;
  }

  /** That a trainer failed, in words that say nothing of rows. */
  public static final class Failure extends IOException {
    private static final long serialVersionUID = 1;

    public Failure(String message) {
      super(message);
    }

    public Failure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static final Scorer NONE =
      (model, rows, stop) -> {
        throw new IllegalStateException("nothing scores rows by a file alone");
      };

  private final int features;
  private final int columns;
  private final byte[] content;
  private final Scorer scorer;
  private final Runnable stop;
  private final Duration patience;

  /**
   * @param features of the rows that it was trained on
   * @param columns scores for each row
   * @param content copied
   */
  public ModelFile(int features, int columns, byte[] content, Scorer scorer) {
    this(features, columns, content, scorer, () -> {}, Duration.ZERO);
  }

  private ModelFile(
      int features, int columns, byte[] content, Scorer scorer, Runnable stop, Duration patience) {
    if (features < 1 || columns < 1) {
      throw new IllegalArgumentException("a model has features and columns");
    }
    this.features = features;
    this.columns = columns;
    this.content = content.clone();
    this.scorer = scorer;
    this.stop = stop;
    this.patience = patience;
  }

  /** One that is only looked at. */
  public ModelFile(int features, int columns, byte[] content) {
    this(features, columns, content, NONE);
  }

  /**
   * The model of the numbers that {@link #weights} gives.
   *
   * @throws IllegalArgumentException if they are of none
   */
  public static ModelFile of(double[] weights, int columns, Scorer scorer) {
    return new ModelFile(PackedBytes.head(weights), columns, PackedBytes.bytes(weights), scorer);
  }

  /**
   * The same, whose scores are not waited for to their end. That a trainer failed at private rows
   * is not seen in whether there are scores of them.
   *
   * @param stopping throws where a study is to stop
   * @param privately for how long scores of private rows are waited for all the same
   */
  public ModelFile until(Runnable stopping, Duration privately) {
    return new ModelFile(features, columns, content, scorer, stopping, privately);
  }

  @Override
  public int features() {
    return features;
  }

  @Override
  public int columns() {
    return columns;
  }

  /** A copy. */
  public byte[] content() {
    return content.clone();
  }

  @Override
  public double[] weights() {
    return PackedBytes.numbers(features, content);
  }

  @Override
  public Evaluated<PublicRows> on(PublicRows rows) throws IOException {
    float[] scores = openly(rows.blocks());
    for (float score : scores) {
      if (!Float.isFinite(score)) {
        throw new Failure("the trainer gave a public row a score that is no finite number");
      }
    }
    return new Evaluated<>(identity(), new PublicRows(rows.blocks().scored(scores, columns)));
  }

  @Override
  public Evaluated<PrivateRows> on(PrivateRows rows, Runnable failed) throws IOException {
    float[] scores;
    try {
      scores = scorer.scores(this, rows.blocks(), late());
    } catch (Failure e) {
      scores = new float[Math.multiplyExact(Math.toIntExact(rows.blocks().rows()), columns)];
      Arrays.fill(scores, Float.NaN);
      failed.run();
    }
    return new Evaluated<>(identity(), new PrivateRows(rows.blocks().scored(scores, columns)));
  }

  private float[] openly(RowBlocks rows) throws IOException {
    try {
      return scorer.scores(this, rows, stop);
    } catch (Failure e) {
      stop.run(); // Whatever stops this process may have ended the trainer too.
      throw e;
    }
  }

  /** Stops only after a while, since scores of private rows have been charged, and are lost. */
  private Runnable late() {
    AtomicLong first = new AtomicLong();
    return () -> {
      try {
        stop.run();
      } catch (RuntimeException e) {
        first.compareAndSet(0, System.nanoTime());
        if (System.nanoTime() - first.get() > patience.toNanos()) {
          throw e;
        }
      }
    };
  }

  /** Its rows are scores already. */
  private LinearModel identity() {
    double[] weights = new double[columns * columns];
    for (int c = 0; c < columns; c++) {
      weights[c * columns + c] = 1;
    }
    return new LinearModel(columns, columns, weights);
  }
}
