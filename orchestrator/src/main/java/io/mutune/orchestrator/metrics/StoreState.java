package io.mutune.orchestrator.metrics;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Balance;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Spending;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The state of a store at one moment, as metrics show it.
 *
 * @param accounts with what is spent and left
 * @param studies their number by the state's name
 * @param trials their number by the state's name, of the studies that have not ended
 * @param waiting the number of studies that wait to be run
 */
public record StoreState(
    List<Account> accounts, Map<String, Long> studies, Map<String, Long> trials, long waiting) {
  public StoreState {
    accounts = List.copyOf(accounts);
    studies = Map.copyOf(studies);
    trials = Map.copyOf(trials);
  }

  /**
   * One figure of an account.
   *
   * @param mu empty where a charge has none
   * @param epsilon at the account's δ
   */
  public record Figure(OptionalDouble mu, OptionalDouble epsilon) {
    /** There is no such figure. */
    public static final Figure NONE = new Figure(OptionalDouble.empty(), OptionalDouble.empty());

    private static Figure of(double mu, double epsilon) {
      return new Figure(OptionalDouble.of(mu), OptionalDouble.of(epsilon));
    }
  }

  /**
   * A budget with what is spent and left of it.
   *
   * @param name public
   * @param delta at which each ε is taken
   * @param spent of a data set's account by studies that have ended; rounded up
   * @param reserved by studies that have not; rounded up
   * @param left as the cost of one more study; rounded down
   */
  public record Account(String name, Delta delta, Figure spent, Figure reserved, Figure left) {
    /** Returns the budget of one study, named by its sweep; nothing of it is reserved. */
    static Account of(String name, Spending spending) {
      Optional<Balance> inMu = spending.inMu();
      double epsilon = spending.epsilonSpent().value();
      return new Account(
          name,
          spending.budget().delta(),
          inMu.map(balance -> Figure.of(balance.spent().mu().value(), epsilon))
              .orElse(new Figure(OptionalDouble.empty(), OptionalDouble.of(epsilon))),
          Figure.NONE,
          inMu.map(b -> Figure.of(b.left().mu().value(), b.epsilonLeft().value()))
              .orElse(Figure.NONE));
    }

    /** Returns the account of a data set. */
    public static Account of(StudyStore store, AccountRecord account, Delta delta) {
      AccountStanding now = AccountStanding.of(account, store.accountEntries(account.name()));
      GaussianDp left = now.left().gaussian();
      return new Account(
          account.name(),
          delta,
          cost(now.settled(), delta),
          cost(now.reserved(), delta),
          figure(left.mu(), left.finiteEpsilonAtMost(delta)));
    }

    private static Figure cost(ApproximateGaussianDp cost, Delta delta) {
      return figure(
          cost.mu(),
          cost.hasFiniteEpsilon(delta) ? Optional.of(cost.epsilon(delta)) : Optional.empty());
    }

    private static Figure figure(Mu mu, Optional<Epsilon> epsilon) {
      return new Figure(
          OptionalDouble.of(mu.value()), epsilon.stream().mapToDouble(Epsilon::value).findFirst());
    }
  }

  /** Returns the state of one study, with the account that it draws on, or else its own budget. */
  public static StoreState ofOne(StudyStore store, StatusDocument study) {
    String state = study.study().record().state().key();
    Account account =
        study
            .study()
            .sweep()
            .account()
            .flatMap(store::account)
            .map(found -> Account.of(store, found, study.spending().budget().delta()))
            .orElseGet(() -> Account.of(study.study().record().name(), study.spending()));
    return new StoreState(List.of(account), Map.of(state, 1L), trials(List.of(study)), 0);
  }

  /** Counts trials by state; every state has a number. */
  public static Map<String, Long> trials(List<StatusDocument> studies) {
    Map<RunState, Long> counts = new EnumMap<>(RunState.class);
    for (RunState state : RunState.values()) {
      counts.put(state, 0L);
    }
    for (StatusDocument study : studies) {
      study.runs().stream()
          .limit(study.study().plan().trials().size()) // releases and the final run follow
          .forEach(trial -> counts.merge(trial.record().state(), 1L, Long::sum));
    }
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((state, count) -> named.put(state.key(), count));
    return named;
  }
}
