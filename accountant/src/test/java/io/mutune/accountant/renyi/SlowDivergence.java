package io.mutune.accountant.renyi;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Rényi divergences by their definition, slowly: Simpson's rule on densities that are written down
 * here, and sums over finite outcomes. Shares no line with the curves that it checks.
 *
 * <p>∫ p^α q^(1−α) − 1 is summed as ∫ q·(r^α − 1 − α(r − 1)) with r = p/q, in which nothing is
 * negative; good to about 1e-10 relatively for divergences above 1e-7.
 */
final class SlowDivergence {
  /** An even number of panels between two kinks. */
  private static final int PANELS = 6000;

  private static final double LOG_SQRT_2_PI = Math.log(2 * Math.PI) / 2;

  private SlowDivergence() {}

  /** Of the density with logarithm {@code logP} from that of {@code logQ}; smooth between kinks. */
  static double of(
      DoubleUnaryOperator logP, DoubleUnaryOperator logQ, double order, double... kinks) {
    double[] ends = kinks.clone();
    Arrays.sort(ends);
    // The largest exponent is taken out, so that no term overflows.
    double highest = 0;
    for (int k = 0; k + 1 < ends.length; k++) {
      for (int i = 0; i <= 200; i++) {
        double x = ends[k] + (ends[k + 1] - ends[k]) * i / 200;
        double p = logP.applyAsDouble(x);
        double q = logQ.applyAsDouble(x);
        highest = Math.max(highest, order * p + (1 - order) * q);
      }
    }
    double sum = 0;
    for (int k = 0; k + 1 < ends.length; k++) {
      double step = (ends[k + 1] - ends[k]) / PANELS;
      double panel = 0;
      for (int i = 0; i <= PANELS; i++) {
        double weight = i == 0 || i == PANELS ? 1 : i % 2 == 1 ? 4 : 2;
        double x = ends[k] + i * step;
        panel += weight * term(logP.applyAsDouble(x), logQ.applyAsDouble(x), order, highest);
      }
      sum += panel * step / 3;
    }
    // ln(1 + e^highest·sum)
    double log =
        highest > 600
            ? highest + Math.log(sum + Math.exp(-highest))
            : Math.log1p(Math.exp(highest) * sum);
    return log / (order - 1);
  }

  /** q·(r^α − 1 − α(r − 1))/e^highest. */
  private static double term(double logP, double logQ, double order, double highest) {
    double loss = logP - logQ;
    double direct = Math.exp(order * logP + (1 - order) * logQ - highest);
    if (Math.abs(order * loss) > 0.01) {
      return direct - Math.exp(logQ - highest) * (1 - order) - order * Math.exp(logP - highest);
    }
    double first = Math.expm1(order * loss) - order * Math.expm1(loss);
    double series =
        order
            * (order - 1)
            * loss
            * loss
            / 2
            * (1 + (order + 1) * loss / 3 + ((order * order) + order + 1) * loss * loss / 12);
    // Third and fourth powers are enough where the loss is that small; its fifth is below 1e-10.
    double rest = Math.abs(order * loss) < 1e-3 ? series : first;
    return Math.exp(logQ - highest) * rest;
  }

  /** Of a finite distribution from another, both summing to 1. */
  static double of(double[] p, double[] q, double order) {
    double highest = Double.NEGATIVE_INFINITY;
    double[] logs = new double[p.length];
    for (int i = 0; i < p.length; i++) {
      logs[i] = order * Math.log(p[i]) + (1 - order) * Math.log(q[i]);
      highest = Math.max(highest, logs[i]);
    }
    double sum = 0;
    for (double log : logs) {
      sum += Math.exp(log - highest);
    }
    return (highest + Math.log(sum)) / (order - 1);
  }

  /** The larger of both ways round. */
  static double symmetric(
      DoubleUnaryOperator logP, DoubleUnaryOperator logQ, double order, double... kinks) {
    return Math.max(of(logP, logQ, order, kinks), of(logQ, logP, order, kinks));
  }

  static DoubleUnaryOperator normal(double mean, double sigma) {
    return x -> {
      double z = (x - mean) / sigma;
      return -z * z / 2 - LOG_SQRT_2_PI - Math.log(sigma);
    };
  }

  static DoubleUnaryOperator laplace(double mean, double scale) {
    return x -> -Math.abs(x - mean) / scale - Math.log(2 * scale);
  }

  /** (1 − q)·first + q·second. */
  static DoubleUnaryOperator mixture(
      double rate, DoubleUnaryOperator first, DoubleUnaryOperator second) {
    return x -> {
      double a = Math.log1p(-rate) + first.applyAsDouble(x);
      double b = Math.log(rate) + second.applyAsDouble(x);
      double high = Math.max(a, b);
      return high + Math.log(Math.exp(a - high) + Math.exp(b - high));
    };
  }

  /** DP-SGD's pair for a sensitivity of 1. */
  static double sampledGaussian(double sigma, double rate, double order) {
    DoubleUnaryOperator without = normal(0, sigma);
    DoubleUnaryOperator with = mixture(rate, without, normal(1, sigma));
    double far = 14 * sigma;
    return symmetric(with, without, order, -far - order, 0, order + far);
  }

  static double sampledLaplace(double epsilon, double rate, double order) {
    DoubleUnaryOperator without = laplace(0, 1 / epsilon);
    DoubleUnaryOperator with = mixture(rate, without, laplace(1, 1 / epsilon));
    double far = 60 / epsilon;
    return symmetric(with, without, order, -far, 0, 1, 1 + far);
  }
}
