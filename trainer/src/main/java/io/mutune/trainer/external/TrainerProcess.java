package io.mutune.trainer.external;

import io.mutune.trainer.file.ScratchFolder;
import io.mutune.trainer.model.ModelFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A trainer that runs. What it says is taken line by line, and none of it is passed on: a failure
 * is told in words of our own. Its standard error goes into a file for whoever runs it alone. When
 * it is closed, all processes that it has started end with it.
 */
public final class TrainerProcess implements AutoCloseable {
  private static final int MOST_LINE = 1 << 20;
  private static final int MOST_LINES = 64;
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration TO_END = Duration.ofSeconds(5);

  /** In the environment of all that it starts, so that these are known again. */
  private static final String MARK = "MUTUNE_TRAINER";

  /** After which its standard input is at its end. */
  private static final byte[] NO_MORE = new byte[0];

  private final Process process;
  private final Path log;
  private final String mark;
  private final Duration silence;
  private final BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(MOST_LINES);
  private final BlockingQueue<byte[]> said = new LinkedBlockingQueue<>();
  private final List<Thread> threads;
  private final Set<ProcessHandle> started = new HashSet<>();
  private long looked = System.nanoTime();
  private volatile boolean failed;

  /** A line, or why there is none after it. */
  private record Heard(String line, Kind kind) {
    enum Kind {
      LINE,
      TOO_LONG,
      END
    }
  }

  private TrainerProcess(Process process, Path log, String mark, Duration silence) {
    this.process = process;
    this.log = log;
    this.mark = mark;
    this.silence = silence;
    this.threads =
        List.of(daemon("trainer-reader", this::read), daemon("trainer-writer", this::write));
  }

  static TrainerProcess start(TrainerCommand trainer, Path work) throws IOException {
    Path log = ScratchFolder.log();
    String mark = UUID.randomUUID().toString();
    ProcessBuilder builder = new ProcessBuilder(trainer.command());
    builder.directory(trainer.folder().toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> environment = builder.environment();
    String path = environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    environment.clear();
    environment.put("PATH", path);
    environment.put("LANG", "C.UTF-8");
    environment.put("HOME", work.toString());
    environment.put("TMPDIR", work.toString());
    environment.putAll(trainer.environment());
    environment.put(MARK, mark);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      String what =
          "'%s' cannot be started in %s".formatted(trainer.command().get(0), trainer.folder());
      note(log, what + ".");
      throw new ModelFile.Failure("train.command: " + what, e);
    }
    return new TrainerProcess(process, log, mark, trainer.silence());
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void read() {
    try (InputStream in = process.getInputStream()) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      byte[] chunk = new byte[1 << 13];
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        int from = 0;
        for (int i = 0; i < count; i++) {
          if (chunk[i] == '\n') {
            line.write(chunk, from, i - from);
            from = i + 1;
            if (line.size() > MOST_LINE) {
              break;
            }
            heard.put(new Heard(line.toString(StandardCharsets.UTF_8), Heard.Kind.LINE));
            line.reset();
          }
        }
        line.write(chunk, from, count - from);
        if (line.size() > MOST_LINE) {
          heard.put(new Heard("", Heard.Kind.TOO_LONG));
          return;
        }
      }
      heard.put(new Heard("", Heard.Kind.END));
    } catch (IOException | InterruptedException e) {
      // Its pipe is closed because it is being ended.
      heard.offer(new Heard("", Heard.Kind.END));
    }
  }

  /** On a thread of its own: one that reads nothing must not stop whoever speaks to it. */
  private void write() {
    try (OutputStream out = process.getOutputStream()) {
      for (byte[] next = said.take(); next != NO_MORE; next = said.take()) {
        out.write(next);
        out.flush();
      }
    } catch (IOException | InterruptedException e) {
      // That it has ended is seen where it is listened to.
    }
  }

  /** Tells it something. */
  public void send(Map<String, ?> message) {
    said.add((JsonLine.write(message) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * What it says next.
   *
   * @param cancelled looked at while it says nothing
   * @return empty if it was cancelled, or this thread was interrupted
   * @throws ModelFile.Failure if it says nothing for too long, has ended, or says what is no
   *     message
   */
  public Optional<Map<String, Object>> receive(BooleanSupplier cancelled) throws ModelFile.Failure {
    long from = System.nanoTime();
    while (!cancelled.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      boolean alive = process.isAlive();
      Heard next = poll();
      lookAround();
      if (next == null && !alive) {
        // What it started may hold its end of the pipe open.
        throw failure("has ended before it was told to");
      }
      if (next == null) {
        if (System.nanoTime() - from > silence.toNanos()) {
          throw failure("said nothing for %d s".formatted(silence.toSeconds()));
        }
        continue;
      }
      return Optional.of(
          switch (next.kind()) {
            case TOO_LONG ->
                throw failure("wrote a line of more than %d bytes".formatted(MOST_LINE));
            case END -> throw failure("has ended before it was told to");
            case LINE ->
                JsonLine.read(next.line())
                    .filter(message -> message.get("type") instanceof String)
                    .orElseThrow(() -> failure("wrote a line that is no message"));
          });
    }
    return Optional.empty();
  }

  private @Nullable Heard poll() {
    try {
      return heard.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Those that it has started are still known when it has ended. */
  private void lookAround() {
    if (System.nanoTime() - looked > LOOK.toNanos()) {
      process.descendants().forEach(started::add);
      looked = System.nanoTime();
    }
  }

  /** That it failed, for whoever runs it alone: how it did so may follow from rows. */
  public ModelFile.Failure failure(String what) {
    return failure(what, "");
  }

  /**
   * The same, and more for its log alone.
   *
   * @param more a text behind what it did, or none
   */
  public ModelFile.Failure failure(String what, String more) {
    note("The trainer " + what + more + ".");
    return new ModelFile.Failure(
        "train.command: the trainer %s; what it wrote on standard error is in %s, which is private"
            .formatted(what, log));
  }

  /** Tells it to end, as does the end of its standard input, and gives it a while. */
  public void end() {
    send(Map.of("type", "end"));
    said.add(NO_MORE);
    try {
      if (!process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
        note("It did not end when it was told to, and was ended.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void note(String line) {
    failed = true;
    note(log, line);
  }

  private static void note(Path log, String line) {
    try {
      Files.writeString(log, "Mutune: " + line + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      // Nobody but its reader would have missed it.
    }
  }

  /** Ends it, and whatever it has started; the log of one that has not failed goes too. */
  @Override
  public void close() {
    process.descendants().forEach(started::add);
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
    endMarked();
    threads.forEach(Thread::interrupt);
    try {
      process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!process.isAlive() && process.exitValue() != 0) {
      note("It ended with exit status %d.".formatted(process.exitValue()));
    }
    try {
      if (!failed || Files.size(log) == 0) {
        Files.delete(log);
      }
    } catch (IOException e) {
      // It stays.
    }
  }

  /** Where the system shows environments, also those whose parent has ended in between. */
  private void endMarked() {
    for (int round = 0; round < 5; round++) {
      List<ProcessHandle> left = ProcessHandle.allProcesses().filter(this::isMarked).toList();
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private boolean isMarked(ProcessHandle other) {
    Path environment = Path.of("/proc", Long.toString(other.pid()), "environ");
    try {
      return Files.readString(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark);
    } catch (IOException e) {
      return false; // it has ended, is somebody else's, or the system has no such files
    }
  }
}
