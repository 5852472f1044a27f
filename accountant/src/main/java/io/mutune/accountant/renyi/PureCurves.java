package io.mutune.accountant.renyi;

/** The exact curves of mechanisms whose privacy loss is bounded by ε. */
final class PureCurves {
  /** Where exponents are larger, logarithms are taken before sums; below, remainders are. */
  private static final double FORMS_MEET = 1;

  private PureCurves() {}

  /**
   * The worst ε-DP mechanism, randomised response: e^((α−1)D) = (e^(αε) + e^((1−α)ε))/(1 + e^ε)
   * (Mironov 2017, Proposition 5). The rest after 1 is a product, which cannot cancel.
   */
  static double pure(double epsilon, double order) {
    double excess = order - 1;
    double log =
        excess * epsilon > FORMS_MEET
            ? excess * epsilon
                - Math.log1p(Math.exp(-epsilon))
                + Math.log1p(Math.exp(-(2 * order - 1) * epsilon))
            : Math.log1p(
                Math.expm1(excess * epsilon)
                    * -Math.expm1(-order * epsilon)
                    / (1 + Math.exp(-epsilon)));
    return Math.min(epsilon, Rounding.upAboveZero(log / excess));
  }

  /**
   * Laplace noise of scale b and sensitivity 1, ε = 1/b: e^((α−1)D) = (α·e^((α−1)ε) +
   * (α−1)·e^(−αε))/(2α − 1) (Mironov 2017, Table II). The terms of first order cancel, so they are
   * left out.
   */
  static double laplace(double epsilon, double order) {
    double excess = order - 1;
    double weight = 2 * order - 1;
    double log;
    if (excess * epsilon > FORMS_MEET) {
      log =
          excess * epsilon
              + Math.log(order / weight)
              + Math.log1p(excess / order * Math.exp(-weight * epsilon));
    } else {
      double rest =
          order / weight * Exponentials.expm1MinusX(excess * epsilon)
              + excess / weight * Exponentials.expm1MinusX(-order * epsilon);
      log = Math.log1p(rest);
    }
    return Math.min(epsilon, Rounding.upAboveZero(log / excess));
  }

  /**
   * The worst mechanism of bounded range ε: its loss is t or t − ε, and the t that is worst for
   * this order has a closed form (Dong, Durfee and Rogers 2020). Near order 1 and for small ε,
   * where that cancels, the bound α·ε²/8 is as good (Cesar and Rogers 2021).
   */
  static double boundedRange(double epsilon, double order) {
    double excess = order - 1;
    double concentrated = Rounding.upAboveZero(order * epsilon / 8 * epsilon);
    double logOrder = Exponentials.logOneMinusExp(order * epsilon);
    double worst =
        Rounding.sumUp(
            Exponentials.logComplement(order),
            logOrder,
            epsilon,
            -Exponentials.logOneMinusExp(excess * epsilon),
            logOrder / excess,
            -Exponentials.logOneMinusExp(epsilon) / excess,
            -Math.log(order) / excess);
    return Math.min(Math.min(epsilon, concentrated), Math.max(0, worst));
  }
}
