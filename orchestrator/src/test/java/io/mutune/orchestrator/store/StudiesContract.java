package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every store keeps of studies. */
interface StudiesContract extends StoreHarness {
  @Test
  default void study_comesBackAsItWasCreated() {
    try (StudyStore other = open()) {
      assertThat(other.study(ID)).contains(record(ID));
    }
    assertThat(store().study("none")).isEmpty();
  }

  @Test
  default void studies_areListedOldestFirst() {
    store().create(record("ffffffff"), 0, AccountClaim.NONE);
    store().create(record("00000000"), 0, AccountClaim.NONE);
    assertThat(store().studies())
        .extracting(StudyRecord::id)
        .containsExactly(ID, "ffffffff", "00000000");
  }

  @Test
  default void study_isCreatedOnce() {
    assertThatThrownBy(() -> store().create(record(ID), 1, AccountClaim.NONE))
        .isInstanceOf(StoreException.class);
    assertThat(store().trial(ID, 2).number()).isEqualTo(2);
  }

  @Test
  default void aStudyThatCannotBeCreatedWhole_isNotCreated() {
    assertThatThrownBy(() -> store().create(record(ID), 5, AccountClaim.NONE))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store().trial(ID, 5)).isInstanceOf(StoreException.class);
  }

  @Test
  default void runs_beginPlannedAndEmpty() {
    for (int number = 0; number <= 2; number++) {
      RunRecord run = store().trial(ID, number);
      assertThat(run.state()).isEqualTo(RunState.PLANNED);
      assertThat(run.starts() + run.stepsBegun() + run.stepsLost()).isZero();
      assertThat(run.checkpoint()).isEmpty();
      assertThat(run.score()).isEmpty();
    }
    assertThatThrownBy(() -> store().trial(ID, 3)).isInstanceOf(StoreException.class);
  }

  @Test
  default void aFinishedStudy_isNotRunAgain_andAFailedOneMayBe() {
    store().move(ID, StudyState.RUNNING);
    store().move(ID, StudyState.FAILED);
    store().move(ID, StudyState.RUNNING);
    store().move(ID, StudyState.FINISHED);
    for (StudyState to : List.of(StudyState.RUNNING, StudyState.FAILED)) {
      assertThatThrownBy(() -> store().move(ID, to)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(store().study(ID).orElseThrow().state()).isEqualTo(StudyState.FINISHED);
  }

  /** One of the ways to each state, and every step from there. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "PLANNED,   -,               RUNNING PAUSED FAILED CANCELLED",
        "RUNNING,   RUNNING,         PAUSED FINISHED FAILED CANCELLED",
        "PAUSED,    RUNNING PAUSED,  PLANNED RUNNING CANCELLED",
        "FAILED,    RUNNING FAILED,  RUNNING CANCELLED",
        "FINISHED,  RUNNING FINISHED, ''",
        "CANCELLED, CANCELLED,       ''"
      })
  default void aStudy_movesAsItsStatesAllow(StudyState from, String way, String allowed) {
    for (String step : way == null ? new String[0] : way.split(" ")) {
      store().move(ID, StudyState.valueOf(step));
    }
    for (StudyState to : StudyState.values()) {
      boolean may = to == from || List.of(allowed.split(" ")).contains(to.name());
      assertThat(from == to || from.canBecome(to)).as("%s to %s", from, to).isEqualTo(may);
      if (!may) {
        assertThatThrownBy(() -> store().move(ID, to)).isInstanceOf(IllegalStateException.class);
        assertThat(store().study(ID).orElseThrow().state()).isEqualTo(from);
      }
    }
  }

  @Test
  default void aReason_staysUntilTheNextMove() {
    store().move(ID, StudyState.PAUSED, "by hand: “later”");
    try (StudyStore other = open()) {
      assertThat(other.study(ID).orElseThrow().reason()).contains("by hand: “later”");
    }
    store().move(ID, StudyState.RUNNING);
    assertThat(store().study(ID).orElseThrow().reason()).isEmpty();
  }

  @Test
  default void aRefusedStudy_isKeptWithItsReason_andNeverBegins() {
    StudyRecord planned = record("ffffffff");
    StudyRecord refused = planned.with(StudyState.REFUSED, "no room");
    store().create(refused, 0, AccountClaim.NONE);
    assertThat(store().study("ffffffff")).contains(refused);
    assertThatThrownBy(() -> store().move("ffffffff", StudyState.RUNNING))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  default void seconds_addUp() {
    store().addSeconds(ID, 1.25);
    store().addSeconds(ID, 2.5);
    assertThat(store().study(ID).orElseThrow().seconds()).isEqualTo(3.75);
  }
}
