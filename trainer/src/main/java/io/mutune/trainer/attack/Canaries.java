package io.mutune.trainer.attack;

import io.mutune.trainer.kernel.EuclideanNorm;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Makes canaries, before any coin says which of them take part. The same seed makes the same. */
public final class Canaries {
  /** How much of an amplified canary points along the momentum; the rest tells it from others. */
  private static final double ALONG = 0.5;

  private Canaries() {}

  /**
   * Rows with one feature each, as great as any in the data: the gradient of row e_j under label y
   * is e_j ⊗ (p − e(y)). Two of them have something in common only if they share j.
   *
   * @param base rows whose width and scale they have
   * @throws IllegalArgumentException if there are not so many features and classes
   */
  public static KnownRows gradient(KnownRows base, int classes, int count, long seed) {
    requireRoom(base, classes, count);
    return alone(base, shuffled(base.columns(), new SplittableRandom(seed)), classes, count);
  }

  /**
   * The same of as few features as there have to be, those that rows like the others have least in:
   * there nobody has to know the others to see a canary.
   *
   * @param like public rows like the others
   * @throws IllegalArgumentException if there are not so many features and classes
   */
  public static KnownRows quiet(KnownRows like, int classes, int count) {
    requireRoom(like, classes, count);
    int used = (count + classes - 1) / classes;
    return alone(like, Arrays.copyOf(like.quietest(), used), classes, count);
  }

  private static void requireRoom(KnownRows base, int classes, int count) {
    int columns = base.columns();
    if (count < 1 || count > (long) columns * classes) {
      throw new IllegalArgumentException(
          "%d features and %d classes make no %d canaries of kind gradient, %d at most; those of kind mislabelled are rows of the data"
              .formatted(columns, classes, count, (long) columns * classes));
    }
  }

  private static KnownRows alone(KnownRows base, int[] features, int classes, int count) {
    float[][] values = new float[count][base.columns()];
    int[] labels = new int[count];
    float greatest = base.greatest();
    for (int i = 0; i < count; i++) {
      values[i][features[i % features.length]] = greatest;
      labels[i] = (i % features.length + i / features.length) % classes;
    }
    return new KnownRows(base.columns(), values, labels);
  }

  /**
   * Rows of the data, no two the same, each under one of the other labels.
   *
   * @throws IllegalArgumentException if the data has fewer rows
   */
  public static KnownRows mislabelled(KnownRows base, int classes, int count, long seed) {
    if (count < 1 || count > base.count()) {
      throw new IllegalArgumentException(
          "%d rows make no %d canaries of kind mislabelled".formatted(base.count(), count));
    }
    SplittableRandom random = new SplittableRandom(seed);
    int[] picked = IntStream.of(shuffled(base.count(), random)).limit(count).toArray();
    int[] labels =
        IntStream.of(picked)
            .map(row -> (base.label(row) + 1 + random.nextInt(classes - 1)) % classes)
            .toArray();
    return new KnownRows(
        base.columns(), IntStream.of(picked).mapToObj(base::row).toArray(float[][]::new), labels);
  }

  /**
   * Rows along what momentum carries on: the gradient of a row −v(y) under label y points, in
   * column y, as v does, so that it is taken along by every step that follows and by the free one
   * at the end.
   *
   * @param momentum v of a run on rows like these, {@code [columns, logits]}, row-major
   * @throws IllegalArgumentException if it has another shape: a feature map that changes a row's
   *     width leaves no way back from v to a row
   */
  public static KnownRows amplified(
      KnownRows base, int classes, int count, long seed, double[] momentum) {
    int columns = base.columns();
    if (count < 1 || momentum.length != (long) columns * classes) {
      throw new IllegalArgumentException(
          "canaries of kind amplified need a model with a weight for every feature of a row and every"
              + " class");
    }
    SplittableRandom random = new SplittableRandom(seed);
    float[][] values = new float[count][columns];
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      int label = i % classes;
      double[] direction = new double[columns];
      double[] own = new double[columns];
      for (int j = 0; j < columns; j++) {
        direction[j] = -momentum[j * classes + label];
        own[j] = random.nextGaussian();
      }
      double along = ALONG / norm(direction);
      double apart = Math.sqrt(1 - ALONG * ALONG) / norm(own);
      for (int j = 0; j < columns; j++) {
        values[i][j] = (float) (base.greatest() * (along * direction[j] + apart * own[j]));
      }
      labels[i] = label;
    }
    return new KnownRows(columns, values, labels);
  }

  private static double norm(double[] vector) {
    double norm = EuclideanNorm.of(vector);
    return norm == 0 ? 1 : norm;
  }

  private static int[] shuffled(int count, SplittableRandom random) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
