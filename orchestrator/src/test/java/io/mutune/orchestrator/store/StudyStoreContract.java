package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetExceededException;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.sweep.NoiseLevels;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.trainer.method.Iterate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store keeps, whatever database is beneath it. */
abstract class StudyStoreContract {
  static final String ID = "0a1b2c3d";
  static final Budget BUDGET =
      new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE); // μ = 0.268
  static final ChargeFilter FILTER = new BudgetFilter(BUDGET);
  private static final int FINAL = TrialRecord.FINAL;

  StudyStore store;

  /** A store of its own on the same database. */
  abstract StudyStore open();

  /** The folder that the store is in, and that studies leave theirs in. */
  abstract Path home();

  /** Does something to the tables behind the store's back. */
  abstract void raw(String sql) throws SQLException;

  @BeforeEach
  void openStore() {
    store = open();
    store.create(record(ID), 2);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  StudyRecord record(String id) {
    return new StudyRecord(
        id,
        "study",
        StudyState.RUNNING,
        Instant.parse("2026-01-02T03:04:05.678901234Z"),
        "name: study # “µ”\n",
        new SweepContext(Path.of("/sweeps"), Path.of("/work"), Map.of("DATA", "/data")),
        home().resolve("study-" + id),
        Optional.of(new NoiseLevels(Map.of(0.1, 12.5, 0.3, 1.0 / 3), 0.7)),
        0,
        OptionalDouble.empty());
  }

  static Charge charge(String what, double sigma) {
    return new Charge(what, new Gaussian(NoiseMultiplier.of(sigma), 1, 10));
  }

  /** Charged and started for the first time. */
  private TrialRecord started(int number) {
    store.move(ID, number, TrialState.CHARGED);
    return store.start(ID, number);
  }

  private void trained(int number) {
    started(number);
    store.move(ID, number, TrialState.TRAINED);
  }

  private static Iterate iterate(int asked) {
    return new Iterate(asked, new double[] {asked, 1}, new double[] {2, 3});
  }

  private static double[] awkwardDoubles() {
    Random random = new Random(20);
    double[] values = new double[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.longBitsToDouble(random.nextLong());
    }
    values[0] = -0.0;
    values[1] = Double.MIN_VALUE;
    values[2] = Double.NEGATIVE_INFINITY;
    values[3] = Double.NaN;
    values[4] = 0.1 + 0.2;
    return values;
  }

  @Test
  void aRelease_isBegunBeforeItIsKept_andComesBackBitForBit() {
    assertThat(store.release(ID, "mean")).isEmpty();
    assertThatThrownBy(() -> store.release(ID, "mean", new double[3]))
        .isInstanceOf(StoreException.class);
    store.beginRelease(ID, "mean");
    try (StudyStore other = open()) {
      assertThat(other.release(ID, "mean").orElseThrow().values()).isEmpty();
      double[] vector = awkwardDoubles();
      store.release(ID, "mean", vector);
      assertThat(other.release(ID, "mean").flatMap(StoredRelease::values).orElseThrow())
          .isEqualTo(vector);
    }
  }

  @Test
  void aRelease_isAskedForOnceAndNeverChanged() {
    store.beginRelease(ID, "mean");
    assertThatThrownBy(() -> store.beginRelease(ID, "mean")).isInstanceOf(StoreException.class);
    store.release(ID, "mean", new double[] {1, 2});
    assertThatThrownBy(() -> store.release(ID, "mean", new double[] {1, 3}))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.beginRelease(ID, "mean")).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> raw("UPDATE release SET vector = NULL"))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> raw("DELETE FROM release")).isInstanceOf(SQLException.class);
    assertThat(store.release(ID, "mean").flatMap(StoredRelease::values).orElseThrow())
        .isEqualTo(new double[] {1, 2});
  }

  @Test
  void study_comesBackAsItWasCreated() {
    try (StudyStore other = open()) {
      assertThat(other.study(ID)).contains(record(ID));
    }
    assertThat(store.study("none")).isEmpty();
  }

  @Test
  void studies_areListedOldestFirst() {
    store.create(record("ffffffff"), 0);
    store.create(record("00000000"), 0);
    assertThat(store.studies())
        .extracting(StudyRecord::id)
        .containsExactly(ID, "ffffffff", "00000000");
  }

  @Test
  void study_isCreatedOnce() {
    assertThatThrownBy(() -> store.create(record(ID), 1)).isInstanceOf(StoreException.class);
    assertThat(store.trial(ID, 2).number()).isEqualTo(2);
  }

  @Test
  void aStudyThatCannotBeCreatedWhole_isNotCreated() {
    assertThatThrownBy(() -> store.create(record(ID), 5)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.trial(ID, 5)).isInstanceOf(StoreException.class);
  }

  @Test
  void runs_beginPlannedAndEmpty() {
    for (int number = 0; number <= 2; number++) {
      TrialRecord run = store.trial(ID, number);
      assertThat(run.state()).isEqualTo(TrialState.PLANNED);
      assertThat(run.starts() + run.stepsBegun() + run.stepsLost()).isZero();
      assertThat(run.checkpoint()).isEmpty();
      assertThat(run.score()).isEmpty();
    }
    assertThatThrownBy(() -> store.trial(ID, 3)).isInstanceOf(StoreException.class);
  }

  @Test
  void charges_comeBackInTheOrderOfTheirReservation() {
    for (String what : List.of("trial 2", "score 2", "trial 1", "final")) {
      store.reserve(ID, FILTER, charge(what, 1000));
    }
    try (StudyStore other = open()) {
      assertThat(other.charges(ID))
          .extracting(c -> c.charge().what())
          .containsExactly("trial 2", "score 2", "trial 1", "final");
      assertThat(other.charges(ID)).extracting(StoredCharge::sequence).isSorted();
    }
  }

  @Test
  void aReservedCharge_isThereForAnotherConnectionAtOnce() {
    StoredCharge reserved = store.reserve(ID, FILTER, charge("trial 1", 1000 / 3.0));
    try (StudyStore other = open()) {
      StoredCharge read = other.charge(ID, "trial 1").orElseThrow();
      assertThat(read.charge()).isEqualTo(reserved.charge());
      assertThat(read.sequence()).isEqualTo(reserved.sequence());
      assertThat(read.reserved()).isEqualTo(reserved.reserved());
      assertThat(read.study()).isEqualTo(ID);
      assertThat(other.charge(ID, "trial 2")).isEmpty();
    }
  }

  @Test
  void chargesOfAnotherStudy_neitherShowNorCount() {
    store.create(record("ffffffff"), 0);
    store.reserve("ffffffff", FILTER, charge("trial 1", 12));
    store.reserve(ID, FILTER, charge("trial 1", 12));
    assertThat(store.charges(ID)).hasSize(1);
  }

  @Test
  void reserve_overBudget_isRefusedAndWritesNothing() {
    store.reserve(ID, FILTER, charge("trial 1", 15)); // μ = 0.211
    assertThatThrownBy(() -> store.reserve(ID, FILTER, charge("trial 2", 15)))
        .isInstanceOf(BudgetExceededException.class);
    try (StudyStore other = open()) {
      assertThat(other.charges(ID)).extracting(c -> c.charge().what()).containsExactly("trial 1");
    }
    store.reserve(ID, FILTER, charge("trial 2", 1000));
    assertThat(store.charges(ID)).hasSize(2);
  }

  @Test
  void reserve_underANameThatIsTaken_fails() {
    store.reserve(ID, FILTER, charge("trial 1", 1000));
    for (double sigma : new double[] {1000, 2000}) {
      assertThatThrownBy(() -> store.reserve(ID, FILTER, charge("trial 1", sigma)))
          .isInstanceOf(StoreException.class);
    }
    assertThat(store.charges(ID)).hasSize(1);
  }

  @Test
  void reserve_forAStudyThatIsNotThere_fails() {
    assertThatThrownBy(() -> store.reserve("none", FILTER, charge("trial 1", 1000)))
        .isInstanceOf(StoreException.class);
    assertThat(store.charges("none")).isEmpty();
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
  void whatAChargeRestsOn_cannotBeChangedOrDeleted_evenBehindTheStoresBack(String sql) {
    store.reserve(ID, FILTER, charge("trial 1", 1000));
    List<Charge> before = store.charges(ID).stream().map(StoredCharge::charge).toList();
    assertThatThrownBy(() -> raw(sql)).isInstanceOf(SQLException.class);
    assertThat(store.charges(ID)).extracting(StoredCharge::charge).isEqualTo(before);
    assertThat(store.study(ID)).contains(record(ID));
  }

  @Test
  void manyThreads_togetherNeverPassTheBudget() throws Exception {
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
                (number % 2 == 0 ? own : store)
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
    for (Future<Boolean> answer : threads.invokeAll(asking)) {
      admitted += answer.get() ? 1 : 0;
    }
    threads.shutdown();
    List<Charge> charges = store.charges(ID).stream().map(StoredCharge::charge).toList();
    assertThat(charges).hasSize(admitted).hasSize(28);
    assertThat(Balance.of(BUDGET, charges).spent().mu().value())
        .isLessThanOrEqualTo(BUDGET.cap().mu().value());
  }

  @Test
  void doubles_surviveBitForBit() {
    double[] weights = awkwardDoubles();
    double[] velocity = new double[weights.length];
    for (int i = 0; i < weights.length; i++) {
      velocity[i] = weights[weights.length - 1 - i];
    }
    int start = started(1).starts();
    store.beginSteps(ID, 1, start, 1, 7);
    store.checkpoint(ID, 1, start, new Iterate(7, weights, velocity));
    try (StudyStore other = open()) {
      Iterate read = other.trial(ID, 1).checkpoint().orElseThrow();
      assertThat(read.asked()).isEqualTo(7);
      assertThat(bits(read.weights())).isEqualTo(bits(weights));
      assertThat(bits(read.memory())).isEqualTo(bits(velocity));
    }
  }

  @Test
  void scoresAndNoise_surviveBitForBit() {
    Random random = new Random(21);
    for (int i = 0; i < 200; i++) {
      String id = Integer.toString(i);
      store.create(record(id), 1);
      double score = random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10);
      double sigma = 100 + Math.abs(random.nextGaussian()) * 1000;
      store.reserve(id, FILTER, charge("trial 1", sigma));
      store.move(id, 1, TrialState.CHARGED);
      store.move(id, 1, TrialState.TRAINED);
      store.score(id, 1, score);
      store.test(id, -score);
      assertThat(store.trial(id, 1).score()).hasValue(score);
      assertThat(store.study(id).orElseThrow().testAccuracy()).hasValue(-score);
      assertThat(store.charges(id).get(0).charge()).isEqualTo(charge("trial 1", sigma));
    }
  }

  private static long[] bits(double[] values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Double.doubleToRawLongBits(values[i]);
    }
    return bits;
  }

  @Test
  void aStep_isNeverBegunTwice() {
    int start = started(1).starts();
    store.beginSteps(ID, 1, start, 1, 4);
    assertThatThrownBy(() -> store.beginSteps(ID, 1, start, 1, 4))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.beginSteps(ID, 1, start, 4, 6))
        .isInstanceOf(StoreException.class);
    store.beginSteps(ID, 1, start, 5, 6);
    assertThat(store.trial(ID, 1).stepsBegun()).isEqualTo(6);
  }

  @Test
  void aStep_isNeverBegunByAnOlderStart() {
    int old = started(1).starts();
    store.beginSteps(ID, 1, old, 1, 4);
    int now = store.start(ID, 1).starts();
    assertThat(now).isGreaterThan(old);
    assertThatThrownBy(() -> store.beginSteps(ID, 1, old, 5, 8)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.checkpoint(ID, 1, old, iterate(4)))
        .isInstanceOf(StoreException.class);
    assertThat(store.trial(ID, 1).checkpoint()).isEmpty();
    store.beginSteps(ID, 1, now, 5, 8);
  }

  @Test
  void aStep_isNeverBegunWithoutACharge_norInATrainedRun() {
    assertThatThrownBy(() -> store.start(ID, 1)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.beginSteps(ID, 1, 0, 1, 1)).isInstanceOf(StoreException.class);
    int start = started(1).starts();
    store.move(ID, 1, TrialState.TRAINED);
    assertThatThrownBy(() -> store.beginSteps(ID, 1, start, 1, 1))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.start(ID, 1)).isInstanceOf(StoreException.class);
  }

  @Test
  void aCheckpoint_canNeitherGoBackNorAheadOfWhatWasBegun() {
    int start = started(1).starts();
    store.beginSteps(ID, 1, start, 1, 4);
    store.checkpoint(ID, 1, start, iterate(3));
    assertThat(store.trial(ID, 1).stepsBegun()).isEqualTo(3);
    assertThatThrownBy(() -> store.checkpoint(ID, 1, start, iterate(2)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.checkpoint(ID, 1, start, iterate(4)))
        .isInstanceOf(StoreException.class);
    assertThat(store.trial(ID, 1).checkpoint().orElseThrow().asked()).isEqualTo(3);
  }

  @Test
  void stepsLostInACrash_areCountedOnce_howeverOftenTheRunIsStarted() {
    int start = started(1).starts();
    store.beginSteps(ID, 1, start, 1, 10);
    store.checkpoint(ID, 1, start, iterate(10));
    store.beginSteps(ID, 1, start, 11, 20);
    for (int restart = 0; restart < 3; restart++) {
      TrialRecord run = store.start(ID, 1);
      assertThat(run.stepsLost()).isEqualTo(10);
      assertThat(run.stepsBegun()).isEqualTo(20);
      assertThat(run.checkpoint().orElseThrow().asked()).isEqualTo(20);
      start = run.starts();
    }
    store.beginSteps(ID, 1, start, 21, 23);
    assertThat(store.start(ID, 1).stepsLost()).isEqualTo(13);
  }

  @Test
  void stepsThatWereCancelledBeforeTheyRan_areNotLost() {
    int start = started(FINAL).starts();
    store.beginSteps(ID, FINAL, start, 1, 10);
    store.checkpoint(ID, FINAL, start, iterate(6));
    TrialRecord run = store.start(ID, FINAL);
    assertThat(run.stepsLost()).isZero();
    store.beginSteps(ID, FINAL, run.starts(), 7, 10);
  }

  @ParameterizedTest
  @EnumSource(TrialState.class)
  void aRun_movesOnlyForward(TrialState to) {
    TrialState[] path = {TrialState.CHARGED, TrialState.TRAINED, TrialState.SCORED};
    TrialState from = TrialState.PLANNED;
    for (int next = 0; next <= path.length; next++) {
      boolean legal =
          (next < path.length && path[next] == to)
              || (from == TrialState.TRAINED && to == TrialState.UNSCORED);
      if (!legal) {
        assertThatThrownBy(() -> store.move(ID, 1, to)).isInstanceOf(IllegalStateException.class);
        assertThat(store.trial(ID, 1).state()).isEqualTo(from);
      }
      if (next < path.length) {
        store.move(ID, 1, path[next]);
        from = path[next];
      }
    }
  }

  @Test
  void aScore_isTakenOnceAndOfATrainedRunOnly() {
    assertThatThrownBy(() -> store.score(ID, 1, 0.5)).isInstanceOf(IllegalStateException.class);
    trained(1);
    store.score(ID, 1, 0.5);
    assertThatThrownBy(() -> store.score(ID, 1, 0.6)).isInstanceOf(IllegalStateException.class);
    assertThat(store.trial(ID, 1).score()).hasValue(0.5);
    trained(2);
    store.move(ID, 2, TrialState.UNSCORED);
    assertThatThrownBy(() -> store.score(ID, 2, 0.6)).isInstanceOf(IllegalStateException.class);
    assertThat(store.trial(ID, 2).score()).isEmpty();
  }

  @Test
  void aFinishedStudy_isNotRunAgain_andAFailedOneMayBe() {
    store.move(ID, StudyState.RUNNING);
    store.move(ID, StudyState.FAILED);
    store.move(ID, StudyState.RUNNING);
    store.move(ID, StudyState.FINISHED);
    for (StudyState to : List.of(StudyState.RUNNING, StudyState.FAILED)) {
      assertThatThrownBy(() -> store.move(ID, to)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(store.study(ID).orElseThrow().state()).isEqualTo(StudyState.FINISHED);
  }

  @Test
  void seconds_addUp() {
    store.addSeconds(ID, 1.25);
    store.addSeconds(ID, 2.5);
    assertThat(store.study(ID).orElseThrow().seconds()).isEqualTo(3.75);
  }
}
