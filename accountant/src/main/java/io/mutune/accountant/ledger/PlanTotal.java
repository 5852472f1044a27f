package io.mutune.accountant.ledger;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What charges of any kind come to together, if they were fixed before the first access: the least
 * bound of all accountants.
 *
 * @param epsilon at the budget's δ, rounded up
 * @param accountant whose bound it is
 */
public record PlanTotal(Epsilon epsilon, Accountant accountant) {
  private static final String COUNT = "count";

  /**
   * The total of these charges.
   *
   * @throws PlanExceededException if no accountant knows a finite ε
   */
  public static PlanTotal of(Budget budget, Collection<Charge> charges) {
    Releases releases = releases(budget, charges);
    AccountantComparison all = AccountantComparison.of(releases, new EpsilonAt(budget.delta()));
    Accountant tightest =
        all.tightest()
            .orElseThrow(
                () ->
                    new PlanExceededException(
                        "no accountant knows an epsilon of the charges at delta "
                            + budget.delta().value()));
    Bound bound = all.guarantee();
    return new PlanTotal(Epsilon.of(bound.upper()), tightest);
  }

  /** Whether some accountant knows these charges to keep the budget. */
  public static boolean keeps(Budget budget, Collection<Charge> charges) {
    return CombinedGuarantee.GUARANTEE.keeps(
        releases(budget, charges), budget.epsilon(), budget.delta());
  }

  /** Whether a total in μ says all there is to say of these charges. */
  public static boolean isInMu(Collection<Charge> charges) {
    return charges.stream().allMatch(charge -> charge.mechanism().mu().isPresent());
  }

  /**
   * The total of charges that are fixed beforehand, where it is not that of their μ: where one has
   * none, where all are ε-DP and another accountant knows less of them than their μ says, and where
   * some are not Gaussian, so that their μ is only a bound, and it passes the budget.
   */
  static Optional<PlanTotal> beyondMu(Budget budget, Collection<Charge> charges) {
    if (!isInMu(charges)) {
      return Optional.of(of(budget, charges));
    }
    boolean pure =
        !charges.isEmpty()
            && charges.stream().allMatch(charge -> charge.mechanism() instanceof PureMechanism);
    if (pure) {
      return Optional.of(of(budget, charges)).filter(total -> total.accountant() != Accountant.GDP);
    }
    boolean gaussian = charges.stream().allMatch(charge -> charge.mechanism() instanceof Gaussian);
    boolean passes = Charges.compose(charges).mu().value() > budget.cap().mu().value();
    return gaussian || !passes ? Optional.empty() : Optional.of(of(budget, charges));
  }

  /**
   * The charges as accountants take them: equal mechanisms as one with the sum of their counts, in
   * an order of their own. The order in which charges are made does not matter to a total but does
   * to its last bits, in which a plan and the ledger that follows it must agree.
   */
  public static Releases releases(Budget budget, Collection<Charge> charges) {
    return releases(budget.adjacency(), charges);
  }

  /** The same by the neighbours alone. */
  public static Releases releases(Adjacency adjacency, Collection<Charge> charges) {
    Map<String, List<Mechanism>> groups = new TreeMap<>();
    for (Charge charge : charges) {
      groups
          .computeIfAbsent(key(charge.mechanism()), key -> new ArrayList<>())
          .add(charge.mechanism());
    }
    List<Mechanism> mechanisms = new ArrayList<>();
    groups.values().forEach(group -> mechanisms.addAll(merged(group)));
    return new Releases(mechanisms, adjacency);
  }

  /** What mechanisms have in common that differ in their count at most. */
  private static String key(Mechanism mechanism) {
    Map<String, Number> parameters = new TreeMap<>(mechanism.parameters());
    parameters.remove(COUNT);
    return mechanism.name() + parameters;
  }

  /** One with all counts together; as they are where such a mechanism has none. */
  private static List<Mechanism> merged(List<Mechanism> group) {
    Mechanism first = group.get(0);
    if (group.size() == 1 || !first.parameters().containsKey(COUNT)) {
      return group;
    }
    long count = 0;
    for (Mechanism mechanism : group) {
      count = Math.addExact(count, requireCount(mechanism).longValue());
    }
    Map<String, Number> parameters = new LinkedHashMap<>(first.parameters());
    parameters.put(COUNT, count);
    return List.of(Mechanism.of(first.name(), parameters));
  }

  private static Number requireCount(Mechanism mechanism) {
    return Objects.requireNonNull(mechanism.parameters().get(COUNT));
  }
}
