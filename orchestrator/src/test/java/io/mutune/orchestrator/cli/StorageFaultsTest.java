package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.testing.Thorough;
import io.mutune.trainer.npy.NpyFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that fails costs one line and status 5, and loses nothing. */
@Timeout(120)
class StorageFaultsTest {
  @TempDir Path folder;
  private SmallSweep sweep;

  @BeforeEach
  void makeSweep() throws IOException {
    sweep = SmallSweep.in(folder).steps(5);
  }

  @Test
  void aStoreLockedByAnotherProcess_isNamedAndLeftAlone() throws Exception {
    CommandRun.run(sweep).succeeded();
    try (StoreView other = StoreView.of(sweep.store())) {
      other.execute("BEGIN IMMEDIATE");
      String line = CommandRun.run(sweep).failedWith(ExitCode.STORAGE);
      assertThat(line).contains(sweep.store().toString(), "is locked by another process");
      assertThat(other.number("SELECT count(*) FROM study")).isOne();
      other.execute("ROLLBACK");
    }
    CommandRun.run(sweep).succeeded();
  }

  @Test
  @Thorough
  void aStoreLockedInTheMiddleOfAStudy_endsItResumable() throws Exception {
    sweep.steps(2000);
    CommandRun failed;
    try (MutuneProcess run = MutuneProcess.start(sweep.command("run"));
        StoreView other = run.store(sweep)) {
      run.until(() -> other.stepsBegun() > 0);
      other.execute("PRAGMA busy_timeout = 5000");
      other.execute("BEGIN IMMEDIATE");
      failed = run.end();
      other.execute("ROLLBACK");
    }
    assertThat(failed.failedWith(ExitCode.STORAGE)).contains("is locked by another process");
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun.of(sweep.command("resume")).succeeded();
  }

  @ParameterizedTest
  @ValueSource(strings = {"private.csv/runs", "/proc/mutune", "/dev/null/runs"})
  void aFolderThatCannotBeMade_isNamed(String runs) {
    String output = folder.resolve(runs).toString();
    String[] run = sweep.command("run");
    run[3] = output;
    String line = CommandRun.of(run).failedWith(ExitCode.STORAGE);
    assertThat(line).contains(output);
    assertThat(sweep.runs()).doesNotExist();
  }

  /** Rows of an array go to a scratch file if they do not fit into memory by their number. */
  @Test
  void scratchFoldersThatOthersMayLookInto_areRefusedBeforeACharge() throws Exception {
    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    Path trainers = Files.createDirectory(scratch.resolve("trainers"));
    for (Path open : List.of(scratch, trainers)) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x---"));
    }
    String[] run = sweep.train(StubTrainers.onAllRows("honest")).command("run");
    assertThat(refused(scratch, run))
        .contains(trainers + ": holds private rows, so it must be for its owner alone (chmod 700)");

    run = sweep.train("{method: noisy-gd}").publicRows(5_000_000).stated().command("run");
    Path written = folder.resolve("sweep.yaml");
    Files.writeString(
        written,
        Files.readString(written)
            .replace("private.csv, format: csv, label: last", "x.npy, format: npy, labels: y.npy")
            .replace("1.0e-5", "1.0e-8")
            .replaceAll("\n  test: .*", ""));
    writeZeros("x.npy", NpyFormat.header("f4", 1, 5), 5);
    writeZeros("y.npy", NpyFormat.header("i4", 1), 1);
    assertThat(refused(scratch, run))
        .contains(scratch + ": holds private rows, so it must be for its owner alone (chmod 700)");
  }

  /** Egypt's Arabic has digits of its own. */
  @Test
  void aStoreOfAProcessInAnotherLanguage_isReadAsAnyOther() throws Exception {
    String language = "JAVA_TOOL_OPTIONS=-Duser.language=ar -Duser.country=EG";
    try (MutuneProcess process =
        MutuneProcess.startIn(List.of("env", language), sweep.command("run"))) {
      Path study = process.end().succeeded().folder();
      assertThat(study.resolve("statement.txt"))
          .content()
          .matches(text -> text.chars().noneMatch(c -> Character.isDigit(c) && c > '9'));
    }
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whereNoLibraryCanBeLoaded_thatIsSaid() throws Exception {
    CommandRun.run(sweep).succeeded();
    List<String> environment =
        List.of(
            "env", "XDG_CACHE_HOME=/proc/none", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/proc/none");
    try (MutuneProcess process =
        MutuneProcess.startIn(environment, "list", "--output", sweep.runs().toString())) {
      assertThat(process.end().failedWith(ExitCode.STORAGE))
          .contains("SQLite's library can be loaded neither from /proc/none", "set XDG_CACHE_HOME");
    }
  }

  private void writeZeros(String name, byte[] header, int values) throws IOException {
    Files.write(folder.resolve(name), Arrays.copyOf(header, header.length + values * Float.BYTES));
  }

  private String refused(Path scratch, String... run) throws Exception {
    try (MutuneProcess process =
        MutuneProcess.startIn(List.of("env", "MUTUNE_SCRATCH=" + scratch), run)) {
      String why = process.end().toldWhy(ExitCode.INVALID);
      try (StoreView store = StoreView.of(sweep.store())) {
        assertThat(store.charges()).isEmpty();
      }
      return why;
    }
  }

  @Test
  void aFolderThatIsMountedReadOnly_isNamedAndKeepsItsStudies() throws Exception {
    CommandRun.run(sweep).succeeded();
    List<String> readOnly =
        List.of("unshare", "-m", "sh", "-c", "mount --bind -o ro \"$0\" \"$0\" && exec \"$@\"");
    List<String> wrapper = new ArrayList<>(readOnly);
    wrapper.add(sweep.runs().toString());
    assumeThat(works(wrapper)).as("bind mounts are allowed here").isTrue();
    for (String command : List.of("run", "list", "audit")) {
      try (MutuneProcess process = MutuneProcess.startIn(wrapper, sweep.command(command))) {
        CommandRun run = process.end();
        if (command.equals("run")) {
          assertThat(run.failedWith(ExitCode.STORAGE)).contains(sweep.store().toString());
        } else {
          assertThat(run.status()).as(run.err()).isIn(ExitCode.DONE, ExitCode.STORAGE);
        }
      }
    }
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  private static boolean works(List<String> wrapper) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(wrapper);
    words.add("true");
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"not a database, but more than a page of text. ", "SQLite format 3\0"})
  void aFileThatIsNoDatabase_isNamedAndLeftAsItIs(String text) throws IOException {
    Files.createDirectories(sweep.runs());
    byte[] bytes = text.repeat(400).getBytes(StandardCharsets.UTF_8);
    Files.write(sweep.store(), bytes);
    for (String command : List.of("run", "list", "status", "resume")) {
      String line = CommandRun.of(sweep.command(command)).failedWith(ExitCode.STORAGE);
      assertThat(line).contains(sweep.store().toString(), "is damaged, or is no store of Mutune");
    }
    requireAuditFindsDamage();
    assertThat(sweep.store()).hasBinaryContent(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aDatabaseOfAnotherProgram_isNamedAndLeftAsItIs(int layout) throws Exception {
    Files.createDirectories(sweep.runs());
    try (StoreView other = StoreView.of(sweep.store())) {
      other.execute("CREATE TABLE study(their INTEGER)");
      other.execute("PRAGMA user_version = " + layout);
    }
    byte[] before = Files.readAllBytes(sweep.store());
    for (String command : List.of("run", "list")) {
      String line = CommandRun.of(sweep.command(command)).failedWith(ExitCode.STORAGE);
      assertThat(line).contains("is damaged, or is no store of Mutune");
    }
    assertThat(sweep.store()).hasBinaryContent(before);
  }

  @Test
  void aStoreOfANewerVersion_isNamedAndLeftAsItIs() throws Exception {
    CommandRun.run(sweep).succeeded();
    try (StoreView other = StoreView.of(sweep.store())) {
      other.execute("PRAGMA user_version = 99");
    }
    for (String command : List.of("run", "list", "audit", "resume")) {
      assertThat(CommandRun.of(sweep.command(command)).failedWith(ExitCode.STORAGE))
          .contains("newer version (layout 99");
    }
    try (StoreView other = StoreView.of(sweep.store())) {
      assertThat(other.number("SELECT count(*) FROM study")).isOne();
    }
  }

  @Test
  void aDamagedStore_isNamed() throws Exception {
    CommandRun.run(sweep).succeeded();
    try (StoreView other = StoreView.of(sweep.store())) {
      other.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    byte[] bytes = Files.readAllBytes(sweep.store());
    for (int i = 4096; i < bytes.length; i++) {
      bytes[i] = (byte) 0xa5;
    }
    Files.write(sweep.store(), bytes);
    for (String command : List.of("list", "status")) {
      CommandRun.of(sweep.command(command)).failedWith(ExitCode.STORAGE);
    }
    requireAuditFindsDamage();
  }

  /** Damage is what an audit is there to find. */
  private void requireAuditFindsDamage() {
    CommandRun audit = CommandRun.of(sweep.command("audit"));
    assertThat(audit.status()).isEqualTo(ExitCode.AUDIT_DISAGREES);
    assertThat(audit.out()).startsWith("DOES NOT AGREE: " + sweep.store()).contains("is damaged");
  }

  @Test
  void aStoreWithoutRoom_refusesToGoOnAndKeepsWhatItHas() throws Exception {
    CommandRun failed = runWithoutRoom(sweep.steps(200), 120);
    assertThat(failed.failedWith(ExitCode.STORAGE)).contains(sweep.store().toString(), "disk");
    try (StoreView view = StoreView.of(sweep.store())) {
      assertThat(view.charges()).startsWith("trial 1");
    }
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun.of(sweep.command("resume")).succeeded();
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void resultsWithoutRoom_areWrittenByAResumeOnceThereIsSome() throws Exception {
    // The report alone holds more than all that the store writes: the charting library.
    CommandRun failed = runWithoutRoom(sweep.trials(0).steps(2), 850);
    String line = failed.failedWith(ExitCode.STORAGE);
    assertThat(line).contains("the results cannot be written", "mutune resume ");
    String study = line.substring(line.indexOf("mutune resume ") + "mutune resume ".length());
    assertThat(Path.of(study)).doesNotExist();
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun resumed = CommandRun.of("resume", study).succeeded();
    assertThat(resumed.folder()).isEqualTo(Path.of(study)).isDirectory();
    assertThat(resumed.folder().resolve("report.html")).isNotEmptyFile();
    CommandRun.of(sweep.command("audit")).succeeded();
    try (StoreView view = StoreView.of(sweep.store())) {
      assertThat(view.charges()).containsExactly("final");
      assertThat(view.stepsLost()).isZero();
    }
  }

  /** The limit comes as soon as something is charged, while the process still loads its engine. */
  private static CommandRun runWithoutRoom(SmallSweep sweep, int kilobytes) throws Exception {
    assumeThat(works(List.of("prlimit", "--fsize=unlimited"))).as("prlimit is here").isTrue();
    // The engine's libraries are unpacked once for all.
    CommandRun.run(SmallSweep.in(Files.createDirectory(sweep.runs().resolveSibling("first"))))
        .succeeded();
    try (MutuneProcess run = MutuneProcess.start(sweep.command("run"));
        StoreView view = run.store(sweep)) {
      run.until(() -> view.held(() -> !view.charges().isEmpty()));
      run.limitFiles(kilobytes);
      view.release();
      return run.end();
    }
  }

  @Test
  void aMissingDataFile_isNamed_andNeitherStudyNorChargeIsMade() throws Exception {
    Files.delete(sweep.privateRows());
    String line = CommandRun.run(sweep).failedWith(ExitCode.INVALID);
    assertThat(line).contains(sweep.privateRows() + ": there is no such file");
    assertThat(sweep.runs()).doesNotExist();
  }

  @Test
  void aDataFileThatIsGoneAtAResume_isNamed_andNothingIsCharged() throws Exception {
    byte[] cutOff = {0x1f, (byte) 0x8b, 8, 0};
    Files.write(sweep.packed().stated().privateRows(), cutOff);
    assertThat(CommandRun.run(sweep, "--no-check").toldWhy(ExitCode.INVALID))
        .containsPattern(
            "study [0-9a-f]{8} has stopped; everything charged .* Go on with: mutune resume \\S+,"
                + " or give it up with: mutune cancel \\S+\n.*: is truncated or damaged");
    Files.delete(sweep.privateRows());
    List<String> before = charges();
    CommandRun.of(sweep.command("resume")).failedWith(ExitCode.INVALID);
    assertThat(charges()).isEqualTo(before).containsExactly("trial 1");
    SmallSweep.writeRows(sweep.privateRows(), 400, 5, 1);
    CommandRun.of(sweep.command("resume")).succeeded();
  }

  private List<String> charges() throws SQLException {
    try (StoreView view = StoreView.of(sweep.store())) {
      return view.charges();
    }
  }
}
