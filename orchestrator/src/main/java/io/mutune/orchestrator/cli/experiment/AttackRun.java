package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.OutputFile;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.cli.input.SweepFile;
import io.mutune.orchestrator.cli.run.FormCheck;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.report.AttackPage;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands of {@code mutune attack} have in common: coins, and what they leave. */
abstract class AttackRun extends ExperimentCommand {
  private static final long MOST = 1_000_000_000L;

  @Mixin private SweepFile file = new SweepFile();

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "of canaries, coins and reference rows (default: a fresh one, which is shown)")
  private @Nullable Long seed;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "where to leave the figures (default: ${DEFAULT-VALUE})")
  private Path output = Path.of("attack.json");

  @Mixin private StoreOption location = new StoreOption();
  @Mixin private Format format = new Format();

  /**
   * Makes the attack.
   *
   * @param sweep that was read and planned, whose files are there
   * @param environment whose listener hears nothing, without a key
   * @return what it showed, as {@code attack.json}
   * @throws IllegalArgumentException if the sweep or its rows do not bear it
   */
  abstract AttackDocument attack(SweepFile.Sweep sweep, RunEnvironment environment)
      throws IOException;

  /** The sweep as a new study is to remember it, whose files have the form that it says. */
  SweepFile.Sweep checked(FormCheck form, SweepFile.Sweep sweep, Path folder) throws IOException {
    return form.of(sweep, file.path().toString(), () -> location.owners(folder), this);
  }

  /** Refuses what options alone show to be wrong; nothing was read. */
  void check() {}

  @Override
  public Integer call() throws IOException {
    check();
    SweepFile.Sweep sweep = file.read(location.cards());
    file.requireKept(sweep, output);
    OutputFile.makePlaces(output);
    AttackDocument document;
    try {
      document = attack(sweep, environment());
    } catch (IllegalArgumentException e) {
      throw new UsageException(file.path() + ": " + e.getMessage());
    }
    String json = Json.write(document);
    OutputFile.writeWithPage(
        output,
        json,
        () -> AttackPage.html(document),
        figures -> AttackPage.writeFigures(document, figures));
    out().print(format.json() ? json : document.text());
    out().flush();
    return document.refuted() ? ExitCode.AUDIT_DISAGREES : ExitCode.DONE;
  }

  /**
   * For attacks that look at every row: refuses rows that need protection before any is read.
   *
   * @param folder with the studies whose store knows the accounts
   */
  AttackedSweep attackable(SweepFile.Sweep sweep, Path folder) throws IOException {
    SweepDefinition definition = sweep.definition();
    AttackedSweep attacked =
        new AttackedSweep(definition, sweep.text(), sweep.context(), location.owners(folder));
    sweep.plan();
    StudyDataFiles.of(attacked.owners(), definition);
    return attacked;
  }

  /** The store that knows the accounts. */
  StoreOption location() {
    return location;
  }

  long seed() {
    if (seed == null) {
      seed = (new SecureRandom().nextLong() & Long.MAX_VALUE) % MOST;
    }
    if (seed < 0 || seed > MOST) {
      throw new UsageException("--seed must be from 0 to " + MOST + "; was " + seed);
    }
    return seed;
  }

  static void checkConfidence(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new UsageException("--confidence must lie between 0 and 1; was " + confidence);
    }
  }
}
