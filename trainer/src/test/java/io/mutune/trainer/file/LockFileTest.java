package io.mutune.trainer.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LockFileTest {
  private static final int THREADS = 8;
  private static final int TIMES = 20;

  /** Six times as long as a thread waits before it looks again. */
  private static final long LONG_ENOUGH_MILLISECONDS = 300;

  @TempDir Path folder;

  /** Another process, which takes the lock of its argument and keeps it. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (LockFile held = LockFile.take(Path.of(arguments[0]))) {
        System.out.println("held by " + held.getClass().getSimpleName());
        System.in.read(); // until it is killed
      }
    }
  }

  /** Another process, which says whether the lock of its argument is held. */
  static final class Looker {
    private Looker() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println(LockFile.isHeld(Path.of(arguments[0])));
    }
  }

  private static Process java(Class<?> program, Path lock) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            lock.toString())
        .redirectErrorStream(true)
        .start();
  }

  /** Counts by reading and writing a file, which loses counts as soon as two do it together. */
  private static void countUp(Path lock, Path counter) {
    for (int i = 0; i < TIMES; i++) {
      try (LockFile held = LockFile.take(lock)) {
        int before = Integer.parseInt(Files.readString(counter));
        Files.writeString(counter, Integer.toString(before + 1));
        assertThat(held).isNotNull();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void threadsTakeTurns_byWhateverPathTheyKnowTheFile() throws Exception {
    Path counter = Files.writeString(folder.resolve("counter"), "0");
    Path place = Files.createDirectory(folder.resolve("cache"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), place);
    List<CompletableFuture<Void>> all =
        IntStream.range(0, THREADS)
            .mapToObj(
                i -> thread(() -> countUp((i % 2 == 0 ? place : link).resolve("a.lock"), counter)))
            .toList();
    for (CompletableFuture<Void> one : all) {
      one.get(100, TimeUnit.SECONDS);
    }
    assertThat(Files.readString(counter)).isEqualTo(Integer.toString(THREADS * TIMES));
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(place.resolve("a.lock"))))
        .isEqualTo("rw-------");
  }

  /** A thread of its own, since those of a pool may wait for each other. */
  private static CompletableFuture<Void> thread(Runnable work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (RuntimeException | AssertionError e) {
                end.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  @Test
  void anotherProcessIsWaitedFor_untilItIsKilled() throws Exception {
    Path lock = folder.resolve("a.lock");
    Process holder = java(Holder.class, lock);
    try (BufferedReader said = holder.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("held by LockFile");
      CompletableFuture<Void> waits =
          thread(
              () -> {
                try (LockFile held = LockFile.take(lock)) {
                  assertThat(held).isNotNull();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      Thread.sleep(LONG_ENOUGH_MILLISECONDS);
      assertThat(waits).isNotDone();
      holder.destroyForcibly().waitFor();
      waits.get(60, TimeUnit.SECONDS);
    } finally {
      holder.destroyForcibly();
    }
  }

  /** An interrupt must not take the lock from another thread of this process. */
  @Test
  void anInterruptedThread_waitsAllTheSame_andStaysInterrupted() throws Exception {
    Path lock = folder.resolve("a.lock");
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread waits =
        new Thread(
            () -> {
              try (LockFile held = LockFile.take(lock)) {
                interrupted.complete(held != null && Thread.currentThread().isInterrupted());
              } catch (IOException e) {
                interrupted.completeExceptionally(e);
              }
            });
    try (LockFile held = LockFile.take(lock)) {
      assertThat(held).isNotNull();
      waits.start();
      waits.interrupt();
      Thread.sleep(LONG_ENOUGH_MILLISECONDS);
      assertThat(interrupted).isNotDone();
    }
    assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
  }

  /** A second channel that this process closes would free the lock for other processes. */
  @Test
  void lookingAtALock_doesNotFreeIt() throws Exception {
    Path lock = folder.resolve("a.lock");
    assertThat(LockFile.isHeld(lock)).isFalse();
    try (LockFile held = LockFile.take(lock)) {
      assertThat(held).isNotNull();
      assertThat(LockFile.isHeld(lock)).isTrue();
      assertThat(LockFile.tryTake(lock)).isEmpty();
      Process other = java(Looker.class, lock);
      try (BufferedReader said = other.inputReader(StandardCharsets.UTF_8)) {
        assertThat(said.readLine()).isEqualTo("true");
      } finally {
        other.destroyForcibly();
      }
    }
    assertThat(LockFile.isHeld(lock)).isFalse();
  }

  @Test
  void whereNoFileCanBeMade_thereIsNoLock() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    assertThatIOException().isThrownBy(() -> LockFile.take(file.resolve("a.lock")));
    Path taken = Files.createDirectory(folder.resolve("b.lock"));
    assertThatIOException().isThrownBy(() -> LockFile.take(taken));
  }
}
