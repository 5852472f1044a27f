package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That a ledger which is not what was written is found out, by the entry. */
interface LedgerChainContract extends StoreHarness {
  /** Lets rows be changed that the tables keep from it. */
  void unlock() throws SQLException;

  /** A connection that knows nothing of Mutune. */
  Connection connect() throws SQLException;

  /** What else keeps single cells of a table from being changed to anything, in a transaction. */
  default List<String> withoutKeys(String table) {
    return List.of();
  }

  /** How the study stands when it is made, and five charges. */
  int ENTRIES = 6;

  default void fill(String study) {
    int sigma = 1000;
    // No two of them a bit apart, which the tables would refuse.
    for (String what : List.of("mean", "trial 1", "score one", "final", "test rows")) {
      store().reserve(study, FILTER, StoreHarness.charge(what, sigma++));
    }
  }

  @Test
  default void aLedgerThatWasLeftAlone_fits_fromItsFirstEntryOn() {
    LedgerFinding empty = store().ledger(ID);
    assertThat(empty.problem()).isEmpty();
    fill(ID);
    LedgerFinding finding = store().ledger(ID);
    assertThat(finding.problem()).isEmpty();
    assertThat(finding.count()).hasValue(ENTRIES);
    assertThat(finding.original()).isEqualTo("1");
    assertThat(finding.covered()).contains(1L);
    assertThat(finding.head()).hasSize(64).isNotEqualTo(empty.head());
  }

  @Test
  default void ledgersOfTwoStudies_areChainsOfTheirOwn() {
    store().create(record("ffffffff"), 0, AccountClaim.NONE);
    fill("ffffffff");
    fill(ID);
    assertThat(store().ledger(ID).problem()).isEmpty();
    assertThat(store().ledger("ffffffff").problem()).isEmpty();
    assertThat(store().ledger("ffffffff").head()).isNotEqualTo(store().ledger(ID).head());
  }

  /** Every position of every column of every entry, with one of the values that a flip gives. */
  @Test
  default void aByteThatIsFlippedAnywhereInTheLedger_isFound_andItsEntryNamed() throws Exception {
    store().create(record("ffffffff"), 0, AccountClaim.NONE);
    fill(ID);
    unlock();
    long seed = System.nanoTime();
    System.out.println("flipped bytes of a ledger: seed " + seed);
    Random random = new Random(seed);
    int flips = 0;
    try (Connection connection = connect();
        Statement free = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String sql : withoutKeys("charge")) {
        free.execute(sql);
      }
      for (int entry = 2; entry <= ENTRIES; entry++) {
        for (String column :
            List.of("study", "what", "mechanism", "parameters", "reserved", "hash")) {
          int number = entry;
          flips +=
              Flips.each(
                  connection,
                  "charge",
                  column,
                  entry,
                  random,
                  change ->
                      assertThat(ledgerWithin(connection).problem().orElse("nothing found"))
                          .as(change)
                          .startsWith("entry " + number + " "));
        }
      }
      connection.rollback();
    }
    assertThat(flips).isGreaterThan(700);
    assertThat(store().ledger(ID).problem()).isEmpty();
  }

  @Test
  default void anEntryThatIsGone_moved_added_orCutOffTheEnd_isFoundAndNamed() throws Exception {
    fill(ID);
    unlock();
    List<String> found = new ArrayList<>();
    for (String sql :
        List.of(
            "DELETE FROM charge WHERE entry = 3",
            "UPDATE charge SET entry = 9 WHERE entry = 3",
            "UPDATE charge SET sequence = sequence + 100 WHERE entry = 3",
            "DELETE FROM charge WHERE entry = 6",
            "INSERT INTO charge SELECT sequence + 100, study, 'more', mechanism, parameters,"
                + " reserved, 7, hash FROM charge WHERE entry = 6",
            "UPDATE study SET head = 'x' || substr(head, 2), name = 'study'",
            "UPDATE study SET entries = 4",
            "UPDATE study SET definition = definition || ' '",
            "UPDATE study SET original = 2")) {
      try (Connection connection = connect();
          var statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        assertThat(statement.executeUpdate(sql)).as(sql).isOne();
        found.add(
            ledgerWithin(connection).problem().orElse("nothing found").replaceAll(" \\(.*", ""));
        connection.rollback();
      }
    }
    assertThat(found)
        .containsExactly(
            "entry 3 is missing",
            "entry 3 is missing",
            "entry 3",
            "entry 6 is missing: the ledger should have 6 entries",
            "entry 7",
            "the head is not that of entry 6",
            "the ledger should have 4 entries and has 6",
            "entry 1",
            "entry 1");
    assertThat(store().ledger(ID).problem()).isEmpty();
  }

  static LedgerFinding ledgerWithin(Connection connection) throws SQLException {
    return LedgerTable.STUDY.check(new Session(connection, "here"), ID);
  }
}
