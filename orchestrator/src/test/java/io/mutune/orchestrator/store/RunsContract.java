package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.method.Iterate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every store keeps of runs: no step twice, no step without a charge. */
interface RunsContract extends StoreHarness {
  @Test
  default void aStep_isNeverBegunTwice() {
    int start = started(1).starts();
    store().beginSteps(ID, 1, start, 1, 4);
    assertThatThrownBy(() -> store().beginSteps(ID, 1, start, 1, 4))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().beginSteps(ID, 1, start, 4, 6))
        .isInstanceOf(StoreException.class);
    store().beginSteps(ID, 1, start, 5, 6);
    assertThat(store().trial(ID, 1).stepsBegun()).isEqualTo(6);
  }

  @Test
  default void aStep_isNeverBegunByAnOlderStart() {
    int old = started(1).starts();
    store().beginSteps(ID, 1, old, 1, 4);
    int now = store().start(ID, 1).starts();
    assertThat(now).isGreaterThan(old);
    assertThatThrownBy(() -> store().beginSteps(ID, 1, old, 5, 8))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().checkpoint(ID, 1, old, StoreHarness.iterate(4)))
        .isInstanceOf(StoreException.class);
    assertThat(store().trial(ID, 1).checkpoint()).isEmpty();
    store().beginSteps(ID, 1, now, 5, 8);
  }

  @Test
  default void aStep_isNeverBegunWithoutACharge_norInATrainedRun() {
    assertThatThrownBy(() -> store().start(ID, 1)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().beginSteps(ID, 1, 0, 1, 1)).isInstanceOf(StoreException.class);
    int start = started(1).starts();
    store().move(ID, 1, RunState.TRAINED);
    assertThatThrownBy(() -> store().beginSteps(ID, 1, start, 1, 1))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().start(ID, 1)).isInstanceOf(StoreException.class);
  }

  @Test
  default void aCheckpoint_canNeitherGoBackNorAheadOfWhatWasBegun() {
    int start = started(1).starts();
    store().beginSteps(ID, 1, start, 1, 4);
    store().checkpoint(ID, 1, start, StoreHarness.iterate(3));
    assertThat(store().trial(ID, 1).stepsBegun()).isEqualTo(3);
    assertThatThrownBy(() -> store().checkpoint(ID, 1, start, StoreHarness.iterate(2)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().checkpoint(ID, 1, start, StoreHarness.iterate(4)))
        .isInstanceOf(StoreException.class);
    assertThat(store().trial(ID, 1).checkpoint().orElseThrow().asked()).isEqualTo(3);
  }

  @Test
  default void stepsLostInACrash_areCountedOnce_howeverOftenTheRunIsStarted() {
    int start = started(1).starts();
    store().beginSteps(ID, 1, start, 1, 10);
    store().checkpoint(ID, 1, start, StoreHarness.iterate(10));
    store().beginSteps(ID, 1, start, 11, 20);
    for (int restart = 0; restart < 3; restart++) {
      RunRecord run = store().start(ID, 1);
      assertThat(run.stepsLost()).isEqualTo(10);
      assertThat(run.stepsBegun()).isEqualTo(20);
      assertThat(run.checkpoint().orElseThrow().asked()).isEqualTo(10);
      start = run.starts();
    }
    store().beginSteps(ID, 1, start, 21, 23);
    RunRecord again = store().start(ID, 1);
    assertThat(again.stepsLost()).isEqualTo(13);
    assertThat(again.checkpoint().orElseThrow().asked()).isEqualTo(10);
  }

  /** A method that counts what steps may have cost has to know which its checkpoint counts. */
  @Test
  default void aCheckpoint_staysOfTheStepsThatItWasOf_untilThereIsAnother() {
    int start = started(1).starts();
    store().beginSteps(ID, 1, start, 1, 8);
    store().checkpoint(ID, 1, start, StoreHarness.iterate(8));
    store().beginSteps(ID, 1, start, 9, 12);
    start = store().start(ID, 1).starts();
    // Stopped before a step, with memory that counts those that were lost.
    Iterate counted = new Iterate(12, StoreHarness.iterate(8).weights(), new double[] {7});
    store().checkpoint(ID, 1, start, counted);
    assertThat(store().start(ID, 1).checkpoint().orElseThrow().asked()).isEqualTo(12);
    start = store().trial(ID, 1).starts();
    store().beginSteps(ID, 1, start, 13, 16);
    store().checkpoint(ID, 1, start, StoreHarness.iterate(16));
    assertThat(store().trial(ID, 1).checkpoint().orElseThrow().asked()).isEqualTo(16);
    store().move(ID, 1, RunState.TRAINED);
    assertThat(store().trial(ID, 1).checkpoint().orElseThrow().asked()).isEqualTo(16);
    assertThat(store().trial(ID, 1).stepsLost()).isEqualTo(4);
  }

  @Test
  default void stepsThatWereCancelledBeforeTheyRan_areNotLost() {
    int start = started(RunRecord.FINAL).starts();
    store().beginSteps(ID, RunRecord.FINAL, start, 1, 10);
    store().checkpoint(ID, RunRecord.FINAL, start, StoreHarness.iterate(6));
    RunRecord run = store().start(ID, RunRecord.FINAL);
    assertThat(run.stepsLost()).isZero();
    store().beginSteps(ID, RunRecord.FINAL, run.starts(), 7, 10);
  }

  @ParameterizedTest
  @EnumSource(RunState.class)
  default void aRun_movesOnlyForward(RunState to) {
    RunState[] path = {RunState.CHARGED, RunState.TRAINED, RunState.SCORED};
    RunState from = RunState.PLANNED;
    for (int next = 0; next <= path.length; next++) {
      boolean legal =
          (next < path.length && path[next] == to)
              || (from == RunState.TRAINED && to == RunState.UNSCORED);
      if (!legal) {
        assertThatThrownBy(() -> store().move(ID, 1, to)).isInstanceOf(IllegalStateException.class);
        assertThat(store().trial(ID, 1).state()).isEqualTo(from);
      }
      if (next < path.length) {
        store().move(ID, 1, path[next]);
        from = path[next];
      }
    }
  }

  @Test
  default void aScore_isTakenOnceAndOfATrainedRunOnly() {
    assertThatThrownBy(() -> store().score(ID, 1, 0.5)).isInstanceOf(IllegalStateException.class);
    trained(1);
    store().score(ID, 1, 0.5);
    assertThatThrownBy(() -> store().score(ID, 1, 0.6)).isInstanceOf(IllegalStateException.class);
    assertThat(store().trial(ID, 1).score()).hasValue(0.5);
    trained(2);
    store().move(ID, 2, RunState.UNSCORED);
    assertThatThrownBy(() -> store().score(ID, 2, 0.6)).isInstanceOf(IllegalStateException.class);
    assertThat(store().trial(ID, 2).score()).isEmpty();
  }
}
