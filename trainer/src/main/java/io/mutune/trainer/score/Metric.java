package io.mutune.trainer.score;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.List;

/** By what models are compared; in [0, 1], but for noise. */
public enum Metric {
  /** The share of rows that are right; of real targets the closeness of {@link PublicAccuracy}. */
  ACCURACY("accuracy") {
    @Override
    public double of(LinearModel model, PublicRows rows) throws UnsuitableRowsException {
      return PublicAccuracy.of(model, rows);
    }

    @Override
    public NoisyScore noisy(NoiseMultiplier sigma, Adjacency adjacency, long publicRows) {
      return new NoisyCorrectCount(sigma, publicRows);
    }

    @Override
    double sensitivity(Adjacency adjacency) {
      return 1;
    }
  },
  /** The mean over the classes of the share of a class's rows that are right. */
  BALANCED_ACCURACY("balanced-accuracy") {
    @Override
    public double of(LinearModel model, PublicRows rows) throws UnsuitableRowsException {
      return ClassCounts.balancedAccuracy(ClassCounts.of(model, rows.blocks()), 0);
    }

    @Override
    public NoisyScore noisy(NoiseMultiplier sigma, Adjacency adjacency, long publicRows) {
      return new NoisyClassCounts(sigma, adjacency);
    }

    @Override
    double sensitivity(Adjacency adjacency) {
      return NoisyClassCounts.sensitivity(adjacency);
    }
  };

  private final String key;

  Metric(String key) {
    this.key = key;
  }

  /** In sweeps and documents. */
  public String key() {
    return key;
  }

  /** All of them; the first is the usual one. */
  public static List<String> keys() {
    return Arrays.stream(values()).map(Metric::key).toList();
  }

  /**
   * The metric of that key.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Metric ofKey(String key) {
    return Arrays.stream(values())
        .filter(metric -> metric.key.equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no metric " + key));
  }

  /**
   * Exactly, on public rows: costs nothing.
   *
   * @throws UnsuitableRowsException if the rows have another number of features than the model
   */
  public abstract double of(LinearModel model, PublicRows rows) throws UnsuitableRowsException;

  /**
   * On private rows.
   *
   * @param sigma σ, in units of privacy
   * @param publicRows the public number of units
   */
  public abstract NoisyScore noisy(NoiseMultiplier sigma, Adjacency adjacency, long publicRows);

  /** How far neighbours' vectors of counts are apart at most, in L2. */
  abstract double sensitivity(Adjacency adjacency);

  /** What a score of this cost is charged as; the noise is the least that keeps it. */
  public Gaussian mechanism(Mu mu, Adjacency adjacency) {
    return noisy(Calibration.noise(mu, sensitivity(adjacency), 1), adjacency, 1).mechanism();
  }
}
