package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.TrainDefinition;
import java.nio.file.Path;
import java.util.Optional;

/** Reads {@code output}: where a study's files go. */
final class OutputReader {
  private final Optional<YamlSection> section;
  private final SweepContext context;
  private final Path directory;

  OutputReader(YamlSection root, SweepContext context) {
    this.section = root.section("output");
    this.context = context;
    this.directory =
        section
            .flatMap(s -> s.path("directory", context, context::resolveOutput))
            .orElse(context.resolveOutput("runs"));
  }

  /** Where runs go: a folder in the working folder unless the path is absolute. */
  Path directory() {
    return directory;
  }

  /** The file for what each row has cost, if there is one; the last of what is read here. */
  Optional<Path> perInstance(
      Optional<TrainDefinition> train, Optional<Budget> budget, NoiseRule noise) {
    Optional<Path> file = section.flatMap(s -> perInstance(s, train, budget, noise));
    section.ifPresent(YamlSection::finish);
    return file;
  }

  /** Figures that follow from single rows: far from what is released, and only where proved. */
  private Optional<Path> perInstance(
      YamlSection section,
      Optional<TrainDefinition> train,
      Optional<Budget> budget,
      NoiseRule noise) {
    Optional<Path> file = section.path("perInstance", context, context::resolveOutput);
    if (file.isEmpty()) {
      return file;
    }
    if (file.get().startsWith(directory)) {
      section.broken(
          "perInstance", "holds private figures, so it must not be in the output directory");
    }
    if (train.filter(t -> !t.method().hasRowCosts()).isPresent()) {
      section.broken(
          "perInstance",
          "is for methods whose every step takes all rows and clips them (noisy-gd, fully-private,"
              + " adamix, or a samplingRate of 1)",
          train.get().method().name());
    }
    if (budget.filter(b -> b.adjacency() != Adjacency.ADD_REMOVE).isPresent()) {
      section.broken(
          "perInstance", "is proved for adjacency: add-remove", budget.get().adjacency().key());
    }
    if (noise.grid().isPresent()) {
      section.broken("perInstance", "leaves no room for rounding to a grid", "noise on a grid");
    }
    return file;
  }
}
