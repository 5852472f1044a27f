package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.GroupedMetrics;
import io.mutune.trainer.score.Metric;
import io.mutune.trainer.score.NoisyCounts;
import io.mutune.trainer.score.NoisyScore;
import io.mutune.trainer.score.RowGroups;
import io.mutune.trainer.score.TestMetrics;
import io.mutune.trainer.score.UnsuitableRowsException;
import io.mutune.trainer.table.ColumnGroups;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** How good models are: scores of trials, and the test figure, each durable when it is known. */
record RunScores(
    StudyStore store,
    Study study,
    StudyListener listener,
    Ledger ledger,
    StudyNoise noise,
    StudyInputs inputs) {
  /** Releases the score of a trained trial, unless a crash lost the one that was charged. */
  void score(PlannedTrial trial, TrainedModel model) throws IOException {
    ScoreRule rule = study.sweep().score();
    if (rule instanceof ScoreRule.PublicValidation) {
      ledger.score(
          trial.number(),
          exact(metric(), DataNotes.VALIDATION, model, inputs.data().publicValidation()));
    } else if (rule instanceof ScoreRule.Uncharged) {
      ledger.score(
          trial.number(), exact(metric(), DataNotes.TRAINING, model, inputs.data().openTraining()));
    } else if (rule instanceof ScoreRule.NoisyCount count) {
      noisyScore(trial, count, model);
    }
  }

  /** Released, or given up where a crash lost it; counts of several cells are kept with it. */
  private void noisyScore(PlannedTrial trial, ScoreRule.NoisyCount rule, TrainedModel model)
      throws IOException {
    boolean onTraining = rule.onTraining();
    Charge charge = study.plan().scoreCharge(trial).orElseThrow();
    NoisyScore score =
        score(charge, onTraining ? study.sweep().rows() : rows(study.sweep().data().validation()));
    Question question =
        new Question(
            charge,
            score.counts(),
            onTraining ? DataNotes.TRAINING : DataNotes.VALIDATION,
            onTraining ? inputs.data().training() : inputs.data().privateValidation().orElseThrow(),
            model,
            noise.attempt(trial.number()).score());
    boolean isOneCount = score.counts().counts().cells() == 1;
    Optional<double[]> cells = isOneCount ? ofOneCount(question) : released(question);
    if (cells.isPresent()) {
      ledger.score(trial.number(), score.of(cells.get()));
    } else {
      noteLost(charge);
      ledger.move(trial.number(), RunState.UNSCORED);
    }
  }

  /**
   * The score of a run of which nothing is told.
   *
   * @param proof where private rows are read for it
   * @param rows that it was trained on
   */
  double scoreSecretly(
      int number, TrainedModel model, Optional<? extends ReservedCharge> proof, PrivateRows rows)
      throws IOException {
    if (proof.isEmpty()) {
      return exact(metric(), DataNotes.VALIDATION, model, inputs.data().publicValidation());
    }
    ScoreRule.NoisyCount rule = (ScoreRule.NoisyCount) study.sweep().score();
    String part = rule.onTraining() ? DataNotes.TRAINING : DataNotes.VALIDATION;
    PrivateRows counted =
        rule.onTraining()
            ? rows
            : inputs.rows(part, inputs.data().privateValidation().orElseThrow(), proof.get());
    long publicRows =
        rule.onTraining()
            ? study.plan().secretRuns().orElseThrow().rows()
            : rows(study.sweep().data().validation());
    try {
      TrainedModel.Evaluated<PrivateRows> evaluated = inputs.evaluated(part, model, counted);
      return score(proof.get().charge(), publicRows)
          .score(
              proof.get(),
              evaluated.rows(),
              evaluated.model(),
              noise.source().stream(noise.attempt(number).score()));
    } catch (UnsuitableRowsException e) {
      throw unsuitable(part, e);
    }
  }

  /**
   * The final model's accuracy on the test rows; empty if there are none, or a crash lost it. What
   * else is asked of private ones is released before it.
   */
  OptionalDouble test(TrainedModel model) throws IOException {
    OptionalDouble known = store.study(study.id()).orElseThrow().testAccuracy();
    if (known.isPresent()) {
      return known;
    }
    OptionalDouble accuracy =
        study.plan().testCharges().isEmpty() ? publicTest(model) : privateTest(model);
    if (accuracy.isPresent()) {
      store.test(study.id(), accuracy.getAsDouble());
    }
    return accuracy;
  }

  private OptionalDouble publicTest(TrainedModel model) throws IOException {
    Optional<PublicRows> rows = inputs.data().publicTest();
    return rows.isPresent()
        ? OptionalDouble.of(exact(Metric.ACCURACY, DataNotes.TEST, model, rows.get()))
        : OptionalDouble.empty();
  }

  private OptionalDouble privateTest(TrainedModel model) throws IOException {
    OptionalDouble accuracy = OptionalDouble.empty();
    for (ScoreRule.TestCount count : study.sweep().score().testCounts()) {
      Charge charge = study.plan().testCharge(count).orElseThrow();
      Optional<ColumnGroups> by =
          study.sweep().output().by().filter(any -> count == ScoreRule.TestCount.CONFUSION);
      PrivateData counted =
          by.isPresent()
              ? inputs.data().privateTestBeforeMaps()
              : inputs.data().privateTest().orElseThrow();
      Counts family = count.counts(study.sweep());
      NoisyCounts counts =
          counts(by.map(column -> family.inGroups(groups(column))).orElse(family), charge);
      Question question =
          new Question(charge, counts, DataNotes.TEST, counted, model, noise.test(count));
      boolean isAccuracy = count == ScoreRule.TestCount.ACCURACY;
      Optional<double[]> cells = isAccuracy ? ofOneCount(question) : released(question);
      if (cells.isEmpty()) {
        noteLost(charge);
      } else if (isAccuracy) {
        accuracy = OptionalDouble.of(cells.get()[0]);
      }
    }
    return accuracy.isPresent()
        ? OptionalDouble.of(accuracy.getAsDouble() / testRows())
        : new TestFigures(store, study).accuracy();
  }

  /**
   * Every figure of the final model on the test rows: exact ones on public rows, stored nowhere; of
   * private ones what follows from counts that were released.
   */
  Optional<TestMetrics> figures(TrainedModel model) throws IOException {
    if (!study.plan().testCharges().isEmpty()) {
      return new TestFigures(store, study).released().map(figures -> figures);
    }
    Optional<PublicRows> rows = inputs.data().publicTest();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    TrainedModel.Evaluated<PublicRows> evaluated = model.on(rows.get());
    Loss loss = study.sweep().train().loss();
    Optional<ColumnGroups> by = study.sweep().output().by();
    return Optional.of(
        by.isPresent()
            ? GroupedMetrics.of(
                evaluated.model(),
                loss,
                evaluated.rows(),
                by.get(),
                inputs.data().publicTest(by.get()))
            : TestMetrics.of(evaluated.model(), loss, evaluated.rows()));
  }

  private RowGroups groups(ColumnGroups by) {
    Table table = study.sweep().data().test().orElseThrow().spec().table();
    return new RowGroups(by, Objects.requireNonNull(table), inputs.features());
  }

  private long testRows() {
    return rows(study.sweep().data().test());
  }

  private NoisyCounts counts(Counts counts, Charge charge) {
    return new NoisyCounts(counts, sigma(charge), study.sweep().budget().adjacency());
  }

  /**
   * What a charge asks of private rows.
   *
   * @param stream opened only once the question is asked: none is handed out twice
   */
  private record Question(
      Charge charge,
      NoisyCounts counts,
      String part,
      PrivateData rows,
      TrainedModel model,
      StreamId stream) {}

  /** One noisy number, like {@link #released}. */
  private Optional<double[]> ofOneCount(Question question) throws IOException {
    String what = question.charge().what();
    // Whether an earlier version asked for what it charged is not known.
    boolean isSpent =
        !study.record().context().defaults().markScores()
            && store.release(study.id(), what).isEmpty()
            && store.charge(study.id(), what).isPresent();
    return isSpent ? Optional.empty() : released(question);
  }

  /** Noisy counts, or none where a crash lost them. */
  private Optional<double[]> released(Question asked) throws IOException {
    return inputs.released(
        asked.charge(),
        asked.part(),
        asked.rows(),
        (proof, rows) -> {
          try {
            TrainedModel.Evaluated<PrivateRows> evaluated =
                inputs.evaluated(asked.part(), asked.model(), rows);
            return asked
                .counts()
                .release(
                    proof,
                    evaluated.rows(),
                    evaluated.model(),
                    noise.source().stream(asked.stream()));
          } catch (UnsuitableRowsException e) {
            throw unsuitable(asked.part(), e);
          }
        });
  }

  private static NoiseMultiplier sigma(Charge charge) {
    return ((Gaussian) charge.mechanism()).sigma();
  }

  /** Of runs that are compared. */
  private Metric metric() {
    return study.sweep().metric();
  }

  private NoisyScore score(Charge charge, long publicRows) {
    return metric()
        .noisy(
            sigma(charge),
            study.sweep().budget().adjacency(),
            publicRows,
            study.sweep().train().loss(),
            study.sweep().classes());
  }

  private double exact(Metric metric, String part, TrainedModel model, PublicRows rows)
      throws IOException {
    try {
      TrainedModel.Evaluated<PublicRows> evaluated = model.on(rows);
      return metric.of(evaluated.model(), study.sweep().train().loss(), evaluated.rows());
    } catch (UnsuitableRowsException e) {
      throw unsuitable(part, e);
    }
  }

  private void noteLost(Charge charge) {
    listener.note(charge.what() + " was lost in a crash and is left out");
  }

  private static IOException unsuitable(String part, UnsuitableRowsException e) {
    return new IOException(part + ": " + e.getMessage(), e);
  }

  private static long rows(Optional<DataSource> source) {
    return source.orElseThrow().rows().orElseThrow();
  }
}
