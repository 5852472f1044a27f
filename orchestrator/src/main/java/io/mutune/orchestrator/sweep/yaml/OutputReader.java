package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.ScoreRule.TestCount;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.table.ColumnGroups;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads {@code output}: where a study's files go. */
final class OutputReader {
  private static final int MOST_DELTAS = 20;

  /** Doubles have all of their digits there. */
  private static final NumberRule DELTA = NumberRule.fromTo(1e-300, 0.5);

  private final Optional<YamlSection> section;
  private final SweepContext context;
  private final Path directory;

  OutputReader(YamlSection root, SweepContext context) {
    this.section = root.section("output");
    this.context = context;
    this.directory =
        section
            .flatMap(s -> PathReader.read(s, "directory", context, context::resolveOutput))
            .orElse(context.resolveOutput("runs"));
  }

  /** Where runs go: a folder in the working folder unless the path is absolute. */
  Path directory() {
    return directory;
  }

  /** At which the statement says ε beside the usual ones. */
  List<Delta> deltas() {
    Optional<List<Double>> deltas = section.flatMap(s -> s.numbers("deltas", DELTA));
    if (deltas.isPresent() && deltas.get().size() > MOST_DELTAS) {
      section.get().broken("deltas", "must be at most " + MOST_DELTAS, deltas.get().size());
    }
    return deltas.orElse(List.of()).stream().map(Delta::of).toList();
  }

  /** The column by whose values test rows are judged, if there is one: their groups are shown. */
  Optional<ColumnGroups> by(DataReader data, Optional<ScoreRule> score) {
    return section.filter(s -> s.has("by")).flatMap(s -> by(s, data, score));
  }

  private static Optional<ColumnGroups> by(
      YamlSection section, DataReader data, Optional<ScoreRule> score) {
    Optional<Boolean> isPrivate = data.isPrivate("test");
    List<String> columns = data.table().map(ColumnGroups::columns).orElse(List.of());
    if (isPrivate.isEmpty() || columns.isEmpty()) {
      section.broken(
          "by",
          isPrivate.isEmpty()
              ? "judges test rows by group: name some as data.test"
              : "needs a column of type category or boolean in data.columns, or the card");
      return Optional.empty();
    }
    if (isPrivate.get() && TableReader.hasTarget(data.table().orElseThrow())) {
      section.broken(
          "by", "is for public test rows where targets are real: groups are counted by class");
      return Optional.empty();
    }
    if (isPrivate.get()
        && score.filter(s -> s.testCounts().contains(TestCount.CONFUSION)).isEmpty()) {
      section.broken(
          "by",
          "of private test rows needs counts of each group, in one charge: write search.score.test:"
              + " confusion, or let data.test be public rows");
      return Optional.empty();
    }
    Optional<ColumnGroups> groups =
        section
            .word("by", columns)
            .flatMap(name -> ColumnGroups.of(data.table().orElseThrow(), name));
    groups
        .filter(found -> found.names().size() > ColumnGroups.MOST)
        .ifPresent(
            found ->
                section.broken(
                    "by",
                    "must be a column of at most %d values; it has %d"
                        .formatted(ColumnGroups.MOST, found.names().size())));
    return groups;
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
    Optional<Path> file = PathReader.read(section, "perInstance", context, context::resolveOutput);
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
