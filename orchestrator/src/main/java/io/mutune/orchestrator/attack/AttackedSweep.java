package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.OutputSettings;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.UnitOfPrivacy;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
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
          "only data.private is declared to need no protection: an attack takes no data.validation"
              + " and no data.test that is private");
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
      throw new IllegalArgumentException(
          "attacks are about rows with classes, not with real targets");
    }
    if (!sweep.train().method().isCharged()) {
      throw new IllegalArgumentException(
          sweep.train().method().name() + " promises nothing that an attack could be held against");
    }
    if (sweep.output().perInstance().isPresent()) {
      throw new IllegalArgumentException("an attack leaves no output.perInstance");
    }
  }

  /**
   * Whether people of so many rows can be put among a sweep's.
   *
   * @throws IllegalArgumentException if a person of the data set never has so many that count
   */
  static void requirePerson(SweepDefinition sweep, int rows) {
    int most = sweep.data().unit().map(UnitOfPrivacy::rows).orElse(RowUnits.MOST_ROWS);
    if (rows < 1 || rows > most) {
      throw new IllegalArgumentException(
          "a person put in has 1 to %d rows%s; was %d"
              .formatted(
                  most, sweep.data().unit().map(u -> ", as the unit says").orElse(""), rows));
    }
  }

  /**
   * Whether the guarantee of the sweep's studies speaks of all rows of a person who has so many.
   */
  static boolean covers(SweepDefinition sweep, int rows) {
    return rows == 1 || sweep.data().unit().isPresent();
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
                        "a membership attack needs data.test, public rows that did not take"
                            + " part")));
  }

  private KnownRows read(DataSource source) throws IOException {
    return KnownRows.of(StudyDataFiles.of(owners, sweep).open(source, FeaturePipeline.of()));
  }

  /**
   * The same with other training rows; its public number of rows stays, as it would for users.
   *
   * @param noise in place of the sweep's, as {@link #with} has it
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
    return on(source, noise);
  }

  /**
   * The same on its own rows, charged to nobody. With a seed, to compare what two studies release,
   * trials run one after the other: else the order of charges, and so a statement, is the threads'.
   */
  SweepDefinition with(NoiseRule noise) {
    return on(sweep.data().training(), noise);
  }

  private SweepDefinition on(DataSource source, NoiseRule noise) {
    int parallelTrials = noise instanceof NoiseRule.Seeded ? 1 : sweep.run().parallelTrials();
    OutputSettings output = sweep.output();
    return sweep.on(
        source,
        new RunSettings(parallelTrials, noise),
        new OutputSettings(
            output.directory(), Optional.empty(), output.deltas(), Optional.empty()));
  }
}
