package io.mutune.accountant.pld;

import java.util.List;

/** Composes measures on one grid within a {@link Window}. */
final class Convolution {
  private static final double ULP = 0x1p-52;

  /** Weights are computed afresh after so many products. */
  private static final int RUN = 64;

  private Convolution() {}

  /** One measure, {@code count} times. */
  record Power(LossMeasure measure, long count) {}

  /** The sum of all losses, with every error of the way to it bounded. */
  static TiltedSum of(List<Power> powers, Window window, RealTransform transform) {
    Spectrum spectrum = new Spectrum(transform);
    double logScale = 0;
    double relative = 0;
    double finite = 0;
    double logBeyond = 0;
    double logBefore = 0;
    for (Power power : powers) {
      LossMeasure measure = power.measure();
      double[] vector = new double[window.size()];
      double logMoment = tilt(measure, window, vector);
      logScale += power.count() * logMoment;
      double range = Math.max(Math.abs(measure.first()), Math.abs(measure.last()));
      relative +=
          power.count()
              * ULP
              * (2 * RUN + 4 * window.tilt() * range * window.spacing() + Math.abs(logMoment) + 8);
      finite += power.count() * Math.log1p(-measure.infinite());
      logBeyond += power.count() * measure.logMoment(window.beyond());
      logBefore += power.count() * measure.logMoment(window.before());
      spectrum.multiply(vector, power.count());
    }
    double[] cyclic = spectrum.invert();
    double error = spectrum.error(cyclic);
    double above =
        highest(powers) <= window.first() + window.size() - 1
            ? 0
            : Math.exp(logBeyond - window.beyond() * window.highest() + 2 * relative);
    double[] masses = new double[window.size()];
    int start = Math.floorMod(window.first(), window.size());
    System.arraycopy(cyclic, start, masses, 0, window.size() - start);
    System.arraycopy(cyclic, 0, masses, window.size() - start, start);
    // What is below the window comes in again at its upper end, where it weighs less.
    double below =
        lowest(powers) >= window.first()
            ? Double.NEGATIVE_INFINITY
            : logBefore - window.before() * window.lowest() + window.tilt() * window.lowest();
    return new TiltedSum(
        window.spacing(),
        window.first(),
        masses,
        window.tilt(),
        logScale,
        error,
        relative,
        Math.max(0, -Math.expm1(finite)) * (1 + 8 * ULP),
        Math.min(1, above),
        Math.exp(Math.min(0, below - logScale + 2 * relative)));
  }

  private static double highest(List<Power> powers) {
    return powers.stream().mapToDouble(p -> (double) p.measure().last() * p.count()).sum();
  }

  private static double lowest(List<Power> powers) {
    return powers.stream().mapToDouble(p -> (double) p.measure().first() * p.count()).sum();
  }

  /** Adds mass·e^(λ·loss)/M at every loss's place modulo the window, and returns ln M. */
  private static double tilt(LossMeasure measure, Window window, double[] vector) {
    double[] masses = measure.masses();
    double lambda = window.tilt();
    double shrink = Math.exp(-lambda * window.spacing());
    int last = masses.length - 1;
    double[] weighted = new double[masses.length];
    double sum = 0;
    double weight = 1;
    for (int i = last; i >= 0; i--) {
      int run = last - i;
      weight = run % RUN == 0 ? Math.exp(-lambda * run * window.spacing()) : weight * shrink;
      weighted[i] = masses[i] * weight;
      sum += weighted[i];
    }
    for (int i = 0; i <= last; i++) {
      vector[Math.floorMod(measure.first() + i, vector.length)] += weighted[i] / sum;
    }
    return Math.log(sum) + lambda * measure.last() * window.spacing();
  }
}
