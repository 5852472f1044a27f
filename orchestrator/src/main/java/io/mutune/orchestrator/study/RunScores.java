package io.mutune.orchestrator.study;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.NormalStream;
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
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

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
      Charge charge = study.plan().scoreCharge(trial).orElseThrow();
      PrivateData counted =
          count.onTraining()
              ? inputs.data().training()
              : inputs.data().privateValidation().orElseThrow();
      long rows =
          count.onTraining() ? study.sweep().rows() : rows(study.sweep().data().validation());
      String part = count.onTraining() ? DataNotes.TRAINING : DataNotes.VALIDATION;
      OptionalDouble score = noisyScore(charge, trial.number(), part, counted, rows, model);
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
          .score(proof.get(), evaluated.rows(), evaluated.model(), stream(number).get());
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
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
      boolean known;
      if (count == ScoreRule.TestCount.ACCURACY) {
        accuracy = ofOneCount(charge, counts, DataNotes.TEST, counted, model, stream(count));
        known = accuracy.isPresent();
      } else {
        known = released(charge, counts, DataNotes.TEST, counted, model, stream(count)).isPresent();
      }
      if (!known) {
        listener.note(charge.what() + " was lost in a crash and is left out");
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

  /** A stream is opened only once its question is asked: none is handed out twice. */
  private Supplier<NormalStream> stream(ScoreRule.TestCount count) {
    return () -> noise.source().stream(noise.test(count));
  }

  private Supplier<NormalStream> stream(int number) {
    return () -> noise.source().stream(noise.attempt(number).score());
  }

  /** One noisy number, like {@link #released}. */
  private OptionalDouble ofOneCount(
      Charge charge,
      NoisyCounts counts,
      String part,
      PrivateData rows,
      TrainedModel model,
      Supplier<NormalStream> stream)
      throws IOException {
    // Whether an earlier version asked for what it charged is not known.
    boolean isSpent =
        !study.record().context().defaults().markScores()
            && store.release(study.id(), charge.what()).isEmpty()
            && store.charge(study.id(), charge.what()).isPresent();
    return isSpent
        ? OptionalDouble.empty()
        : released(charge, counts, part, rows, model, stream).stream()
            .mapToDouble(cells -> cells[0])
            .findFirst();
  }

  /**
   * Noisy counts, durable before they are used, or those that an earlier start released; empty if a
   * crash lost the answer to a question that was begun: it is not asked again.
   */
  private Optional<double[]> released(
      Charge charge,
      NoisyCounts counts,
      String part,
      PrivateData rows,
      TrainedModel model,
      Supplier<NormalStream> stream)
      throws IOException {
    Optional<StoredRelease> earlier = store.release(study.id(), charge.what());
    if (earlier.isPresent()) {
      return earlier.get().values();
    }
    ReservedCharge proof = ledger.reserved(charge);
    PrivateRows read = inputs.rows(part, rows, proof);
    store.beginRelease(study.id(), charge.what());
    double[] cells = noisy(counts, proof, part, read, model, stream);
    store.release(study.id(), charge.what(), cells);
    return Optional.of(cells);
  }

  private double[] noisy(
      NoisyCounts counts,
      ReservedCharge proof,
      String part,
      PrivateRows rows,
      TrainedModel model,
      Supplier<NormalStream> stream)
      throws IOException {
    try {
      TrainedModel.Evaluated<PrivateRows> evaluated = inputs.evaluated(part, model, rows);
      return counts.release(proof, evaluated.rows(), evaluated.model(), stream.get());
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause(); // of machines that hold the rows, in one line
    }
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

  /** A charged noisy score; empty if a crash lost it. Counts of several cells are kept with it. */
  private OptionalDouble noisyScore(
      Charge charge, int number, String part, PrivateData rows, long publicRows, TrainedModel model)
      throws IOException {
    NoisyScore score = score(charge, publicRows);
    if (score.counts().counts().cells() == 1) {
      OptionalDouble sum = ofOneCount(charge, score.counts(), part, rows, model, stream(number));
      return sum.isPresent()
          ? OptionalDouble.of(score.of(new double[] {sum.getAsDouble()}))
          : OptionalDouble.empty();
    }
    Optional<double[]> cells = released(charge, score.counts(), part, rows, model, stream(number));
    return cells.isPresent() ? OptionalDouble.of(score.of(cells.get())) : OptionalDouble.empty();
  }

  private double exact(Metric metric, String part, TrainedModel model, PublicRows rows)
      throws IOException {
    try {
      TrainedModel.Evaluated<PublicRows> evaluated = model.on(rows);
      return metric.of(evaluated.model(), study.sweep().train().loss(), evaluated.rows());
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    }
  }

  private static long rows(Optional<DataSource> source) {
    return source.orElseThrow().rows().orElseThrow();
  }
}
