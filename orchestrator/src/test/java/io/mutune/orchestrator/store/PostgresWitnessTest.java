package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose rows are changed by a role that may read and write rows and no more. */
class PostgresWitnessTest {
  private static final String ID = StoreHarness.ID;

  @TempDir Path folder;
  private final StoreLocation.Postgres owner = PostgresServer.get().database();
  private StoreLocation.Postgres writer;

  @BeforeEach
  void makeRole() {
    Stores.open(owner, folder).close();
    String role = "writer_" + owner.url().replaceFirst(".*/", "");
    PostgresServer.execute(owner, "CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
    PostgresServer.execute(
        owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role);
    PostgresServer.execute(
        owner, "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO " + role);
    writer = new StoreLocation.Postgres(owner.url(), Optional.of(role), Optional.of("x"));
  }

  private int begin(StudyStore store) {
    store.create(StoreHarness.record(ID, folder), 1, AccountClaim.NONE);
    store.reserve(ID, StoreHarness.FILTER, StoreHarness.charge("trial 1", 1000));
    store.move(ID, 1, RunState.CHARGED);
    int start = store.start(ID, 1).starts();
    store.beginSteps(ID, 1, start, 1, 5);
    store.checkpoint(ID, 1, start, StoreHarness.iterate(5));
    return start;
  }

  @Test
  void stepsThatWereAsked_cannotBeSetBackByRows() {
    try (StudyStore store = Stores.open(writer, folder)) {
      int start = begin(store);
      assertThatThrownBy(() -> PostgresServer.execute(writer, "UPDATE trial SET steps_asked = 0"))
          .hasMessageContaining("never asked again");
      PostgresServer.execute(writer, "UPDATE trial SET steps_begun = 9 WHERE number = 1");
      assertThatThrownBy(() -> store.beginSteps(ID, 1, start, 10, 12))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.isDamage()).isTrue())
          .hasMessageContaining("run 1 stands otherwise");
    }
  }

  @Test
  void aFolderThatIsNotThereYet_getsItsWitness() {
    Path results = folder.resolve("not").resolve("yet");
    try (StudyStore store = Stores.open(writer, results)) {
      begin(store);
    }
    assertThat(results).isDirectoryContaining("glob:**.witness");
  }

  @Test
  void aFolderThatWasDeleted_isNotWrittenForWithoutItsWitness() throws IOException {
    Path results = folder.resolve("results");
    try (StudyStore store = Stores.open(writer, results)) {
      begin(store);
    }
    try (Stream<Path> files = Files.list(results)) {
      files.forEach(file -> file.toFile().delete());
    }
    Files.delete(results);
    try (StudyStore store = Stores.openExisting(writer, results)) {
      assertThat(store.setBack().orElseThrow()).contains("witness is missing");
      assertThatThrownBy(() -> store.start(ID, 1)).hasMessageContaining("witness is missing");
    }
  }

  @Test
  void aDatabaseThatWasPutBack_isNoticedByTheFolderOfItsStudies() throws IOException {
    StoreLocation.Postgres known =
        new StoreLocation.Postgres(
            writer.url() + "?loginTimeout=9", writer.user(), writer.password());
    StoreLocation.Postgres otherwise =
        new StoreLocation.Postgres(
            writer.url() + "?loginTimeout=10", writer.user(), writer.password());
    try (StudyStore store = Stores.open(writer, folder)) {
      store.create(StoreHarness.record(ID, folder), 1, AccountClaim.NONE);
      try (StudyStore same = Stores.open(known, folder)) {
        same.move(ID, StudyState.RUNNING);
      }
      Files.writeString(folder.resolve("notes.witness"), "of something else");
      PostgresServer.execute(owner, "CREATE TABLE old AS SELECT entries, head FROM study");
      store.reserve(ID, StoreHarness.FILTER, StoreHarness.charge("trial 1", 1000));
      assertThat(store.setBack()).isEmpty();
    }
    for (String table : new String[] {"study", "charge"}) {
      PostgresServer.execute(owner, "ALTER TABLE " + table + " DISABLE TRIGGER USER");
    }
    PostgresServer.execute(owner, "DELETE FROM charge");
    PostgresServer.execute(
        owner, "UPDATE study SET entries = o.entries, head = o.head FROM old AS o");
    for (String table : new String[] {"study", "charge"}) {
      PostgresServer.execute(owner, "ALTER TABLE " + table + " ENABLE TRIGGER USER");
    }
    try (StudyStore store = Stores.open(writer, folder)) {
      assertThat(store.ledger(ID).problem()).isEmpty();
      assertThat(store.damage()).singleElement().asString().contains("behind its witness");
      assertThatThrownBy(() -> store.move(ID, StudyState.RUNNING))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("behind its witness");
      for (StoreLocation.Postgres location : List.of(known, otherwise)) {
        try (StudyStore same = Stores.open(location, folder)) {
          assertThat(same.setBack().orElseThrow()).contains("another way to write its address");
          assertThatThrownBy(() -> same.move(ID, StudyState.RUNNING))
              .hasMessageContaining("behind its witness")
              .hasMessageContaining("for 'mutune store adopt', MUTUNE_WITNESS=" + folder);
        }
      }
      assertThat(store.adopt(false)).singleElement().asString().contains("cancelled for good");
      assertThat(store.damage()).isEmpty();
      assertThat(store.adoptions()).hasSize(1);
      assertThatThrownBy(
              () -> store.reserve(ID, StoreHarness.FILTER, StoreHarness.charge("trial 1", 1000)))
          .hasMessageContaining("nothing more is charged to it");
    }
  }

  @Test
  void aWitness_isKnownUnderAnotherPlace_unlessTheStoreHasNeverSeenIt() throws IOException {
    Path before = folder.resolve("before");
    try (StudyStore store = Stores.open(writer, before)) {
      begin(store);
    }
    Path renamed = Files.move(before, folder.resolve("renamed"));
    try (StudyStore store = Stores.openExisting(writer, renamed)) {
      assertThat(store.setBack()).isEmpty();
      store.start(ID, 1);
      assertThat(store.setBack()).isEmpty();
    }
    PostgresServer.execute(writer, "DELETE FROM witness");
    try (StudyStore store = Stores.openExisting(writer, renamed)) {
      assertThat(store.setBack().orElseThrow()).contains("no entry of its witness");
      assertThatThrownBy(() -> store.start(ID, 1)).hasMessageContaining("no entry of its witness");
    }
  }

  /** Both witnesses know what is charged, whichever machine did it and whichever writes last. */
  @Test
  void whatAnotherMachineCharged_isInTheWitnessOfTheOneThatWritesNext() throws IOException {
    Path here = folder.resolve("here");
    Path there = folder.resolve("there");
    try (StudyStore one = Stores.open(writer, here);
        StudyStore other = Stores.open(writer, there)) {
      one.create(StoreHarness.record(ID, folder), 1, AccountClaim.NONE);
      other.move(ID, StudyState.RUNNING);
      other.reserve(ID, StoreHarness.FILTER, StoreHarness.charge("trial 1", 1000));
      String charged = mu(there);
      assertThat(Double.parseDouble(charged)).isPositive();
      assertThat(mu(here)).isEqualTo("0.0");
      one.move(ID, 1, RunState.CHARGED);
      assertThat(mu(here)).isEqualTo(charged);
      one.move(ID, StudyState.FAILED);
      assertThat(mu(here)).isEqualTo(charged);
    }
  }

  /** The μ of the study by the last record of a folder's witness. */
  private static String mu(Path results) throws IOException {
    try (Stream<Path> files = Files.list(results)) {
      Path witness = files.filter(file -> file.toString().endsWith(".witness")).findAny().get();
      return Files.readAllLines(witness).stream()
          .filter(line -> line.startsWith("study " + ID + " "))
          .reduce((before, line) -> line)
          .orElseThrow()
          .split(" ")[4];
    }
  }
}
