package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import io.mutune.orchestrator.display.Json;
import io.mutune.testing.Effort;
import io.mutune.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A seed repeats a study bit for bit, however it was run; without one nothing repeats. */
@Timeout(120)
class SeededStudyTest {
  @TempDir Path folder;

  /** What a study released, in full precision. */
  @SuppressWarnings("ArrayRecordComponent") // compared array by array
  private record Released(byte[] model, String trials, String testAccuracy) {
    static Released of(Path study) throws IOException {
      ObjectNode result = Json.read(Files.readString(study.resolve("result.json")));
      return new Released(
          Files.readAllBytes(study.resolve("model.npz")),
          Files.readString(study.resolve("trials.csv")),
          result.path("testAccuracy").toString());
    }

    void requireSame(Released other) {
      assertThat(other.model).isEqualTo(model);
      assertThat(other.trials).isEqualTo(trials);
      assertThat(other.testAccuracy).isEqualTo(testAccuracy);
    }
  }

  private static Released run(SmallSweep sweep) throws IOException {
    return Released.of(CommandRun.run(sweep).succeeded().folder());
  }

  @Test
  void aSeededStudy_repeatsBitForBit_andAnotherSeedDoesNot() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).seed(7);
    Released first = run(sweep);
    first.requireSame(run(sweep));
    assertThat(run(sweep.seed(8)).trials).isNotEqualTo(first.trials);
  }

  /** What AdaMix starts from is trained on public rows, which have no secret order. */
  @Test
  @Thorough
  void aSeededStudyByAnotherMethod_repeatsBitForBit() throws Exception {
    SmallSweep sampled = SmallSweep.in(folder).seed(7).train("{method: dp-sgd, samplingRate: 0.3}");
    run(sampled).requireSame(run(sampled));
    SmallSweep mixed = SmallSweep.in(folder).seed(7).adaMix();
    SmallSweep.writeRows(folder.resolve("public.csv"), 3000, 5, 9);
    run(mixed).requireSame(run(mixed));
  }

  @Test
  void aSecureStudy_neverRepeats() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder);
    Released first = run(sweep);
    Released second = run(sweep);
    assertThat(second.model).isNotEqualTo(first.model);
    assertThat(second.trials).isNotEqualTo(first.trials);
  }

  @Test
  void aSeededStudyThatWasInterrupted_endsAsIfItHadNotBeen() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).steps(1000).seed(7);
    Released whole = run(sweep);
    for (long stop : Effort.oneIn(2, Stream.of(1L, 1500L, 3100L)).toList()) {
      Released resumed = interruptedAndResumed(sweep, 4000 + stop);
      whole.requireSame(resumed);
      Files.move(sweep.runs(), folder.resolve("runs-" + stop));
      whole.requireSame(run(sweep));
    }
  }

  /** Stops it once the store has so many steps begun, a finished study's included. */
  private static Released interruptedAndResumed(SmallSweep sweep, long steps) throws Exception {
    Interruption interruption = new Interruption();
    Thread stopping =
        new Thread(
            () -> {
              try (StoreView store = StoreView.of(sweep.store())) {
                while (store.stepsBegun() < steps) {
                  MutuneProcess.pause();
                }
                interruption.request();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    stopping.start();
    CommandRun.of(interruption, sweep.command("run")).failedWith(ExitCode.INTERRUPTED);
    stopping.join();
    Released released = Released.of(CommandRun.of(sweep.command("resume")).succeeded().folder());
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.stepsLost()).isZero();
    }
    return released;
  }

  @Test
  void trialsInParallel_releaseWhatTheyWouldOneByOne() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).trials(5).steps(200).seed(7);
    Released one = run(sweep.parallel(1));
    one.requireSame(run(sweep.parallel(2)));
    one.requireSame(run(sweep.parallel(8)));
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void aTrialThatFails_stopsTheOthers_andTheStudyEndsCleanlyWithItsReason() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).packed().stated().trials(6).steps(200).parallel(2);
    byte[] cutOff = {0x1f, (byte) 0x8b, 8, 0};
    Files.write(sweep.privateRows(), cutOff);
    CommandRun stopped = CommandRun.run(sweep, "--no-check");
    assertThat(stopped.out()).isEmpty();
    assertThat(stopped.toldWhy(ExitCode.INVALID)).contains("has stopped;", "private.csv.gz: ");
    try (StoreView store = StoreView.of(sweep.store())) {
      assertThat(store.charges()).hasSizeBetween(1, 2);
      assertThat(store.stepsBegun()).isZero();
    }
    CommandRun.of(sweep.command("audit")).succeeded();
    SmallSweep.writeRows(sweep.privateRows(), 400, 5, 1);
    CommandRun.of(sweep.command("resume")).succeeded();
    CommandRun.of(sweep.command("audit")).succeeded();
  }
}
