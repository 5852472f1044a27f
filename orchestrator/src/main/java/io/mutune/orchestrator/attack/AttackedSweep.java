package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.OutputSettings;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A sweep whose rows may be attacked: they are declared public or simulated. All of its studies
 * spend its whole budget again, which no private rows could bear.
 *
 * @param text of the sweep file
 * @param owners of files, who are asked before one is opened
 */
public record AttackedSweep(
    SweepDefinition sweep, String text, SweepContext context, FileOwners owners) {
  /**
   * @throws IllegalArgumentException if its rows need protection, or it is not about classes; no
   *     row was read
   */
  public AttackedSweep {
    if (sweep.data().unit().isPresent()) {
      throw new IllegalArgumentException(
          "an attack looks at rows one by one, and the unit of this data set is a person");
    }
    if (!sweep.data().declared().isOpen()) {
      throw new IllegalArgumentException(
          "an attack looks at every row and runs studies without counting what they cost, so"
              + " data.private must be declared: public or declared: simulated; 'mutune attack"
              + " canary' alone can be charged to an account (budget.account)");
    }
    if (Stream.of(sweep.data().validation(), sweep.data().test())
        .flatMap(Optional::stream)
        .anyMatch(DataSource::isPrivate)) {
      throw new IllegalArgumentException(
          "only data.private is declared to need no protection: an attack takes no data.validation and"
              + " no data.test that is private");
    }
    requireAttackable(sweep);
  }

  /**
   * What every attack asks of a sweep, whoever its rows belong to.
   *
   * @throws IllegalArgumentException if there is nothing to attack
   */
  static void requireAttackable(SweepDefinition sweep) {
    if (sweep.classes() < 2) {
      throw new IllegalArgumentException("attacks are about rows with classes");
    }
    if (!sweep.train().method().isCharged()) {
      throw new IllegalArgumentException(
          sweep.train().method().name() + " promises nothing that an attack could be held against");
    }
    if (sweep.output().perInstance().isPresent()) {
      throw new IllegalArgumentException("an attack leaves no output.perInstance");
    }
  }

  /** The training rows before any feature map. */
  public KnownRows trainingRows() throws IOException {
    return read(sweep.data().training());
  }

  /**
   * The test rows before any feature map.
   *
   * @throws IllegalArgumentException if there are none that are public
   */
  public KnownRows testRows() throws IOException {
    return read(
        sweep
            .data()
            .test()
            .filter(test -> !test.isPrivate())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a membership attack needs data.test, public rows that did not take part")));
  }

  private KnownRows read(DataSource source) throws IOException {
    return KnownRows.of(StudyDataFiles.of(owners, sweep).open(source, FeaturePipeline.of()));
  }

  /**
   * The same with other training rows; its public number of rows stays, as it would for users. With
   * a seed, to compare what two studies release, trials run one after the other: else the order of
   * charges, and so a statement, is the threads'.
   */
  SweepDefinition on(Path rows, int columns, NoiseRule noise) {
    DataSource source =
        new DataSource(
            new DataSpec(
                rows,
                null,
                DataFormat.NPZ,
                CsvLayout.standard(),
                ClassLabels.of(sweep.classes()),
                columns,
                null),
            sweep.data().training().rows(),
            true);
    SweepData data = sweep.data();
    return new SweepDefinition(
        sweep.name(),
        sweep.description(),
        new SweepData(
            source,
            data.declared(),
            data.publicRows(),
            data.validation(),
            data.test(),
            data.features(),
            data.mean(),
            Optional.empty(),
            data.confirmed(),
            data.unit()),
        sweep.budget(),
        sweep.search(),
        sweep.score(),
        sweep.metric(),
        sweep.train(),
        new RunSettings(
            noise instanceof NoiseRule.Seeded ? 1 : sweep.run().parallelTrials(), noise),
        new OutputSettings(sweep.output().directory(), Optional.empty()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
