package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowRoom;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.io.function.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of a study begin with: its data sets, the maps of their rows and its methods. Its
 * private mean, which is part of the maps, is released here.
 */
final class StudyInputs {
  private final StudyStore store;
  private final Study study;
  private final StudyListener listener;
  private final StudyNoise noise;
  private final DataNotes notes;
  private final Optional<RowRoom.Share> share;
  private final StudyCancellation cancellation;
  private final IOSupplier<StudyData> opening;
  private @Nullable StudyData data;
  private @Nullable MethodMaker methods;

  /** A question about private rows that has been charged. */
  @FunctionalInterface
  interface Asked {
    double[] answer(ReservedCharge proof, PrivateRows rows) throws IOException;
  }

  /**
   * @param opening lets the files of a study through, when it begins or goes on
   */
  StudyInputs(
      StudyStore store,
      Study study,
      StudyListener listener,
      StudyNoise noise,
      DataNotes notes,
      Optional<RowRoom.Share> share,
      StudyCancellation cancellation,
      IOSupplier<StudyData> opening) {
    this.store = store;
    this.study = study;
    this.listener = listener;
    this.noise = noise;
    this.notes = notes;
    this.share = share;
    this.cancellation = cancellation;
    this.opening = opening;
  }

  /**
   * Asks the accounts about every file, reads and checks what is public, before the first charge,
   * and releases the private mean if the sweep has one: what is public goes through it too.
   *
   * @throws NoRoomException if other studies leave no room for the private rows
   * @throws IOException if it cannot be read, or does not suit the sweep
   */
  void prepare() throws IOException {
    StudyData opened = opening.get();
    data = opened;
    double bytes = opened.checkReading();
    if (share.isPresent() && !share.get().hold(bytes)) {
      throw new NoRoomException();
    }
    methods = MethodMaker.of(study.plan(), opened);
    opened.readPublic();
    notes.open(opened.files());
    Optional<MeanStep> step = study.sweep().data().mean();
    if (step.isPresent()) {
      data = opened.with(mean(step.get(), opened.beforeMean()));
      methods = MethodMaker.of(study.plan(), data);
    }
  }

  /** Rows are taken as they are where a crash lost the mean. */
  private double[] mean(MeanStep step, PrivateData rows) throws IOException {
    Charge charge = study.plan().meanCharge().orElseThrow();
    SweepDefinition sweep = study.sweep();
    Optional<double[]> mean =
        released(
            charge,
            DataNotes.TRAINING,
            rows,
            (proof, read) ->
                step.mean(sweep.budget(), sweep.rows(), sweep.run().noise().grid())
                    .release(proof, read, noise.source(), noise.mean()));
    if (mean.isPresent()) {
      return mean.get();
    }
    listener.note(
        charge.what() + " was lost in a crash: its charge is spent, rows stay as they are");
    double[] nothing = step.nothing();
    // So that every process that runs the study takes them so.
    store.release(study.id(), charge.what(), nothing);
    return nothing;
  }

  /**
   * What one charge releases, durable before it is used, or what an earlier start released; empty
   * if a crash lost the answer to a question that was begun: it is not asked again.
   */
  Optional<double[]> released(Charge charge, String part, PrivateData rows, Asked question)
      throws IOException {
    Optional<StoredRelease> earlier = store.release(study.id(), charge.what());
    if (earlier.isPresent()) {
      return earlier.get().values();
    }
    cancellation.check();
    ReservedCharge proof = new Ledger(store, study).reserved(charge);
    PrivateRows read = rows(part, rows, proof);
    store.beginRelease(study.id(), charge.what());
    double[] released;
    try {
      released = question.answer(proof, read);
    } catch (UncheckedIOException e) {
      throw e.getCause(); // of machines that hold the rows, in one line
    }
    store.release(study.id(), charge.what(), released);
    return Optional.of(released);
  }

  StudyData data() {
    return Objects.requireNonNull(data, "prepare() comes first");
  }

  /** The training rows, against a charge. */
  PrivateRows training(ReservedCharge proof) throws IOException {
    return rows(DataNotes.TRAINING, data().training(), proof);
  }

  /** The rows of a part of the sweep, against a charge. */
  PrivateRows rows(String part, PrivateData rows, ReservedCharge proof) throws IOException {
    PrivateRows read = rows.rows(proof);
    notes.charged(part, rows, proof);
    return read;
  }

  /** A model together with private rows of a part, of which the holder hears if that failed. */
  TrainedModel.Evaluated<PrivateRows> evaluated(String part, TrainedModel model, PrivateRows rows)
      throws IOException {
    return model.on(rows, () -> notes.unscored(part));
  }

  /** All maps that a row goes through. */
  FeaturePipeline features() {
    return data().allFeatures();
  }

  /**
   * The method of a run, before it is charged.
   *
   * @param sigma the noise that the plan has for it
   * @param charge that the plan has for it
   */
  Training method(TrialPoint point, NoiseMultiplier sigma, Charge charge) {
    return method(point, sigma, charge, study.sweep().rows());
  }

  /**
   * The method of a run on a sample of the rows, before it is charged.
   *
   * @param rows the public number of rows that it takes its own to be
   */
  Training method(TrialPoint point, NoiseMultiplier sigma, Charge charge, long rows) {
    MethodMaker maker = Objects.requireNonNull(methods, "prepare() comes first");
    Training method = maker.make(point, sigma, rows);
    if (!method.mechanism().equals(charge.mechanism())) {
      throw new IllegalStateException(
          "the plan charges '%s' as %s but it would run as %s"
              .formatted(charge.what(), charge.mechanism(), method.mechanism()));
    }
    return method;
  }
}
