package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.BudgetExceededException;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.accountant.ledger.PlanFilter;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store keeps of charges. */
interface LedgerContract extends StoreHarness {
  @Test
  default void charges_comeBackInTheOrderOfTheirReservation() {
    for (String what : List.of("trial 2", "score 2", "trial 1", "final")) {
      store().reserve(ID, FILTER, StoreHarness.charge(what, 1000));
    }
    try (StudyStore other = open()) {
      assertThat(other.charges(ID))
          .extracting(c -> c.charge().what())
          .containsExactly("trial 2", "score 2", "trial 1", "final");
      assertThat(other.charges(ID)).extracting(StoredCharge::sequence).isSorted();
    }
  }

  @Test
  default void aReservedCharge_isThereForAnotherConnectionAtOnce() {
    StoredCharge reserved = store().reserve(ID, FILTER, StoreHarness.charge("trial 1", 1000 / 3.0));
    try (StudyStore other = open()) {
      StoredCharge read = other.charge(ID, "trial 1").orElseThrow();
      assertThat(read.charge()).isEqualTo(reserved.charge());
      assertThat(read.sequence()).isEqualTo(reserved.sequence());
      assertThat(read.reserved()).isEqualTo(reserved.reserved());
      assertThat(other.charge(ID, "trial 2")).isEmpty();
    }
  }

  @Test
  default void chargesOfAnotherStudy_neitherShowNorCount() {
    store().create(record("ffffffff"), 0, AccountClaim.NONE);
    store().reserve("ffffffff", FILTER, StoreHarness.charge("trial 1", 12));
    store().reserve(ID, FILTER, StoreHarness.charge("trial 1", 12));
    assertThat(store().charges(ID)).hasSize(1);
  }

  @Test
  default void reserve_overBudget_isRefusedAndWritesNothing() {
    store().reserve(ID, FILTER, StoreHarness.charge("trial 1", 15)); // μ = 0.211
    assertThatThrownBy(() -> store().reserve(ID, FILTER, StoreHarness.charge("trial 2", 15)))
        .isInstanceOf(BudgetExceededException.class);
    try (StudyStore other = open()) {
      assertThat(other.charges(ID)).extracting(c -> c.charge().what()).containsExactly("trial 1");
    }
    store().reserve(ID, FILTER, StoreHarness.charge("trial 2", 1000));
    assertThat(store().charges(ID)).hasSize(2);
  }

  @Test
  default void reserve_underANameThatIsTaken_fails() {
    store().reserve(ID, FILTER, StoreHarness.charge("trial 1", 1000));
    for (double sigma : new double[] {1000, 2000}) {
      assertThatThrownBy(() -> store().reserve(ID, FILTER, StoreHarness.charge("trial 1", sigma)))
          .isInstanceOf(StoreException.class);
    }
    assertThat(store().charges(ID)).hasSize(1);
  }

  /** Times between them would tell how long the secret runs took, and so how many there were. */
  @Test
  default void whatIsChargedAfterSecretRuns_hasTheTimeOfTheirCharge() {
    Charge mean = StoreHarness.charge("mean", 1000);
    Charge runs =
        new Charge(
            "runs",
            new RepeatAndSelect(
                new Gaussian(NoiseMultiplier.of(1000), 1, 1), new PoissonTrials(5)));
    Charge last = StoreHarness.charge("final", 1000);
    Charge test = StoreHarness.charge("test", 1000);
    ChargeFilter plan = new PlanFilter(BUDGET, List.of(mean, runs, last, test));
    Instant before = store().reserve(ID, plan, mean).reserved();
    Instant secret = store().reserve(ID, plan, runs).reserved();
    store().reserve(ID, plan, last);
    store().reserve(ID, plan, test);
    assertThat(store().charges(ID))
        .extracting(StoredCharge::reserved)
        .containsExactly(before, secret, secret, secret);
    assertThat(before).isNotEqualTo(secret);
    assertThat(store().ledger(ID).problem()).isEmpty();
  }

  @Test
  default void reserve_forAStudyThatIsNotThere_fails() {
    assertThatThrownBy(() -> store().reserve("none", FILTER, StoreHarness.charge("trial 1", 1000)))
        .isInstanceOf(StoreException.class);
    assertThat(store().charges("none")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE charge SET parameters = '{\"sigma\":1e9,\"sensitivity\":1.0,\"count\":1}'",
        "UPDATE charge SET what = 'another'",
        "UPDATE charge SET study = 'another'",
        "DELETE FROM charge",
        "DELETE FROM charge WHERE what = 'trial 1'",
        "DELETE FROM study",
        "DELETE FROM trial",
        "UPDATE study SET definition = 'another'",
        "UPDATE study SET id = 'another'"
      })
  default void whatAChargeRestsOn_cannotBeChangedOrDeleted_evenBehindTheStoresBack(String sql) {
    store().reserve(ID, FILTER, StoreHarness.charge("trial 1", 1000));
    List<Charge> before = store().charges(ID).stream().map(StoredCharge::charge).toList();
    assertThatThrownBy(() -> raw(sql)).isInstanceOf(SQLException.class);
    assertThat(store().charges(ID)).extracting(StoredCharge::charge).isEqualTo(before);
    assertThat(store().study(ID)).contains(record(ID));
  }

  @Test
  default void manyThreads_togetherNeverPassTheBudget() throws Exception {
    // 0.05² goes 28 times into 0.268²; 80 are asked for at once.
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Callable<Boolean>> asking = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      int number = thread;
      for (int i = 0; i < 10; i++) {
        String what = "thread " + thread + " asks " + i;
        asking.add(
            () -> {
              try (StudyStore own = open()) {
                (number % 2 == 0 ? own : store())
                    .reserve(
                        ID, FILTER, new Charge(what, new Gaussian(NoiseMultiplier.of(20), 1, 1)));
                return true;
              } catch (BudgetExceededException e) {
                return false;
              }
            });
      }
    }
    int admitted = 0;
    for (Future<Boolean> answer :
        threads.invokeAll(asking.stream().map(StoreHarness::patient).toList())) {
      admitted += answer.get() ? 1 : 0;
    }
    threads.shutdown();
    List<Charge> charges = store().charges(ID).stream().map(StoredCharge::charge).toList();
    assertThat(charges).hasSize(admitted).hasSize(28);
    assertThat(Balance.of(BUDGET, charges).spent().mu().value())
        .isLessThanOrEqualTo(BUDGET.cap().mu().value());
  }
}
