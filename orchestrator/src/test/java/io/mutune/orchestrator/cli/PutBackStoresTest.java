package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.server.TestServer;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that lost writes, were put back or changed by others: nothing is asked again by them. */
@Timeout(600)
class PutBackStoresTest {
  @TempDir Path folder;
  private SmallSweep sweep;
  private Path witness;

  @BeforeEach
  void makeAccount() throws IOException {
    sweep = SmallSweep.in(folder).steps(5).trials(1).account("rows");
    witness = sweep.store().resolveSibling("mutune.db.witness");
    CommandRun.of("account", "create", "rows", "--mu", "50", "--output", sweep.runs().toString())
        .succeeded();
  }

  private void killWhenBegun(long steps) throws Exception {
    try (MutuneProcess process = MutuneProcess.start(sweep.command("run"))) {
      try (StoreView view = process.store(sweep)) {
        process.until(() -> view.held(() -> view.stepsBegun() > steps));
        process.signal("STOP");
      }
      // Not before the view is closed: whoever closes a file last moves its log into it.
      assertThat(process.kill()).as("was still running").isTrue();
    }
  }

  private String refused(String command) {
    String why = CommandRun.of(sweep.command(command)).failedWith(ExitCode.STORAGE);
    CommandRun audit = CommandRun.of("audit", "--output", sweep.runs().toString());
    assertThat(audit.status()).as(audit.out()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    return why;
  }

  private void readWithWarning() {
    CommandRun list = CommandRun.of("list", "--output", sweep.runs().toString()).succeeded();
    assertThat(list.err()).contains("warning: ").contains("witness");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogThatIsLostAfterAKill_isNoticed(boolean whole) throws Exception {
    sweep.steps(2000);
    killWhenBegun(100);
    Path wal = sweep.store().resolveSibling("mutune.db-wal");
    assertThat(wal).isNotEmptyFile();
    byte[] log = Files.readAllBytes(wal);
    Files.write(wal, whole ? new byte[0] : Arrays.copyOf(log, log.length / 2));
    Files.deleteIfExists(sweep.store().resolveSibling("mutune.db-shm"));
    if (whole) {
      Files.delete(wal);
    }
    assertThat(refused("run")).contains("behind its witness");
    readWithWarning();
  }

  @Test
  void anOlderStoreThatIsPutBack_isNoticed() throws Exception {
    Path copy = folder.resolve("copy.db");
    Files.copy(sweep.store(), copy);
    CommandRun.run(sweep).succeeded();
    Files.copy(sweep.store(), folder.resolve("newest.db"));
    Files.copy(copy, sweep.store(), StandardCopyOption.REPLACE_EXISTING);
    assertThat(refused("run")).contains("behind its witness", "put the newest copies");
    assertThat(refused("worker")).contains("behind its witness", "Backup and restore");
    readWithWarning();
    try (TestServer server = TestServer.with(folder, folder)) {
      for (String path : List.of("/api/v1/accounts", "/metrics")) {
        assertThat(server.get(path, server.read).statusCode()).isEqualTo(503);
        assertThat(server.get(path, server.read).body()).contains("'mutune audit' says where");
      }
      assertThat(server.get("/health", server.read).statusCode()).isEqualTo(200);
    }
    Files.copy(folder.resolve("newest.db"), sweep.store(), StandardCopyOption.REPLACE_EXISTING);
    CommandRun.run(sweep).succeeded();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStoreThatIsLostWhole_isNoticed(boolean deleted) throws Exception {
    CommandRun.run(sweep).succeeded();
    if (deleted) {
      Files.delete(sweep.store());
    } else {
      Files.write(sweep.store(), new byte[0]);
    }
    assertThat(CommandRun.of("audit", "--output", sweep.runs().toString()).out())
        .contains("DOES NOT AGREE", "the store is missing or empty, and its witness");
    assertThat(refused("run")).contains("the store is missing or empty, and its witness");
    assertThat(
            CommandRun.of("store", "adopt", "--output", sweep.runs().toString()).succeeded().out())
        .containsPattern("study [0-9a-f]{8} is lost, with mu 0[.]")
        .containsPattern("account rows is lost, of which mu 0[.][0-9]+ was held");
  }

  private void stopWhenBegun(String command, long steps) throws Exception {
    try (MutuneProcess process = MutuneProcess.start(sweep.command(command))) {
      try (StoreView view = process.store(sweep)) {
        process.until(() -> view.held(() -> view.stepsBegun() > steps));
        process.signal("TERM");
      }
      assertThat(process.end().status()).isEqualTo(ExitCode.INTERRUPTED);
    }
  }

  private void put(byte[] store, byte[] seen) throws IOException {
    Files.write(sweep.store(), store);
    Files.write(witness, seen);
  }

  @Test
  void aStudyThatGoesOnInTwoCopies_countsTwice_besideOneThatWasLost() throws Exception {
    sweep.steps(4000);
    stopWhenBegun("run", 100);
    byte[] begun = Files.readAllBytes(sweep.store());
    byte[] before = Files.readAllBytes(witness);
    CommandRun.of(sweep.command("resume")).succeeded();
    double one = held(sweep);
    CommandRun.run(sweep.steps(5)).succeeded();
    double both = held(sweep);
    byte[] after = Files.readAllBytes(witness);
    put(begun, before);
    sweep.steps(4000);
    stopWhenBegun("resume", 1000);
    Files.write(witness, after);
    CommandRun.of("store", "adopt", "--output", sweep.runs().toString()).succeeded();
    assertThat(held(sweep)).isGreaterThanOrEqualTo(Math.hypot(both, one) * (1 - 1e-12));
  }

  /** What only looks like an adoption holds what was charged by then, and not all. */
  @Test
  void aStudyThatACopyCancelled_countsAsFarAsItCameElsewhere() throws Exception {
    sweep.steps(8000);
    stopWhenBegun("run", 100);
    byte[] begun = Files.readAllBytes(sweep.store());
    byte[] before = Files.readAllBytes(witness);
    stopWhenBegun("resume", 8500);
    byte[] after = Files.readAllBytes(witness);
    put(begun, before);
    String study;
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      study = store.ids().iterator().next();
    }
    String charged =
        new String(after, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.startsWith("study " + study + " "))
            .reduce("", (one, next) -> next)
            .split(" ")[4];
    String reason = "its ledger lost entries: mu " + charged + " was charged";
    String runs = sweep.runs().toString();
    CommandRun.of("cancel", study, "--reason", reason, "--output", runs).succeeded();
    assertThat(held(sweep)).isLessThan(Double.parseDouble(charged));
    Files.write(witness, after);
    CommandRun.of("store", "adopt", "--output", runs).succeeded();
    assertThat(held(sweep)).isGreaterThanOrEqualTo(Double.parseDouble(charged));
  }

  /** Two studies fit, and a third one does not, whatever became of the store between them. */
  @Test
  void anOlderStoreThatIsAdopted_holdsWhatItsWitnessSaw() throws Exception {
    CommandRun.run(sweep).succeeded();
    double one = held(sweep);
    SmallSweep tight =
        SmallSweep.in(Files.createDirectory(folder.resolve("tight")))
            .steps(5)
            .trials(1)
            .account("few");
    String runs = tight.runs().toString();
    String cap = Double.toString(1.5 * one);
    CommandRun.of("account", "create", "few", "--mu", cap, "--output", runs).succeeded();
    Path copy = folder.resolve("copy.db");
    Files.copy(tight.store(), copy);
    CommandRun.run(tight).succeeded();
    CommandRun.run(tight).succeeded();
    double before = held(tight, "few");
    Files.copy(copy, tight.store(), StandardCopyOption.REPLACE_EXISTING);
    CommandRun.run(tight).failedWith(ExitCode.STORAGE);
    CommandRun adopted = CommandRun.of("store", "adopt", "--output", runs).succeeded();
    assertThat(adopted.out()).contains("is lost, with mu ", "account few holds mu ");
    assertThat(held(tight, "few")).isBetween(before, Math.nextUp(before));
    CommandRun.run(tight).failedWith(ExitCode.REFUSED);
    CommandRun audit = CommandRun.of("audit", "--output", runs).succeeded();
    assertThat(audit.out()).contains("Adopted ", "account few holds mu ");
    assertThat(CommandRun.of("store", "adopt", "--output", runs).succeeded().out())
        .contains("nothing was done");
    CommandRun.of("account", "history", "few", "--output", runs).succeeded();
  }

  /** Its witness may be away for the moment, or it may be killed between the two. */
  @Test
  void anAdoptionThatTheWitnessDidNotSee_isRepeatedWithoutCountingTwice() throws Exception {
    Path copy = folder.resolve("copy.db");
    Files.copy(sweep.store(), copy);
    CommandRun.run(sweep).succeeded();
    byte[] before = Files.readAllBytes(witness);
    Files.copy(copy, sweep.store(), StandardCopyOption.REPLACE_EXISTING);
    String runs = sweep.runs().toString();
    CommandRun.of("store", "adopt", "--output", runs).succeeded();
    double held = held(sweep);
    assertThat(held).isPositive();
    for (int i = 0; i < 2; i++) {
      Files.write(witness, before);
      assertThat(CommandRun.of("store", "adopt", "--output", runs).succeeded().out())
          .contains("account rows holds what was lost already");
      assertThat(held(sweep)).isEqualTo(held);
    }
    CommandRun.of("audit", "--output", runs).succeeded();
  }

  /** Else its steps would be asked again: nothing but the witness knows how far it had come. */
  @Test
  void aStudyThatAnAdoptionNamedLost_doesNotGoOnWhereAnOlderCopyHasIt() throws Exception {
    sweep = SmallSweep.in(Files.createDirectory(folder.resolve("alone"))).trials(0).steps(5);
    CommandRun.run(sweep).succeeded();
    Path oldest = folder.resolve("oldest.db");
    Path begun = folder.resolve("begun.db");
    Files.copy(sweep.store(), oldest);
    sweep.steps(2000);
    killWhenBegun(100);
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("VACUUM INTO '" + begun + "'");
    }
    CommandRun.of(sweep.command("resume")).succeeded();
    String runs = sweep.runs().toString();
    Files.copy(oldest, sweep.store(), StandardCopyOption.REPLACE_EXISTING);
    CommandRun adopted = CommandRun.of("store", "adopt", "--output", runs).succeeded();
    assertThat(adopted.out()).contains("is lost, with mu ");
    CommandRun.run(sweep.steps(6)).succeeded();

    Files.copy(begun, sweep.store(), StandardCopyOption.REPLACE_EXISTING);
    assertThat(refused("resume")).contains("behind its witness");
    adopted = CommandRun.of("store", "adopt", "--output", runs).succeeded();
    assertThat(adopted.out()).contains("is cancelled for good: its ledger lost entries");
    assertThat(CommandRun.of(sweep.command("resume")).status()).isNotEqualTo(ExitCode.DONE);
    CommandRun.run(sweep.steps(7)).succeeded();
  }

  private static double held(SmallSweep sweep) {
    return held(sweep, "rows");
  }

  private static double held(SmallSweep sweep, String account) {
    CommandRun shown =
        CommandRun.of(
            "account", "show", account, "--format", "json", "--output", sweep.runs().toString());
    return Json.read(shown.succeeded().out()).path("held").path("mu").asDouble();
  }

  @Test
  void aStudyThatLostEntries_endsWithAllThatItReserved() throws Exception {
    sweep.steps(2000);
    killWhenBegun(100);
    double reserved = held(sweep);
    assertThat(reserved).isPositive();
    // As if the log had been moved into the file before the study's last entries.
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("VACUUM INTO '" + folder.resolve("copy.db") + "'");
    }
    CommandRun.of(sweep.command("resume")).succeeded();
    Files.copy(folder.resolve("copy.db"), sweep.store(), StandardCopyOption.REPLACE_EXISTING);
    assertThat(refused("resume")).contains("behind its witness");
    String runs = sweep.runs().toString();
    byte[] before = Files.readAllBytes(witness);
    CommandRun adopted = CommandRun.of("store", "adopt", "--output", runs).succeeded();
    assertThat(adopted.out()).contains("is cancelled for good: its ledger lost entries");
    assertThat(held(sweep)).isEqualTo(reserved);
    // As if the witness could not be written then.
    Files.write(witness, before);
    adopted = CommandRun.of("store", "adopt", "--output", runs).succeeded();
    assertThat(adopted.out()).contains("was cancelled for good already");
    assertThat(held(sweep)).isEqualTo(reserved);
    assertThat(CommandRun.of(sweep.command("resume")).status()).isNotEqualTo(ExitCode.DONE);
    assertThat(CommandRun.of("audit", "--output", runs).out()).contains("Adopted ");
    try (TestServer server = TestServer.with(folder, folder)) {
      String study = server.store.studies().get(0).id();
      String path = "/api/v1/studies/" + study + "/statement";
      assertThat(server.get(path, server.read).body())
          .contains("\"guarantee\" : \"void\"", "ledger lost entries");
    }
    CommandRun.run(sweep.steps(5)).succeeded();
  }

  @Test
  void aStoreWhoseWitnessIsGone_isAdoptedWhenThatIsSaid() throws Exception {
    CommandRun.run(sweep).succeeded();
    double before = held(sweep);
    Files.delete(witness);
    String runs = sweep.runs().toString();
    assertThat(CommandRun.of("store", "adopt", "--output", runs).failedWith(ExitCode.STORAGE))
        .contains("--without-witness");
    assertThat(witness).doesNotExist();
    CommandRun.of("store", "adopt", "--without-witness", "--output", runs).succeeded();
    assertThat(held(sweep)).isEqualTo(before);
    CommandRun.run(sweep).succeeded();
    assertThat(CommandRun.of("audit", "--output", runs).succeeded().out())
        .contains("Adopted ", "what this store has lost is not known");
  }

  @Test
  void aWitnessElsewhere_isTheOneThatIsKept() throws Exception {
    Path elsewhere = folder.resolve("disk").resolve("witness");
    Path store = folder.resolve("other").resolve("mutune.db");
    String output = store.resolveSibling("").toString();
    String[] create = {"account", "create", "rows", "--mu", "1", "--output", output};
    List<String> moved = List.of("env", "MUTUNE_WITNESS=" + elsewhere);
    try (MutuneProcess process = MutuneProcess.startIn(moved, create)) {
      process.end().succeeded();
    }
    assertThat(elsewhere).content().contains("account rows 0 ");
    assertThat(store.resolveSibling("mutune.db.witness")).doesNotExist();
    // Without it the store misses its witness.
    create[2] = "more";
    CommandRun.of(create).failedWith(ExitCode.STORAGE);
  }

  @Test
  void aFolderOfAStudyThatTheStoreDoesNotKnow_isFound() throws Exception {
    Path study = CommandRun.run(sweep).succeeded().folder();
    CommandRun.of("audit", "--output", sweep.runs().toString()).succeeded();
    Path other = Files.createDirectory(sweep.runs().resolve("other-0123456789ab"));
    Files.copy(study.resolve("statement.json"), other.resolve("statement.json"));
    CommandRun audit = CommandRun.of("audit", "--output", sweep.runs().toString());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("DOES NOT AGREE: other-0123456789ab has a statement");
  }

  @Test
  void aStoreWhoseWitnessIsGone_isNoticed() throws Exception {
    CommandRun.run(sweep).succeeded();
    Files.delete(witness);
    assertThat(refused("run")).contains("witness is missing");
    assertThat(witness).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 200, 1000})
  void aWitnessThatIsDamaged_isNoticed(int at) throws Exception {
    CommandRun.run(sweep).succeeded();
    byte[] bytes = Files.readAllBytes(witness);
    bytes[at] ^= 1;
    Files.write(witness, bytes);
    assertThat(refused("run")).contains("witness");
  }

  /** As after a crash between a commit and the witness's sync. */
  @ParameterizedTest
  @ValueSource(ints = {1, 40, 400})
  void aWitnessBehindTheStore_catchesUp(int lost) throws Exception {
    CommandRun.run(sweep).succeeded();
    byte[] bytes = Files.readAllBytes(witness);
    Files.write(witness, Arrays.copyOf(bytes, bytes.length - lost));
    CommandRun.run(sweep).succeeded();
    CommandRun.of("audit", "--output", sweep.runs().toString()).succeeded();
  }

  @Test
  void stepsSetBack_betweenAKillAndAResume_areNotAskedAgain() throws Exception {
    sweep.steps(2000);
    killWhenBegun(100);
    long begun;
    try (StoreView store = StoreView.of(sweep.store())) {
      begun = store.stepsBegun();
      store.execute("DROP TRIGGER IF EXISTS trial_only_goes_on");
      store.execute(
          "UPDATE trial SET steps_begun = 0, steps_asked = 0, steps_lost = 0, weights = NULL,"
              + " velocity = NULL");
    }
    assertThat(begun).isGreaterThan(100);
    assertThat(refused("resume")).contains("ledger is not what was written");
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.stepsBegun()).isZero();
    }
  }

  @Test
  void anAccountWhoseEntriesAreDeleted_isNotDrawnOn() throws Exception {
    CommandRun.run(sweep).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute("DROP TRIGGER account_entry_is_never_deleted");
      store.execute("DROP TRIGGER account_only_grows");
      store.execute("DELETE FROM account_entry");
      store.execute("UPDATE account SET entries = 0, head = '" + start() + "'");
    }
    Files.deleteIfExists(witness);
    try (StoreView store = StoreView.of(sweep.store())) {
      // Even of somebody who takes the witness away as well.
      store.execute("DELETE FROM witness");
    }
    assertThat(refused("run")).contains("the RESERVED entry of study", "is missing");
  }

  private String start() throws IOException {
    // The head of an account without entries, as its witness saw it first.
    for (String line : Files.readAllLines(witness)) {
      List<String> words = List.of(line.split(" "));
      if (words.size() > 3 && words.get(0).equals("account") && words.get(2).equals("0")) {
        return words.get(3);
      }
    }
    throw new AssertionError("the witness never saw the account empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TRIGGER trial_only_goes_on",
        "DROP TRIGGER charge_is_never_changed",
        "DROP INDEX event_about",
        "CREATE TRIGGER quiet BEFORE UPDATE ON trial BEGIN SELECT RAISE(IGNORE); END"
      })
  void rulesOfTheTablesThatWereChanged_areFound(String sql) throws Exception {
    CommandRun.run(sweep).succeeded();
    CommandRun.of("audit", "--output", sweep.runs().toString()).succeeded();
    try (StoreView store = StoreView.of(sweep.store())) {
      store.execute(sql);
    }
    CommandRun audit = CommandRun.of("audit", "--output", sweep.runs().toString());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("the store is damaged: the ");
  }

  @Test
  void aBitTurnedInATriggersText_isFound() throws Exception {
    CommandRun.run(sweep).succeeded();
    byte[] bytes = Files.readAllBytes(sweep.store());
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String rule = "a charge is never refunded";
    assertThat(text).contains(rule);
    // Pages may have what they held before beside what they hold.
    for (int at = text.indexOf(rule); at >= 0; at = text.indexOf(rule, at + 1)) {
      bytes[at] ^= 2;
    }
    Files.write(sweep.store(), bytes);
    CommandRun audit = CommandRun.of("audit", "--output", sweep.runs().toString());
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).contains("trigger charge_is_never_refunded is not the one");
  }
}
