package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.sweep.Declaration;
import io.mutune.orchestrator.sweep.NameForm;
import io.mutune.trainer.setting.NumberRule;
import java.util.List;
import java.util.Optional;

/** Reads {@code budget}: what everything together may cost, and for which neighbours. */
final class BudgetReader {
  private static final String RELEASES = "releases";
  private static final int MOST_RELEASES = 20;

  private BudgetReader() {}

  /**
   * @param rows the public row count, below whose inverse δ lies; empty if it is not known
   * @param usual the neighbours where the budget names none
   */
  static Optional<Budget> read(YamlSection budget, Optional<Long> rows, Adjacency usual) {
    for (String key : List.of("epsilon", "delta")) {
      budget.require(key, "the guarantee of the whole study is (epsilon, delta)");
    }
    Optional<Double> epsilon = budget.number("epsilon", NumberRule.EPSILON);
    Optional<Double> delta = budget.number("delta", belowOneRow(rows));
    Adjacency adjacency =
        budget.oneOf("adjacency", Adjacency.values(), Adjacency::key).orElse(usual);
    budget.has(RELEASES);
    budget.finish();
    return epsilon.flatMap(e -> delta.map(d -> new Budget(Epsilon.of(e), Delta.of(d), adjacency)));
  }

  /**
   * ε of models beside the final one, each alone.
   *
   * @param whole of everything together, which was read before
   */
  static List<Epsilon> releases(YamlSection budget, Optional<Budget> whole) {
    List<Double> releases = budget.numbers(RELEASES, NumberRule.EPSILON).orElse(List.of());
    if (releases.size() > MOST_RELEASES) {
      budget.broken(RELEASES, "must be at most " + MOST_RELEASES, releases.size());
    }
    for (int i = 0; i < releases.size(); i++) {
      if (i > 0 && releases.get(i) <= releases.get(i - 1)) {
        budget.broken(
            RELEASES,
            "must ascend, each epsilon above the one before",
            releases.get(i) + " after " + releases.get(i - 1));
      }
      if (whole.isPresent() && releases.get(i) >= whole.get().epsilon().value()) {
        budget.broken(
            RELEASES,
            "must be below budget.epsilon, of which the final model takes what is left",
            releases.get(i));
      }
    }
    return releases.stream().map(Epsilon::of).toList();
  }

  /** Of a δ: above it, a mechanism could publish a row outright. */
  static NumberRule belowOneRow(Optional<Long> rows) {
    return rows.map(
            n -> NumberRule.below(1.0 / n, "1/rows (" + PrintedNumber.down(1.0 / n, 2) + ")"))
        .orElse(NumberRule.INSIDE_UNIT);
  }

  /** The account of the private rows, on which nothing is drawn for rows that are open. */
  static Optional<String> account(YamlSection budget, Declaration declared) {
    Optional<String> account = budget.text("account");
    if (account.isPresent() && !NameForm.fits(account.get())) {
      budget.broken(
          "account", "must be small letters, digits and hyphens, 64 at most", account.get());
    }
    if (account.isPresent() && declared.isOpen()) {
      budget.broken(
          "account",
          "must be left out for rows that are declared " + declared.key(),
          account.get());
    }
    return account;
  }
}
