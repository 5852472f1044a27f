package io.mutune.accountant.ledger;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.AccountingMethod;
import io.mutune.accountant.compare.Answer;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Gaussian;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a stated ε of charges of any kind against every route there is: what the stated way gives
 * again, the interval of each other accountant, the Gaussian charges alone by {@link Audit}'s
 * integration, which no mixture can be below, and each selection alone in its {@link WorstOrder}.
 *
 * <p>For a mixture there is no second exact route. What is stated must be what its way gives, and
 * at least every lower end of another one; a route that only knows an upper end is reported.
 */
public final class MixtureAudit {
  /** The Gaussian charges alone. */
  static final String GAUSSIANS = "gaussian charges by integration";

  /** A selection alone. */
  static final String SELECTION = "a selection in a bad order by closed forms";

  /**
   * How far a stated ε may be from what its way gives again, relatively: more than the grid of
   * another version of the losses' distributions would move it.
   */
  private static final double TOLERANCE = 1e-4;

  /** The integration's accuracy, and what rounding may add to a lower end. */
  private static final double ROUNDING = 1e-8;

  private MixtureAudit() {}

  /**
   * A way by which the charges were recomputed, and between which ε it puts them.
   *
   * @param name an accountant's key, or what else it is
   */
  public record Route(String name, double lower, double upper) {}

  /**
   * How the charges compare with what is stated.
   *
   * @param problems sentences that name the numbers; none if and only if it agrees
   * @param routes that had an answer, the stated one among them if it had
   */
  public record Finding(List<String> problems, List<Route> routes) {
    public Finding {
      problems = List.copyOf(problems);
      routes = List.copyOf(routes);
    }

    /** The largest lower end of all routes. */
    public double lower() {
      return routes.stream().mapToDouble(Route::lower).max().orElse(0);
    }
  }

  /**
   * Compares a stated ε with the charges and with the budget.
   *
   * @param statedBy the way by which it was found
   */
  public static Finding check(
      Budget budget, List<Charge> charges, Epsilon stated, AccountingMethod statedBy) {
    Releases releases =
        new Releases(charges.stream().map(Charge::mechanism).toList(), budget.adjacency());
    AccountantComparison comparison =
        AccountantComparison.of(releases, new EpsilonAt(budget.delta()));
    List<String> problems = new ArrayList<>();
    List<Route> routes = new ArrayList<>();
    gaussians(budget, releases).ifPresent(routes::add);
    selection(budget, releases).ifPresent(routes::add);
    for (Map.Entry<Accountant, Answer> entry : comparison.answers().entrySet()) {
      if (entry.getValue() instanceof Bound bound) {
        routes.add(new Route(entry.getKey().key(), bound.lower(), bound.upper()));
      }
    }
    checkAgain(comparison, stated.value(), statedBy, problems);
    for (Route route : routes) {
      if (stated.value() < route.lower() * (1 - ROUNDING) - ROUNDING) {
        problems.add(
            "the stated epsilon %s is below the %s that %s has at least"
                .formatted(stated.value(), route.lower(), route.name()));
      }
    }
    if (stated.value() > budget.epsilon().value()) {
      problems.add(
          "the stated epsilon %s is above the budget's %s"
              .formatted(stated.value(), budget.epsilon().value()));
    }
    return new Finding(problems, routes);
  }

  private static Optional<Route> gaussians(Budget budget, Releases releases) {
    List<Gaussian> gaussians =
        releases.mechanisms().stream().flatMap(m -> Gaussian.ofAllRows(m).stream()).toList();
    if (gaussians.isEmpty()) {
      return Optional.empty();
    }
    double epsilon = Audit.epsilonOf(gaussians, budget.delta());
    double upper = releases.areGaussian() ? epsilon : Double.POSITIVE_INFINITY;
    return Optional.of(new Route(GAUSSIANS, epsilon, upper));
  }

  private static Optional<Route> selection(Budget budget, Releases releases) {
    return releases.mechanisms().stream()
        .flatMap(m -> WorstOrder.of(m, budget.adjacency()).stream())
        .map(order -> order.epsilon(budget.delta()))
        .max(Double::compare)
        .map(epsilon -> new Route(SELECTION, epsilon, Double.POSITIVE_INFINITY));
  }

  private static void checkAgain(
      AccountantComparison comparison,
      double stated,
      AccountingMethod statedBy,
      List<String> problems) {
    Answer again =
        statedBy instanceof Accountant accountant
            ? comparison.answer(accountant)
            : comparison.guarantee();
    if (!(again instanceof Bound bound)) {
      problems.add(
          "the stated epsilon is by %s, which does not apply: %s"
              .formatted(statedBy.key(), ((Answer.NotApplicable) again).reason()));
    } else if (stated < bound.upper() * (1 - TOLERANCE)) {
      problems.add(
          "the stated epsilon %s is below the %s of the charges by %s"
              .formatted(stated, bound.upper(), statedBy.key()));
    } else if (stated > bound.upper() * (1 + TOLERANCE) + ROUNDING) {
      problems.add(
          "the stated epsilon %s is well above the %s of the charges by %s"
              .formatted(stated, bound.upper(), statedBy.key()));
    }
  }
}
