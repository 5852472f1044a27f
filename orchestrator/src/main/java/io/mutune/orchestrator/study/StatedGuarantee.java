package io.mutune.orchestrator.study;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.MixtureAudit;
import io.mutune.orchestrator.store.LedgerHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a statement says of a study, to be held against its ledger.
 *
 * @param mu empty where a charge has none
 * @param accountant by which ε was found
 * @param adjacency its key
 * @param ledger where the ledger stood; empty in older statements
 */
public record StatedGuarantee(
    double epsilon,
    double delta,
    OptionalDouble mu,
    Accountant accountant,
    String adjacency,
    List<Charge> charges,
    Optional<LedgerHead> ledger) {
  public StatedGuarantee {
    charges = List.copyOf(charges);
  }

  /** What it says otherwise than the charges do; each one sentence. */
  List<String> problems(Spending spending) {
    Budget budget = spending.budget();
    List<String> problems = new ArrayList<>();
    if (!charges.equals(spending.charges())) {
      problems.add(
          "the statement lists other charges than the ledger: "
              + charges.size()
              + " and "
              + spending.charges().size());
    }
    if (delta != budget.delta().value()) {
      problems.add("the statement says delta " + delta + ", the budget " + budget.delta().value());
    }
    if (!adjacency.equals(budget.adjacency().key())) {
      problems.add("the statement is for " + adjacency + ", not " + budget.adjacency().key());
    }
    try {
      problems.addAll(totalProblems(budget, spending.charges(), spending.inMu().isPresent()));
    } catch (IllegalArgumentException e) {
      problems.add("the statement says epsilon " + epsilon + " and mu " + mu);
    }
    return problems;
  }

  /**
   * What it says otherwise of what these charges cost together.
   *
   * @throws IllegalArgumentException if its figures are none
   */
  public List<String> totalProblems(Budget budget, List<Charge> made, boolean inMu) {
    Epsilon total = Epsilon.of(epsilon);
    if (inMu && accountant == Accountant.GDP) {
      return Audit.check(budget, made, total, Mu.of(mu.orElse(Double.NaN))).problems();
    }
    List<String> problems =
        new ArrayList<>(MixtureAudit.check(budget, made, total, accountant).problems());
    // Nothing above holds a mu against the charges, and no statement has one beside such an
    // epsilon.
    mu.ifPresent(
        value ->
            problems.add(
                "the statement says mu %s beside an epsilon by %s"
                    .formatted(value, accountant.key())));
    return problems;
  }
}
