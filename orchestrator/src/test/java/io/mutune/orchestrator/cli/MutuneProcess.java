package io.mutune.orchestrator.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The command in a process of its own, to be killed. */
final class MutuneProcess implements AutoCloseable {
  private static final int MOST_SECONDS = 300;

  /** Between two looks: short beside a step of a study, and a core is left to others meanwhile. */
  private static final long PAUSE_NANOS = 1_000_000;

  private final Process process;
  private final Path out;
  private final Path err;

  private MutuneProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static MutuneProcess start(String... arguments) throws IOException {
    return startIn(List.of(), arguments);
  }

  /** For runs that compute for longer than it takes to start: compiled in full, on the kernel. */
  static MutuneProcess startWithData(Path data, String... arguments) throws IOException {
    return start(
        List.of("env", "MUTUNE_DATA=" + data),
        List.of("--add-modules", "jdk.incubator.vector"),
        arguments);
  }

  /**
   * @param wrapper the words of a command that runs what follows it
   */
  static MutuneProcess startIn(List<String> wrapper, String... arguments) throws IOException {
    return start(wrapper, List.of("-XX:TieredStopAtLevel=1"), arguments);
  }

  /**
   * On a pseudo-terminal of its own, as the launcher starts it there: what is typed reaches it as
   * signals, and both of its streams come together as the output.
   */
  static MutuneProcess onTerminal(int columns, String... arguments) throws IOException {
    List<String> words =
        words(
            List.of(
                "-XX:TieredStopAtLevel=1", "-Dmutune.terminal=true", "-Dmutune.columns=" + columns),
            arguments);
    String line =
        words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    return start(List.of("script", "-qec", "exec " + line, "/dev/null"));
  }

  /** Whether a child would never see SIGINT, as below a job in the background of a shell. */
  static boolean ignoresInterrupts() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }

  /** Types a byte on its terminal. */
  void type(int character) throws IOException {
    process.getOutputStream().write(character);
    process.getOutputStream().flush();
  }

  /** What it has said so far on standard output. */
  String output() {
    try {
      return Files.readString(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MutuneProcess start(
      List<String> wrapper, List<String> options, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(wrapper);
    words.addAll(words(options, arguments));
    return start(words);
  }

  private static List<String> words(List<String> options, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-Xmx1g"));
    words.addAll(RuntimeClasses.options());
    words.add(MutuneCommand.class.getName());
    words.addAll(List.of(arguments));
    return words;
  }

  private static MutuneProcess start(List<String> words) throws IOException {
    Path out = Files.createTempFile("mutune", ".out");
    Path err = Files.createTempFile("mutune", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().put("OPENBLAS_NUM_THREADS", "1");
    return new MutuneProcess(builder.start(), out, err);
  }

  /** What a test waits for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws SQLException;
  }

  static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** Waits for it while the process runs. */
  void until(Condition condition) throws IOException, SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (!condition.holds()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new AssertionError("it never came to that: " + Files.readString(err));
      }
      pause();
    }
  }

  /** A look into the store, once a study is in it. */
  StoreView store(SmallSweep sweep) throws IOException, SQLException {
    return store(sweep.store());
  }

  StoreView store(Path file) throws IOException, SQLException {
    until(() -> Files.exists(file));
    StoreView view = StoreView.of(file);
    until(() -> view.hasStudy());
    return view;
  }

  /** What it has said so far on standard error. */
  String errors() {
    try {
      return Files.readString(err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean running() {
    return process.isAlive();
  }

  /** SIGKILL; says whether it was still running. */
  boolean kill() throws InterruptedException {
    boolean alive = process.isAlive();
    process.destroyForcibly().waitFor();
    return alive && process.exitValue() == 128 + 9;
  }

  /** A signal by its name, without SIG. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** What a full disk does: from now on its files stop growing at this length. */
  void limitFiles(int kilobytes) throws IOException, InterruptedException {
    Process limit =
        new ProcessBuilder(
                "prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + kilobytes * 1024)
            .start();
    if (limit.waitFor() != 0) {
      throw new IOException("prlimit failed");
    }
  }

  CommandRun end() throws IOException, InterruptedException {
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("still running: " + Files.readString(err));
    }
    return new CommandRun(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(out);
    Files.deleteIfExists(err);
  }
}
