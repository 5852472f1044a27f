package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class PostgresHoldTest {
  private static final String ID = "0123abcd";

  @TempDir Path folder;
  private final StoreLocation.Postgres database = PostgresServer.get().schema();
  private StudyStore here;
  private StudyStore there;

  @BeforeEach
  void open() {
    here = Stores.open(database, folder.resolve("here"));
    there = Stores.open(database, folder.resolve("there"));
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
  }

  @Test
  void aHold_isSeenEverywhereAndTakenOnceUntilItIsClosed() {
    assertThat(here.isShared()).isTrue();
    assertThat(there.isHeld(ID)).isFalse();
    try (StudyHold hold = here.hold(ID)) {
      assertThat(hold).isNotNull();
      assertThat(there.isHeld(ID)).isTrue();
      assertThat(there.isHeld("ffffffff")).isFalse();
      assertThatThrownBy(() -> there.hold(ID))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("another machine");
      assertThatThrownBy(() -> here.hold(ID)).isInstanceOf(StoreException.class);
    }
    assertThat(there.isHeld(ID)).isFalse();
    there.hold(ID).close();
  }

  @Test
  void aHold_isOfItsStoreAlone() {
    try (StudyHold hold = here.hold(ID);
        StudyStore other = Stores.open(PostgresServer.get().schema(), folder)) {
      assertThat(hold).isNotNull();
      assertThat(other.isHeld(ID)).isFalse();
    }
  }

  /** Waits for the server, which notices in its own time; the test's limit ends the wait. */
  private void awaitFree() throws InterruptedException {
    while (there.isHeld(ID)) {
      Thread.sleep(10);
    }
  }

  /** What a server does that is started again. */
  private void cutConnection() throws InterruptedException {
    PostgresServer.execute(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database"
            + " = (SELECT oid FROM pg_database WHERE datname = current_database())");
    awaitFree();
  }

  @Test
  void aHold_isGoneWithTheStoreOfAProcessThatEnds() throws InterruptedException {
    here.hold(ID);
    here.close();
    awaitFree();
    here = Stores.open(database, folder);
  }

  @Test
  void aHoldWhoseConnectionWasCut_isHadAgain() throws InterruptedException {
    try (PostgresHold hold = (PostgresHold) here.hold(ID)) {
      synchronized (hold) { // its own thread keeps it every few seconds, and not now
        cutConnection();
        hold.keep();
        assertThat(there.isHeld(ID)).isTrue();
      }
    }
    assertThat(there.isHeld(ID)).isFalse();
  }

  @Test
  void aHoldThatAnotherHasByNow_isLeftToIt() throws InterruptedException {
    try (PostgresHold hold = (PostgresHold) here.hold(ID)) {
      synchronized (hold) {
        cutConnection();
        try (StudyHold theirs = there.hold(ID)) {
          assertThat(theirs).isNotNull();
          hold.keep();
        }
        assertThat(there.isHeld(ID)).isFalse();
        hold.keep();
        assertThat(there.isHeld(ID)).isTrue();
      }
    }
  }

  /** As its own thread may yet do that waited for its end. */
  @Test
  void aHoldThatIsClosed_isNotKept() {
    PostgresHold hold = (PostgresHold) here.hold(ID);
    hold.close();
    hold.keep();
    assertThat(there.isHeld(ID)).isFalse();
  }
}
