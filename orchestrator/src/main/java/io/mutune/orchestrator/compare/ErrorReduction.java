package io.mutune.orchestrator.compare;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Relative error reduction (linear scaling, section 5): (ours − random)/(oracle − random) of mean
 * accuracies. The interval is the bootstrap's, by percentiles: repeats are drawn anew for each of
 * the three.
 *
 * @param seed of the public generator that draws
 */
record ErrorReduction(Sample random, Sample oracle, long seed) {
  private static final int RESAMPLES = 10_000;
  private static final double TAIL = 0.025;

  /** Empty if the oracle is no better than random search: there is no error to be reduced then. */
  Optional<Interval95> of(Sample ours) {
    Optional<Double> value = ratio(ours.mean(), random.mean(), oracle.mean());
    if (value.isEmpty()) {
      return Optional.empty();
    }
    SplittableRandom draws = new SplittableRandom(seed);
    double[] ratios = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      // A resample whose oracle is no better says that nothing is known: it stands at an end.
      ratios[i] =
          ratio(mean(ours, draws), mean(random, draws), mean(oracle, draws))
              .orElse(i % 2 == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    Arrays.sort(ratios);
    int cut = (int) (TAIL * RESAMPLES);
    return Optional.of(new Interval95(value.get(), ratios[cut], ratios[RESAMPLES - 1 - cut]));
  }

  private static Optional<Double> ratio(double ours, double random, double oracle) {
    return oracle > random ? Optional.of((ours - random) / (oracle - random)) : Optional.empty();
  }

  private static double mean(Sample sample, SplittableRandom draws) {
    double sum = 0;
    int size = sample.values().size();
    for (int i = 0; i < size; i++) {
      sum += sample.values().get(draws.nextInt(size));
    }
    return sum / size;
  }
}
