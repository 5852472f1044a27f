package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsFileTest {
  @TempDir private Path folder;

  @Test
  void aRun_leavesItsMetricsWithoutTheTimeOfAStep() throws IOException {
    Path file = folder.resolve("mutune.prom");
    CommandRun.run(SmallSweep.in(folder), "--metrics", file.toString()).succeeded();

    assertThat(Files.readString(file).lines())
        .contains("mutune_studies{state=\"finished\"} 1.0", "mutune_trials{state=\"scored\"} 3.0")
        .anyMatch(line -> line.startsWith("mutune_account_mu_spent{account="))
        .anyMatch(line -> line.startsWith("mutune_store_seconds_count{operation=\"reserve\"} 7"))
        .noneMatch(line -> line.startsWith("mutune_trial_step"))
        // Asked once a second, so that how often it was is a time.
        .noneMatch(line -> line.contains("operation=\"study\""));
  }

  @Test
  void aResumedRun_leavesItsMetricsToo_andOfTheAccountThatItDrawsOn() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).account("rows");
    CommandRun.of("account", "create", "rows", "--mu", "2", "--output", sweep.runs().toString())
        .succeeded();
    Interruption interruption = new Interruption();
    interruption.request();
    assertThat(CommandRun.of(interruption, sweep.command("run")).status())
        .isEqualTo(ExitCode.INTERRUPTED);
    Path file = folder.resolve("mutune.prom");
    CommandRun.of(sweep.command("resume", "--metrics", file.toString())).succeeded();

    assertThat(Files.readString(file).lines())
        .contains(
            "mutune_studies{state=\"finished\"} 1.0",
            "mutune_account_mu_reserved{account=\"rows\"} 0.0")
        .anyMatch(line -> line.startsWith("mutune_account_mu_spent{account=\"rows\"} 0."))
        .anyMatch(
            line ->
                line.startsWith("mutune_account_epsilon_left{account=\"rows\",delta=\"1.0E-5\"}"))
        .anyMatch(line -> line.startsWith("mutune_store_seconds_count{operation=\"reserve\"}"));
  }

  @Test
  void whatAStudyIsMadeOf_isNotOverwritten_andThePlaceIsLookedAtFirst() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder);
    CommandRun.run(sweep).succeeded();
    for (Path file : List.of(sweep.store(), sweep.privateRows(), folder.resolve("sweep.yaml"))) {
      byte[] before = Files.readAllBytes(file);
      assertThat(CommandRun.run(sweep, "--metrics", file.toString()).failedWith(ExitCode.INVALID))
          .contains("--metrics " + file);
      assertThat(file).hasBinaryContent(before);
    }
    String nowhere = folder.resolve("none/m.prom").toString();
    assertThat(CommandRun.run(sweep, "--metrics", nowhere).failedWith(ExitCode.INVALID))
        .contains("there is no folder");
    assertThat(CommandRun.of(sweep.command("list", "--format", "json")).succeeded().out())
        .containsOnlyOnce("\"study\" :");
  }

  @Test
  void theStoreThatARunMakes_isKnownToo_andItsFolderIsThere() throws Exception {
    SmallSweep sweep = SmallSweep.in(folder);
    for (String name : List.of("mutune.db", "mutune.db.witness")) {
      Path file = sweep.runs().resolve(name);
      assertThat(CommandRun.run(sweep, "--metrics", file.toString()).failedWith(ExitCode.INVALID))
          .contains("is a file of SQLite");
    }
    Path beside = sweep.runs().resolve("m.prom");
    CommandRun.run(sweep, "--metrics", beside.toString()).succeeded();
    assertThat(beside).content().contains("mutune_studies{state=\"finished\"} 1.0");
    KilledStudyTest.audit(sweep);
  }

  @Test
  void theTimeOfAStep_isThereForWhoeverAsksForIt() throws IOException {
    Path file = folder.resolve("mutune.prom");
    CommandRun.run(SmallSweep.in(folder), "--metrics", file.toString(), "--step-times").succeeded();

    assertThat(Files.readString(file).lines())
        .anyMatch(line -> line.matches("mutune_trial_step_seconds_count [1-9].*"));
  }

  /** All of them are one step to the store, so that its time is that of all. */
  @Test
  void theTimeOfSecretRuns_isThereForNobody() throws IOException {
    Path file = folder.resolve("mutune.prom");
    SmallSweep sweep =
        SmallSweep.in(folder)
            .search(
                "{strategy: random-stopping, space: {learningRate: {min: 0.1, max: 9}, steps: 20},"
                    + " runs: {mean: 5.9, law: binomial, most: 6}, score: {on: private, epsilon:"
                    + " 0.3}}");
    CommandRun.run(sweep, "--metrics", file.toString(), "--step-times").succeeded();

    assertThat(Files.readString(file)).contains("beginSteps").doesNotContain("mutune_trial_step");
  }
}
