package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.score.GroupedMetrics;
import io.mutune.trainer.score.Metric;
import io.mutune.trainer.score.NoisyClassMetrics;
import io.mutune.trainer.score.NoisyConfusion;
import io.mutune.trainer.score.NoisyScore;
import io.mutune.trainer.score.TestMetrics;
import io.mutune.trainer.score.UnsuitableRowsException;
import io.mutune.trainer.table.ColumnGroups;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/** How good models are: scores of trials, and the test figure, each durable when it is known. */
final class RunScores {
  private final StudyStore store;
  private final Study study;
  private final StudyListener listener;
  private final Ledger ledger;
  private final StudyNoise noise;
  private final StudyInputs inputs;

  RunScores(
      StudyStore store, Study study, StudyListener listener, StudyNoise noise, StudyInputs inputs) {
    this.store = store;
    this.study = study;
    this.listener = listener;
    this.ledger = new Ledger(store, study);
    this.noise = noise;
    this.inputs = inputs;
  }

  /** Releases the score of a trained trial, unless a crash lost the one that was charged. */
  void score(PlannedTrial trial, LinearModel model) throws IOException {
    ScoreRule rule = study.sweep().score();
    if (rule instanceof ScoreRule.PublicValidation) {
      ledger.score(
          trial.number(),
          exact(metric(), DataNotes.VALIDATION, model, inputs.data().publicValidation()));
    } else if (rule instanceof ScoreRule.Uncharged) {
      ledger.score(
          trial.number(), exact(metric(), DataNotes.TRAINING, model, inputs.data().openTraining()));
    } else if (rule instanceof ScoreRule.NoisyCount count) {
      Charge charge = study.plan().scoreCharge(trial).orElseThrow();
      PrivateData counted =
          count.onTraining()
              ? inputs.data().training()
              : inputs.data().privateValidation().orElseThrow();
      long rows =
          count.onTraining() ? study.sweep().rows() : rows(study.sweep().data().validation());
      String part = count.onTraining() ? DataNotes.TRAINING : DataNotes.VALIDATION;
      OptionalDouble score =
          noisyScore(metric(), charge, trial.number(), part, counted, rows, model);
      if (score.isPresent()) {
        ledger.score(trial.number(), score.getAsDouble());
      } else {
        listener.note(charge.what() + " was lost in a crash and is left out");
        ledger.move(trial.number(), TrialState.UNSCORED);
      }
    }
  }

  /**
   * The score of a run of which nothing is told.
   *
   * @param proof where private rows are read for it
   * @param rows that it was trained on
   */
  double scoreSecretly(
      int number, LinearModel model, Optional<? extends ReservedCharge> proof, PrivateRows rows)
      throws IOException {
    if (proof.isEmpty()) {
      return exact(metric(), DataNotes.VALIDATION, model, inputs.data().publicValidation());
    }
    ScoreRule.NoisyCount rule = (ScoreRule.NoisyCount) study.sweep().score();
    return rule.onTraining()
        ? counted(
            metric(), proof.get(), number, DataNotes.TRAINING, rows, study.plan().runRows(), model)
        : counted(
            metric(),
            proof.get(),
            number,
            DataNotes.VALIDATION,
            inputs.rows(
                DataNotes.VALIDATION, inputs.data().privateValidation().orElseThrow(), proof.get()),
            rows(study.sweep().data().validation()),
            model);
  }

  /** The final model's accuracy on the test rows; empty if there are none, or a crash lost it. */
  OptionalDouble test(LinearModel model) throws IOException {
    OptionalDouble known = store.study(study.id()).orElseThrow().testAccuracy();
    if (known.isPresent()) {
      return known;
    }
    Optional<Charge> charge = study.plan().testCharge();
    OptionalDouble accuracy;
    if (charge.isPresent() && isConfusion()) {
      accuracy =
          confusion(charge.get(), model)
              .map(counts -> OptionalDouble.of(counts.score()))
              .orElseGet(OptionalDouble::empty);
    } else if (charge.isPresent()) {
      long rows = rows(study.sweep().data().test());
      PrivateData rowsOfTest = inputs.data().privateTest().orElseThrow();
      accuracy =
          noisyScore(
              Metric.ACCURACY,
              charge.get(),
              TrialRecord.FINAL,
              DataNotes.TEST,
              rowsOfTest,
              rows,
              model);
    } else {
      Optional<PublicRows> rows = inputs.data().publicTest();
      accuracy =
          rows.isPresent()
              ? OptionalDouble.of(exact(Metric.ACCURACY, DataNotes.TEST, model, rows.get()))
              : OptionalDouble.empty();
    }
    if (accuracy.isPresent()) {
      store.test(study.id(), accuracy.getAsDouble());
    }
    return accuracy;
  }

  /**
   * Every figure of the final model on the test rows: exact ones on public rows, stored nowhere; of
   * private ones what follows from counts that were released.
   */
  Optional<TestMetrics> figures(LinearModel model) throws IOException {
    if (isConfusion()) {
      Charge charge = study.plan().testCharge().orElseThrow();
      return store
          .release(study.id(), charge.what())
          .flatMap(StoredRelease::values)
          .map(cells -> metrics(charge, cells));
    }
    Optional<PublicRows> rows = inputs.data().publicTest();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Loss loss = study.sweep().train().loss();
    Optional<ColumnGroups> by = study.sweep().output().by();
    return Optional.of(
        by.isPresent()
            ? GroupedMetrics.of(
                model, loss, rows.get(), by.get(), inputs.data().publicTest(by.get()))
            : TestMetrics.of(model, loss, rows.get()));
  }

  private boolean isConfusion() {
    return study.plan().testCharge().isPresent()
        && study.sweep().score().testCount() == ScoreRule.TestCount.CONFUSION;
  }

  /**
   * Counts of the private test rows, durable before they are used, or those that an earlier start
   * released; empty if a crash lost the answer to a question that was begun: it is not asked again.
   */
  private Optional<NoisyClassMetrics> confusion(Charge charge, LinearModel model)
      throws IOException {
    Optional<StoredRelease> earlier = store.release(study.id(), charge.what());
    if (earlier.isPresent()) {
      if (earlier.get().values().isEmpty()) {
        listener.note(charge.what() + " was lost in a crash and is left out");
      }
      return earlier.get().values().map(cells -> metrics(charge, cells));
    }
    ReservedCharge proof = ledger.reserved(charge);
    PrivateRows rows =
        inputs.rows(DataNotes.TEST, inputs.data().privateTest().orElseThrow(), proof);
    store.beginRelease(study.id(), charge.what());
    NoisyConfusion counts =
        new NoisyConfusion(sigma(proof.charge()), study.sweep().budget().adjacency());
    try {
      double[] cells = counts.release(proof, rows, model, stream(TrialRecord.FINAL));
      store.release(study.id(), charge.what(), cells);
      return Optional.of(metrics(charge, cells));
    } catch (UnsuitableRowsException e) {
      throw new IOException(DataNotes.TEST + ": " + e.getMessage(), e);
    }
  }

  private NoisyClassMetrics metrics(Charge charge, double[] cells) {
    return NoisyClassMetrics.of(rows(study.sweep().data().test()), sigma(charge).value(), cells);
  }

  private static NoiseMultiplier sigma(Charge charge) {
    return ((Gaussian) charge.mechanism()).sigma();
  }

  private NormalStream stream(int number) {
    return noise.source().stream(noise.attempt(number).score());
  }

  /** Of runs that are compared. */
  private Metric metric() {
    return study.sweep().metric();
  }

  /** A charged noisy figure; empty if its charge was spent by an earlier start. */
  private OptionalDouble noisyScore(
      Metric metric,
      Charge charge,
      int number,
      String part,
      PrivateData rows,
      long publicRows,
      LinearModel model)
      throws IOException {
    if (store.charge(study.id(), charge.what()).isPresent()) {
      return OptionalDouble.empty();
    }
    ReservedCharge proof = ledger.reservedAnew(charge);
    return OptionalDouble.of(
        counted(metric, proof, number, part, inputs.rows(part, rows, proof), publicRows, model));
  }

  private double counted(
      Metric metric,
      ReservedCharge proof,
      int number,
      String part,
      PrivateRows rows,
      long publicRows,
      LinearModel model)
      throws IOException {
    NoisyScore score =
        metric.noisy(sigma(proof.charge()), study.sweep().budget().adjacency(), publicRows);
    try {
      return score.score(proof, rows, model, stream(number));
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    }
  }

  private static double exact(Metric metric, String part, LinearModel model, PublicRows rows)
      throws IOException {
    try {
      return metric.of(model, rows);
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    }
  }

  private static long rows(Optional<DataSource> source) {
    return source.orElseThrow().rows().orElseThrow();
  }
}
