package io.mutune.orchestrator.metrics;

import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.report.StatusDocument;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.study.Spending;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Where everything stands at one moment, as metrics show it.
 *
 * @param accounts what has been spent and is left
 * @param studies how many there are, by the state's name
 * @param trials how many there are, by the state's name, of the studies that have not ended
 * @param waiting how many studies wait to be run
 */
public record Standing(
    List<Account> accounts, Map<String, Long> studies, Map<String, Long> trials, long waiting) {
  public Standing {
    accounts = List.copyOf(accounts);
    studies = Map.copyOf(studies);
    trials = Map.copyOf(trials);
  }

  /**
   * A budget and how it stands; what has no μ has none here.
   *
   * @param name public
   */
  public record Account(
      String name,
      OptionalDouble muSpent,
      OptionalDouble muLeft,
      OptionalDouble epsilonSpent,
      OptionalDouble epsilonLeft) {
    /** The budget of one study. */
    public static Account of(String name, Spending spending) {
      Optional<Balance> inMu = spending.inMu();
      return new Account(
          name,
          first(inMu.map(balance -> balance.spent().mu().value())),
          first(inMu.map(balance -> balance.left().mu().value())),
          OptionalDouble.of(spending.epsilonSpent().value()),
          first(inMu.map(balance -> balance.epsilonLeft().value())));
    }

    private static OptionalDouble first(Optional<Double> value) {
      return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }
  }

  /** One study alone, by its sweep's name. */
  public static Standing ofOne(StatusDocument study) {
    String state = study.study().record().state().name().toLowerCase(Locale.ROOT);
    return new Standing(
        List.of(Account.of(study.study().record().name(), study.spending())),
        Map.of(state, 1L),
        trials(List.of(study)),
        0);
  }

  /** How many trials stand where; every state is there, if with none. */
  public static Map<String, Long> trials(List<StatusDocument> studies) {
    Map<TrialState, Long> counts = new EnumMap<>(TrialState.class);
    for (TrialState state : TrialState.values()) {
      counts.put(state, 0L);
    }
    for (StatusDocument study : studies) {
      List<StatusDocument.Run> trials = new ArrayList<>(study.runs());
      trials.remove(trials.size() - 1); // the final run
      trials.forEach(trial -> counts.merge(trial.record().state(), 1L, Long::sum));
    }
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((state, count) -> named.put(state.name().toLowerCase(Locale.ROOT), count));
    return named;
  }
}
