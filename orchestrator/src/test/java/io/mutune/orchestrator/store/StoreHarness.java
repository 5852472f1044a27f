package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/** A store under test, and what its tests need beside it. */
interface StoreHarness {
  String ID = "0a1b2c3d";
  Budget BUDGET = new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE); // μ = 0.268
  ChargeFilter FILTER = new BudgetFilter(BUDGET);

  /** The store that has one study, {@link #ID}, with two trials. */
  StudyStore store();

  /** A store of its own on the same database. */
  StudyStore open();

  /** The folder that the studies leave theirs in. */
  Path home();

  /** Does something to the tables behind the store's back. */
  void raw(String sql) throws SQLException;

  default StudyRecord record(String id) {
    return record(id, home());
  }

  static StudyRecord record(String id, Path home) {
    return new StudyRecord(
        id,
        "study",
        StudyState.PLANNED,
        Instant.parse("2026-01-02T03:04:05.678901234Z"),
        "name: study # “µ”\n",
        new SweepContext(Path.of("/sweeps"), Path.of("/work"), Map.of("DATA", "/data")),
        home.resolve("study-" + id),
        Optional.of(new NoiseLevels(Map.of(0.1, 12.5, 0.3, 1.0 / 3), 0.7)),
        0,
        OptionalDouble.empty(),
        Optional.empty(),
        false);
  }

  static Charge charge(String what, double sigma) {
    return new Charge(what, new Gaussian(NoiseMultiplier.of(sigma), 1, 10));
  }

  /** Charged and started for the first time. */
  default RunRecord started(int number) {
    store().move(ID, number, RunState.CHARGED);
    return store().start(ID, number);
  }

  default void trained(int number) {
    started(number);
    store().move(ID, number, RunState.TRAINED);
  }

  /**
   * Asks again, up to a hundred times, while others hold the store: SQLite lets its writers in in
   * no order, so that on a slow disk some of many wait for longer than a store does.
   */
  static <T> Callable<T> patient(Callable<T> asking) {
    return () -> {
      for (int tries = 1; ; tries++) {
        try {
          return asking.call();
        } catch (StoreException e) {
          if (tries == 100 || !e.getMessage().contains("is locked by another process")) {
            throw e;
          }
        }
      }
    };
  }

  static Iterate iterate(int asked) {
    return new Iterate(asked, new double[] {asked, 1}, new double[] {2, 3});
  }
}
