package io.mutune.accountant.mechanism;

import java.util.List;
import java.util.Map;
import org.apache.commons.math3.analysis.solvers.BrentSolver;

/**
 * K ≥ 1 from the truncated negative binomial law (Papernot and Steinke 2022, Definition 1): the
 * logarithmic law for shape 0, the geometric for shape 1, and closer to Poisson's the larger the
 * shape.
 *
 * @param shape η, finite and above −1
 * @param gamma γ, above 0 and below 1; the smaller, the more runs
 */
public record TruncatedNegativeBinomial(double shape, double gamma) implements TrialCount {
  static final LedgerForm<TruncatedNegativeBinomial> FORM =
      new LedgerForm<>(
          "truncated-negative-binomial",
          List.of("shape", "gamma"),
          read -> new TruncatedNegativeBinomial(read.number("shape"), read.number("gamma")));

  /** ln(1/γ) for the smallest normal γ. */
  private static final double MOST_LOG = -Math.log(Double.MIN_NORMAL);

  /** ln(1/γ) of the greatest γ below 1 but one. */
  private static final double LEAST_LOG = 0x1p-52;

  public TruncatedNegativeBinomial {
    if (!(shape > -1) || Double.isInfinite(shape)) {
      throw new IllegalArgumentException("shape must be finite and above -1; was " + shape);
    }
    if (!(gamma > 0 && gamma < 1)) {
      throw new IllegalArgumentException("gamma must be above 0 and below 1; was " + gamma);
    }
  }

  /**
   * The law of this shape whose mean is nearest to {@code mean}.
   *
   * @param mean E[K], finite and above 1
   * @throws IllegalArgumentException if no γ that is a normal double and at most 1 − 2^−52 has it
   */
  public static TruncatedNegativeBinomial ofMean(double shape, double mean) {
    if (!(mean > 1) || Double.isInfinite(mean)) {
      throw new IllegalArgumentException("mean must be finite and above 1; was " + mean);
    }
    double most = new TruncatedNegativeBinomial(shape, Double.MIN_NORMAL).mean();
    if (!(mean < most)) {
      throw new IllegalArgumentException(
          "the law of shape %s has means below %s; was %s".formatted(shape, most, mean));
    }
    double least = mean(shape, LEAST_LOG);
    if (mean < least) {
      throw new IllegalArgumentException(
          "the law of shape %s has means from %s; was %s".formatted(shape, least, mean));
    }
    // The mean is 1 + (1 + η)/2·x for small x = ln(1/γ) and grows with x.
    double x =
        new BrentSolver(1e-15, 1e-18)
            .solve(1000, t -> Math.log(mean(shape, t) / mean), LEAST_LOG, MOST_LOG);
    return new TruncatedNegativeBinomial(shape, Math.exp(-x));
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(shape, gamma);
  }

  /** η(1 − γ)/(γ(1 − γ^η)), and (1/γ − 1)/ln(1/γ) for η = 0. */
  @Override
  public double mean() {
    return mean(shape, -Math.log(gamma));
  }

  private static double mean(double shape, double x) {
    double runs = shape * x;
    // (1 − exp(−ηx))/η, which is x at η = 0.
    double divisor = Math.abs(runs) < 0x1p-60 ? x : -Math.expm1(-runs) / shape;
    return Math.expm1(x) / divisor;
  }
}
