package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.Metric;
import io.mutune.trainer.score.NoisyScore;
import io.mutune.trainer.score.TestMetrics;
import io.mutune.trainer.score.UnsuitableRowsException;
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
    if (charge.isPresent()) {
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

  /** Every figure of the final model on the test rows, where these are public; stored nowhere. */
  Optional<TestMetrics> figures(LinearModel model) throws IOException {
    Optional<PublicRows> rows = inputs.data().publicTest();
    return rows.isPresent() ? Optional.of(TestMetrics.of(model, rows.get())) : Optional.empty();
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
        metric.noisy(
            ((Gaussian) proof.charge().mechanism()).sigma(),
            study.sweep().budget().adjacency(),
            publicRows);
    try {
      return score.score(proof, rows, model, noise.source().stream(noise.attempt(number).score()));
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
