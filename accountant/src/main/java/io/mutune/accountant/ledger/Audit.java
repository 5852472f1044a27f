package io.mutune.accountant.ledger;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.numbers.gamma.Erf;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * Recomputes what a ledger's charges cost by a second route, and compares it with what is stated.
 *
 * <p>μ comes from the mechanisms' parameters with 50 digits, not from their own μ; ε comes from
 * integrating the definition of δ, not from its closed form. Neither is rounded toward privacy:
 * this route checks the guarantee and never is one. Charges that have no μ are audited by {@link
 * MixtureAudit}.
 */
public final class Audit {
  private static final MathContext DIGITS = new MathContext(50);

  /**
   * Takes back what rounding to 50 digits may have added, so that a true bound is never accused.
   */
  private static final BigDecimal LESS_ROUNDING = BigDecimal.ONE.subtract(new BigDecimal("1e-45"));

  /** How far apart the two routes may be, in ε, μ and δ, relative to them. */
  private static final double TOLERANCE = 1e-6;

  /** The same for ε near 0, where its relative error has no bound. */
  private static final double ABSOLUTE_TOLERANCE = 1e-9;

  /** The μ of an ε-DP release has no 50 digits here; what rounding may have added to its square. */
  private static final BigDecimal LESS_OF_PURE = BigDecimal.ONE.subtract(new BigDecimal("1e-12"));

  /** Beyond it e^ε overflows. */
  private static final double LARGEST_EPSILON = 700;

  private Audit() {}

  /**
   * How the charges compare with what is stated.
   *
   * @param problems sentences that name the numbers; none if and only if it agrees
   * @param epsilon recomputed, to nearest
   * @param mu recomputed, to nearest
   */
  public record Finding(List<String> problems, double epsilon, double mu) {
    public Finding {
      problems = List.copyOf(problems);
    }
  }

  /** Compares the stated totals with the charges, and both with the budget. */
  public static Finding check(
      Budget budget, List<Charge> charges, Epsilon statedEpsilon, Mu statedMu) {
    List<String> problems = new ArrayList<>();
    BigDecimal square = BigDecimal.ZERO;
    for (Charge charge : charges) {
      Mechanism mechanism = charge.mechanism();
      Optional<Gaussian> gaussian = Gaussian.ofAllRows(mechanism);
      if (gaussian.isPresent()) {
        square = square.add(squaredMu(gaussian.get()));
      } else if (mechanism instanceof PureMechanism pure
          && pure.epsilon().value() <= LARGEST_EPSILON) {
        square = square.add(squaredMu(pure));
      } else {
        problems.add(
            "'%s' has the mechanism %s, for which this audit knows no mu"
                .formatted(charge.what(), mechanism.name()));
      }
    }
    BigDecimal exactMu = root(square);
    double mu = exactMu.doubleValue();
    double logDelta = Math.log(budget.delta().value());
    double epsilon = epsilon(mu, logDelta);
    checkMu(statedMu.value(), exactMu, problems);
    checkEpsilon(statedEpsilon.value(), epsilon, mu, logDelta, problems);
    checkBudget(budget, statedEpsilon.value(), exactMu, problems);
    return new Finding(problems, epsilon, mu);
  }

  /** The ε of these alone at this δ, to nearest. */
  static double epsilonOf(List<Gaussian> gaussians, Delta delta) {
    BigDecimal square =
        gaussians.stream().map(Audit::squaredMu).reduce(BigDecimal.ZERO, BigDecimal::add);
    return epsilon(root(square).doubleValue(), Math.log(delta.value()));
  }

  private static BigDecimal root(BigDecimal square) {
    return square.sqrt(DIGITS).multiply(LESS_ROUNDING);
  }

  /**
   * Of what a randomised response of this ε shows: the μ at which N(μ, 1) is told from N(0, 1) with
   * both errors 1/(1 + e^ε), found from those errors.
   */
  private static BigDecimal squaredMu(PureMechanism pure) {
    double epsilon = pure.epsilon().value();
    UnivariateFunction excess =
        epsilon < 1
            ? z -> Erf.value(z * Math.sqrt(0.5)) - Math.tanh(epsilon / 2)
            : z ->
                epsilon
                    + Math.log1p(Math.exp(-epsilon))
                    + Math.log(Erfc.value(z * Math.sqrt(0.5)) / 2);
    double high = 2 * epsilon + 1;
    double z = new BrentSolver(1e-15, Double.MIN_VALUE).solve(1000, excess, 0, Math.min(38, high));
    return new BigDecimal(2 * z)
        .pow(2)
        .multiply(BigDecimal.valueOf(pure.count()))
        .multiply(LESS_OF_PURE);
  }

  private static BigDecimal squaredMu(Gaussian gaussian) {
    BigDecimal ratio =
        new BigDecimal(gaussian.sensitivity())
            .divide(new BigDecimal(gaussian.sigma().value()), DIGITS);
    return ratio.pow(2).multiply(BigDecimal.valueOf(gaussian.count()));
  }

  private static double epsilon(double mu, double logDelta) {
    if (mu == 0 || HockeyStickIntegral.logDelta(mu, 0) <= logDelta) {
      return 0;
    }
    double high = mu;
    while (HockeyStickIntegral.logDelta(mu, high) > logDelta) {
      high *= 2;
    }
    return new BrentSolver(1e-10, Double.MIN_VALUE)
        .solve(1000, e -> HockeyStickIntegral.logDelta(mu, e) - logDelta, 0, high);
  }

  private static void checkMu(double stated, BigDecimal exact, List<String> problems) {
    double mu = exact.doubleValue();
    if (new BigDecimal(stated).compareTo(exact) < 0) {
      problems.add("the stated mu %s is below the %s of the charges".formatted(stated, mu));
    } else if (stated > mu * (1 + TOLERANCE)) {
      problems.add("the stated mu %s is well above the %s of the charges".formatted(stated, mu));
    }
  }

  private static void checkEpsilon(
      double stated, double epsilon, double mu, double logDelta, List<String> problems) {
    double logAtStated =
        mu == 0 ? Double.NEGATIVE_INFINITY : HockeyStickIntegral.logDelta(mu, stated);
    if (logAtStated > logDelta + TOLERANCE) {
      problems.add(
          "the stated epsilon %s has a delta of %s, not %s; the charges have epsilon %s"
              .formatted(stated, Math.exp(logAtStated), Math.exp(logDelta), epsilon));
    } else if (stated * (1 - TOLERANCE) - ABSOLUTE_TOLERANCE > epsilon) {
      problems.add(
          "the stated epsilon %s is well above the %s of the charges".formatted(stated, epsilon));
    }
  }

  private static void checkBudget(
      Budget budget, double statedEpsilon, BigDecimal exactMu, List<String> problems) {
    double cap = budget.cap().mu().value();
    if (exactMu.compareTo(new BigDecimal(cap)) > 0) {
      problems.add(
          "the charges have mu %s, above the %s of the budget (epsilon %s, delta %s)"
              .formatted(
                  exactMu.doubleValue(), cap, budget.epsilon().value(), budget.delta().value()));
    }
    if (statedEpsilon > budget.epsilon().value()) {
      problems.add(
          "the stated epsilon %s is above the budget's %s"
              .formatted(statedEpsilon, budget.epsilon().value()));
    }
  }
}
