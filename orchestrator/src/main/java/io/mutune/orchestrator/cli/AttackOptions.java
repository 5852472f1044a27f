package io.mutune.orchestrator.cli;

import io.mutune.orchestrator.attack.AttackedSweep;
import io.mutune.orchestrator.report.AttackDocument;
import io.mutune.orchestrator.report.AttackPage;
import io.mutune.orchestrator.report.Json;
import io.mutune.orchestrator.study.StudyDataFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** What the commands of {@code mutune attack} have in common: the sweep, coins, what they leave. */
final class AttackOptions {
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

  @Mixin private Format format = new Format();

  /** Refuses rows that need protection before any is read. */
  AttackedSweep sweep() throws IOException {
    SweepFile.Sweep sweep = file.read();
    try {
      AttackedSweep attacked = new AttackedSweep(sweep.definition(), sweep.text(), sweep.context());
      sweep.plan();
      StudyDataFiles.check(sweep.definition());
      return attacked;
    } catch (IllegalArgumentException e) {
      throw new UsageException(file.path() + ": " + e.getMessage());
    }
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

  static BooleanSupplier heeding(@Nullable MutuneCommand mutune) {
    Interruption interruption = Objects.requireNonNull(mutune, "picocli injects it").interruption();
    interruption.heed();
    return interruption::requested;
  }

  /** The page and the figures stand beside the file, under its name. */
  int leave(ObjectNode document, @Nullable CommandSpec spec) throws IOException {
    String json = Json.write(document);
    String name = output.toAbsolutePath().getFileName().toString().replaceAll("\\.json$", "");
    Path folder = output.toAbsolutePath().resolveSibling(".").normalize();
    Files.createDirectories(folder);
    Files.writeString(output, json);
    Files.writeString(folder.resolve(name + ".html"), AttackPage.html(document));
    AttackPage.writeFigures(document, folder.resolve(name + "-figures"));
    Output.of(spec).print(format.json() ? json : AttackDocument.text(document));
    Output.of(spec).flush();
    return document.path("refutes").asBoolean(false) ? ExitCode.AUDIT_DISAGREES : ExitCode.DONE;
  }
}
