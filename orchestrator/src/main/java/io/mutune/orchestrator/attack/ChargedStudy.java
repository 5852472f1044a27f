package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyHold;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.Canaries;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.io.function.IOConsumer;

/**
 * Of private rows: a study like any other, planned, charged to the account and kept in the store,
 * with canaries beside the rows. Those are made of public rows and coins alone, so the study hides
 * a private row as well as it would without them; and the attacker sees what is released and public
 * and nothing else, so that all that follows is paid for by the study's charges.
 */
public final class ChargedStudy implements AuditedStudy {
  private final SweepDefinition sweep;
  private final String text;
  private final SweepContext context;
  private final StudyStore store;
  private final Path folder;
  private final IOConsumer<StudyResult> keeper;
  private final RunEnvironment environment;
  private final KnownRows like;

  /**
   * Reads public rows, and no others.
   *
   * @param text of the sweep file
   * @param store that has the account; stays open
   * @param environment whose listener hears nothing
   * @param folder under which the study's own is made
   * @param keeper writes down what a study has released, as for any other
   * @throws IllegalArgumentException as {@link #check} does
   * @throws io.mutune.orchestrator.store.AccountRefusedException if a file may not be opened
   */
  public ChargedStudy(
      SweepDefinition sweep,
      String text,
      SweepContext context,
      StudyStore store,
      Path folder,
      IOConsumer<StudyResult> keeper,
      RunEnvironment environment)
      throws IOException {
    check(sweep);
    this.sweep = sweep;
    this.text = text;
    this.context = context;
    this.store = store;
    this.folder = folder;
    this.keeper = keeper;
    this.environment = environment;
    this.like =
        KnownRows.of(
            StudyDataFiles.of(store.owners(), sweep).open(publicRows(sweep), FeaturePipeline.of()));
  }

  /**
   * Whether private rows of this sweep can be audited; reads nothing.
   *
   * @throws IllegalArgumentException if it names no account, or has no public rows
   */
  public static void check(SweepDefinition sweep) {
    AttackedSweep.requireAttackable(sweep);
    if (sweep.account().isEmpty()) {
      throw new IllegalArgumentException(
          "an audit of private rows costs what a study does: name the account that it is charged to"
              + " (budget.account); rows that need no protection are declared: public or declared:"
              + " simulated");
    }
    publicRows(sweep);
  }

  private static DataSource publicRows(SweepDefinition sweep) {
    return Stream.of(sweep.data().publicRows(), sweep.data().validation(), sweep.data().test())
        .flatMap(Optional::stream)
        .filter(rows -> !rows.isPrivate())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "canaries among private rows are made like public ones: give data.public,"
                        + " data.validation or data.test"));
  }

  @Override
  public SweepDefinition sweep() {
    return sweep;
  }

  @Override
  public Engine engine() {
    return environment.engine();
  }

  @Override
  public KnownRows canaries(CanaryKind kind, int count, long seed) {
    return switch (kind) {
      case GRADIENT -> Canaries.quiet(like, sweep.classes(), count);
      case MISLABELLED ->
          throw new IllegalArgumentException(
              "canaries of kind mislabelled are rows of the data, which are private");
      case AMPLIFIED ->
          throw new IllegalArgumentException(
              "canaries of kind amplified follow from a study without them, which private rows would"
                  + " be charged for once more");
    };
  }

  /** Public rows in place of the private ones, of which nobody knows any. */
  @Override
  public Knowledge knowledge() {
    return new Knowledge(like, (double) sweep.rows() / like.people().count(), false);
  }

  /**
   * Charges the account, runs the study and keeps its results.
   *
   * @throws io.mutune.orchestrator.store.AccountRefusedException if the account has no room; no
   *     private row was read
   */
  @Override
  @SuppressWarnings("try") // what is held is not used
  public Transcript run(KnownRows members) throws IOException {
    Study study = Study.create(StudyPlan.of(sweep), Study.WITH_CANARIES + text, context, folder);
    study.enter(store);
    try (StudyHold hold = store.hold(study.id())) {
      store.move(study.id(), StudyState.RUNNING);
      try {
        Transcript transcript =
            RecordedStudy.run(store, study, members.asPublic(), environment, Optional.empty());
        keeper.accept(transcript.result());
        store.move(study.id(), StudyState.FINISHED);
        return transcript;
      } catch (IOException | RuntimeException e) {
        cancel(study.id(), e);
        throw e;
      }
    }
  }

  /** Nothing goes on with it, so what it was not charged for is the account's again. */
  private void cancel(String study, Exception failure) {
    try {
      store.move(study, StudyState.CANCELLED, "an audit that did not come to its end");
    } catch (StoreException | IllegalStateException e) {
      failure.addSuppressed(e);
    }
  }

  /** The store stays open. */
  @Override
  public void close() {}
}
