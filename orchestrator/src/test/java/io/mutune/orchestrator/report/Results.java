package io.mutune.orchestrator.report;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.Fit;
import io.mutune.orchestrator.search.Guard;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.study.LearningCurve;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.Sweeps;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.Estimate;
import io.mutune.trainer.score.Probabilities;
import io.mutune.trainer.score.Ranking;
import io.mutune.trainer.score.Reliability;
import io.mutune.trainer.score.TestMetrics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Finished studies for tests: three trials, the second of which lost its score in a crash. */
final class Results {
  static final String ID = "0badcafe";
  static final TrialPoint FINAL = new TrialPoint(1.5, 80);

  private Results() {}

  static SweepDefinition sweep() {
    return Sweeps.read(Sweeps.SCALE_FREE);
  }

  static SweepDefinition sweep(String name, String description) {
    SweepDefinition s = sweep();
    return new SweepDefinition(
        name,
        description,
        s.data(),
        s.budget(),
        s.releases(),
        s.search(),
        s.score(),
        s.metric(),
        s.train(),
        s.run(),
        s.output(),
        s.schedule(),
        s.account(),
        s.card());
  }

  static StudyResult of(SweepDefinition sweep, Path output) {
    return of(sweep, output, posterior(List.of(new Fit.Point(0.5, 0.6), new Fit.Point(1, 0.7))));
  }

  /** With a deviation of a tenth, above a flat prior. */
  static Fit posterior(List<Fit.Point> curve) {
    List<Double> deviation = curve.stream().map(p -> 0.1).toList();
    List<Double> prior = curve.stream().map(p -> 0.6).toList();
    return new Fit(
        "posterior",
        "logitNoise",
        "score",
        List.of(),
        List.of(new Fit.Point(1, 0.7)),
        curve,
        Optional.of(new Fit.Posterior(deviation, prior)));
  }

  static StudyResult of(SweepDefinition sweep, Path output, Fit fit) {
    StudyPlan plan = StudyPlan.of(sweep);
    Study study =
        new Study(
            new StudyRecord(
                ID,
                sweep.name(),
                StudyState.FINISHED,
                Instant.EPOCH,
                Sweeps.SCALE_FREE,
                Sweeps.CONTEXT.usedBy(Sweeps.SCALE_FREE),
                output,
                Optional.empty(),
                0,
                OptionalDouble.empty(),
                Optional.empty(),
                false),
            plan);
    List<TrialOutcome> outcomes = new ArrayList<>();
    for (PlannedTrial trial : plan.trials()) {
      boolean lost = trial.number() == 2;
      outcomes.add(
          new TrialOutcome(
              trial,
              plan.trialCharge(trial),
              lost ? RunState.UNSCORED : RunState.SCORED,
              lost ? 4 : 0,
              lost ? OptionalDouble.empty() : OptionalDouble.of(0.5 + 0.1 * trial.number())));
    }
    return new StudyResult(
        study,
        outcomes,
        new Decision(FINAL, Optional.of(fit), List.of(new Guard("lost-score", "1 of 3 <lost>"))),
        Optional.of(plan.finalCharge(FINAL)),
        3,
        new LinearModel(20, 3, new double[60]),
        OptionalDouble.of(0.8125),
        test(sweep),
        Optional.of(new LearningCurve("accuracy", List.of(20, 40), List.of(0.5, 0.8125))),
        List.of(),
        statement(plan),
        12.5,
        sweep.data().features(),
        Optional.empty());
  }

  /** 100 rows of the first class and 30 of each other, some of them wrong. */
  private static Optional<TestMetrics> test(SweepDefinition sweep) {
    int classes = sweep.classes();
    List<List<Long>> confusion = new ArrayList<>();
    List<ClassMetrics.OfClass> each = new ArrayList<>();
    for (int c = 0; c < classes; c++) {
      Long[] row = new Long[classes];
      Arrays.fill(row, 5L);
      row[c] = c == 0 ? 90L : 20L;
      confusion.add(List.of(row));
      each.add(
          new ClassMetrics.OfClass(
              row[c], row[c] + 5L * (classes - 1), row[c] + 5L * (classes - 1)));
    }
    long rows = each.stream().mapToLong(ClassMetrics.OfClass::rows).sum();
    Estimate share = new Estimate(0.75, 0.7, 0.8);
    List<Ranking.Point> curve =
        List.of(
            new Ranking.Point(0, 0, 1),
            new Ranking.Point(0.2, 0.7, 0.6),
            new Ranking.Point(1, 1, 0.3));
    List<Reliability.Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < Reliability.BINS; bin++) {
      bins.add(new Reliability.Bin(16, bin / 10.0 + 0.05, Math.min(16, 2 * bin)));
    }
    return Optional.of(
        new ClassMetrics(
            rows,
            confusion,
            each,
            Collections.nCopies(classes, Optional.of(new Ranking(share, share, curve))),
            Optional.of(new Probabilities(share, 1.1, new Reliability(bins)))));
  }

  static PrivacyStatement statement(StudyPlan plan) {
    List<Charge> charges = new ArrayList<>();
    for (PlannedTrial trial : plan.trials()) {
      charges.add(plan.trialCharge(trial));
      plan.scoreCharge(trial).ifPresent(charges::add);
    }
    charges.add(plan.finalCharge(FINAL));
    return PrivacyStatement.of(
        plan.sweep().budget(),
        charges,
        "one row of data.private",
        "trials were scored by a noisy count",
        "noise came from the operating system",
        List.of("the final model"),
        List.of("other studies on the same rows"));
  }
}
