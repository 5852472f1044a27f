package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** That what became of runs, releases and studies is in the ledger too, and nothing behind it. */
interface EventsContract extends LedgerChainContract {
  private void live() {
    store().move(ID, StudyState.RUNNING);
    store().note(ID, note("first"));
    trained(1);
    store().score(ID, 1, 0.625);
    int start = started(2).starts();
    store().beginSteps(ID, 2, start, 1, 4);
    store().checkpoint(ID, 2, start, StoreHarness.iterate(4));
    store().beginSteps(ID, 2, start, 5, 8);
    store().beginRelease(ID, "mean");
    store().release(ID, "mean", new double[] {1, 2});
    store().test(ID, 0.5);
  }

  private static StudyNote note(String value) {
    Map<String, String> content = new LinkedHashMap<>();
    content.put("z", value);
    content.put("a", "“µ” \"quoted\"");
    return new StudyNote(StudyNote.Kind.PROCESS, content);
  }

  @Test
  default void aLifeThatTheStoreWrote_fits() {
    live();
    LedgerFinding finding = store().ledger(ID);
    assertThat(finding.problem()).isEmpty();
    assertThat(finding.covered()).contains(1L);
    store().addSeconds(ID, 2);
    assertThat(store().ledger(ID)).isEqualTo(finding);
  }

  @Test
  default void whatWasChangedBehindTheLedger_isFound_byTheEntryThatSaysOtherwise()
      throws Exception {
    live();
    unlock();
    List<String> found = new ArrayList<>();
    for (String sql :
        List.of(
            "UPDATE trial SET score = 0.626 WHERE number = 1",
            "UPDATE trial SET state = 'TRAINED' WHERE number = 1",
            "UPDATE trial SET weights = velocity WHERE number = 2",
            "UPDATE trial SET steps_begun = 9 WHERE number = 2",
            "UPDATE trial SET starts = 2 WHERE number = 2",
            "DELETE FROM trial WHERE number = 2",
            "DELETE FROM trial WHERE number = 0",
            "UPDATE trial SET state = 'CHARGED' WHERE number = 0",
            "UPDATE study SET test_accuracy = 0.75",
            "UPDATE study SET state = 'FINISHED'",
            "UPDATE study SET reason = 'another'",
            "UPDATE study SET queued = 1",
            "DELETE FROM release",
            "UPDATE release SET vector = NULL",
            "INSERT INTO release(study, what) SELECT id, 'another' FROM study",
            "UPDATE event SET content = content || ' ' WHERE entry = 3",
            "UPDATE event SET kind = 'PLAN' WHERE entry = 3",
            "UPDATE event SET what = '2' WHERE entry = 4",
            "DELETE FROM event WHERE entry = 5")) {
      try (Connection connection = connect();
          var statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        assertThat(statement.executeUpdate(sql)).as(sql).isOne();
        found.add(LedgerChainContract.ledgerWithin(connection).problem().orElse("nothing: " + sql));
        connection.rollback();
      }
    }
    String otherwise = " is the last about it, and it stands otherwise";
    assertThat(found)
        .containsExactly(
            "entry 7 (run 1)" + otherwise,
            "entry 7 (run 1)" + otherwise,
            "entry 12 (run 2)" + otherwise,
            "entry 12 (run 2)" + otherwise,
            "entry 12 (run 2)" + otherwise,
            "entry 15 (study)" + otherwise,
            "entry 15 (study)" + otherwise,
            "no entry is about run 0, which is not as it was made",
            "entry 15 (study)" + otherwise,
            "entry 15 (study)" + otherwise,
            "entry 15 (study)" + otherwise,
            "entry 15 (study)" + otherwise,
            "entry 14 (release mean) is about something that is missing",
            "entry 14 (release mean)" + otherwise,
            "no entry is about release another, which is not as it was made",
            "entry 3 (process) is not what was written",
            "entry 3 (plan) is not what was written",
            "entry 4 (run 2) is not what was written",
            "entry 5 is missing");
    assertThat(store().ledger(ID).problem()).isEmpty();
  }

  @Test
  default void anEvent_isNeverChangedOrDeleted() {
    for (String sql : List.of("UPDATE event SET content = ''", "DELETE FROM event")) {
      assertThatThrownBy(() -> raw(sql)).isInstanceOf(SQLException.class);
    }
    assertThat(store().ledger(ID).problem()).isEmpty();
  }

  @Test
  default void notes_comeBackAsTheyWereWritten_untilTheStudysEnd() {
    StudyNote plan = new StudyNote(StudyNote.Kind.PLAN, Map.of("final", "mu 0.1"));
    store().create(record("ffffffff"), 1, AccountClaim.NONE, List.of(plan));
    store().note("ffffffff", note("1"));
    store().note("ffffffff", note("2"));
    try (StudyStore other = open()) {
      assertThat(other.notes("ffffffff")).containsExactly(plan, note("1"), note("2"));
      assertThat(other.notes("ffffffff").get(1).content().keySet()).containsExactly("z", "a");
    }
    assertThat(store().notes(ID)).isEmpty();
    store().move("ffffffff", StudyState.CANCELLED);
    assertThatThrownBy(() -> store().note("ffffffff", note("3")))
        .isInstanceOf(StoreException.class);
    assertThat(store().ledger("ffffffff").problem()).isEmpty();
  }

  @Test
  default void theHashOfAnEntry_staysWhatItWas() {
    LedgerFinding before = store().ledger(ID);
    long entries = Long.parseLong(before.entries());
    live();
    assertThat(store().ledgerHash(ID, entries)).contains(before.head());
    assertThat(store().ledgerHash(ID, 0)).isPresent();
    assertThat(store().ledgerHash(ID, 1000)).isEqualTo(Optional.empty());
    assertThat(store().ids()).containsExactly(ID);
    assertThat(store().damage()).isEmpty();
  }
}
