package io.mutune.orchestrator.study;

import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.loss.Link;
import io.mutune.trainer.score.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in plain words what a study protected, from its sweep and its ledger. */
public final class Statements {
  private Statements() {}

  /** Of a study with these charges, its whole ledger. */
  public static PrivacyStatement of(Study study, List<Charge> charges) {
    List<String> excluded =
        new ArrayList<>(Exclusions.of(study.sweep(), study.record().context().form()));
    if (Study.hasCanaries(study.record())) {
      excluded.add(
          0,
          "any use of the model: made-up rows took part in training, for 'mutune attack canary'"
              + " alone");
    }
    return of(study.plan(), charges, excluded);
  }

  /**
   * Of a plan and what does not follow from it. Whether a study goes on may follow from what it has
   * released, so once one charge is made the figure is that of the whole plan, wherever the study
   * stands or was stopped.
   */
  static PrivacyStatement of(StudyPlan plan, List<Charge> charges, List<String> excluded) {
    SweepDefinition sweep = plan.sweep();
    PrivacyStatement statement =
        PrivacyStatement.of(
            plan.budget(),
            charges.isEmpty() || charges.size() == plan.size() ? charges : plan.whole(),
            unit(sweep),
            scoring(sweep),
            charges.isEmpty() ? "nothing was charged, so no noise was drawn" : noise(sweep),
            released(plan),
            excluded);
    if (!charges.isEmpty()) {
      statement = plan.totalMu().map(statement::atLeast).orElse(statement).withMade(charges);
    }
    for (String reason : VoidReasons.of(plan)) {
      statement = statement.withVoid(reason);
    }
    return statement;
  }

  /**
   * What a statement of the plan's says at other δ; nothing at those for which the law that the
   * number of secret runs is drawn from is not near enough to the charged one.
   */
  public static PrivacyProfile profile(StudyPlan plan, PrivacyStatement statement) {
    PrivacyProfile profile = statement.profile(plan.sweep().output().deltas());
    return plan.sweep().search().isSecret()
        ? profile.where((e, delta) -> SecretTrials.leastDelta(e.value()) <= delta.value())
        : profile;
  }

  private static String unit(SweepDefinition sweep) {
    return sweep
        .data()
        .unit()
        .map(
            person ->
                "one person, all rows with the same %s, of which at most %d count, of %s"
                    .formatted(person.column(), person.rows(), privateParts(sweep)))
        .orElseGet(() -> "one row of " + privateParts(sweep));
  }

  private static String privateParts(SweepDefinition sweep) {
    List<String> parts = new ArrayList<>(List.of("data.private"));
    sweep
        .data()
        .validation()
        .filter(DataSource::isPrivate)
        .ifPresent(v -> parts.add("data.validation"));
    sweep.data().test().filter(DataSource::isPrivate).ifPresent(t -> parts.add("data.test"));
    return String.join(", ", parts)
        + sweep.card().map(card -> " of the data set " + card.name()).orElse("");
  }

  private static String scoring(SweepDefinition sweep) {
    ScoreRule rule = sweep.score();
    if (sweep.search().isSecret()) {
      String rows = sweep.search().sampleRate() < 1 ? " of a run's own sample" : "";
      return rule instanceof ScoreRule.NoisyCount count
          ? String.format(
              Locale.ROOT,
              "runs were compared by %s%s, which is part of what each run is charged for",
              noisyScore(sweep, count),
              rows)
          : "runs were compared on public validation rows, which costs nothing";
    }
    if (rule instanceof ScoreRule.NoisyCount count) {
      return String.format(
          Locale.ROOT,
          "trials were scored by %s, each score charged (epsilon %s alone)",
          noisyScore(sweep, count),
          count.epsilon().value());
    }
    if (rule instanceof ScoreRule.Uncharged) {
      return "trials were scored by their exact "
          + (sweep.metric().equals(Metric.ACCURACY) ? figure(sweep) : MetricWords.of(sweep))
          + " on data.private, without a charge";
    }
    return rule instanceof ScoreRule.PublicValidation
        ? "trials were scored on public validation rows, which costs nothing"
        : "no run was compared with another, so nothing was scored";
  }

  private static String noisyScore(SweepDefinition sweep, ScoreRule.NoisyCount count) {
    String rows = count.onTraining() ? "private training rows" : "private validation rows";
    if (!sweep.metric().equals(Metric.ACCURACY)) {
      return MetricWords.counted(sweep, rows)
          + (sweep.data().unit().isPresent() ? ", a person's weighing 1 together," : "")
          + " from which "
          + MetricWords.of(sweep)
          + " follows";
    }
    return sweep.hasRealTargets()
        ? "a noisy sum over "
            + rows
            + " of 1 - |prediction - target| / (width of the targets' range), which is from 0 to 1"
            + (sweep.data().unit().isPresent() ? ", its mean for each person" : " for each row")
        : sweep.data().unit().isPresent()
            ? "a noisy sum over people of the share of their "
                + (count.onTraining() ? "rows" : "private validation rows")
                + " that is correct"
            : "a noisy count of correct " + rows;
  }

  private static String noise(SweepDefinition sweep) {
    String own = noise(sweep.run().noise());
    return sweep.train().method().isExternal()
        ? "the noise of training is the trainer's own; of everything else, " + own
        : own;
  }

  private static String noise(NoiseRule rule) {
    String grid =
        rule.grid()
            .map(
                g ->
                    "; sums and noise are whole multiples of 2^"
                        + g.exponent()
                        + ", normals drawn exactly, and the rounding is part of every sensitivity")
            .orElse("");
    if (rule instanceof NoiseRule.Seeded seeded) {
      return "noise came from the seed "
          + seeded.seed()
          + ", which stands in the sweep: it is not secret"
          + grid;
    }
    return "noise came from AES-256 in counter mode, keyed by the operating system's secure"
        + " generator; no key was stored"
        + grid;
  }

  private static List<String> released(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    List<String> released = new ArrayList<>();
    if (sweep.data().mean().isPresent()) {
      released.add(
          "the mean of the rows of data.private, noisy and charged, which every row is taken less");
    }
    if (plan.tunesInSecret()) {
      released.add(
          "of an unknown number of runs, each on a secret sample of the rows, the best alone: its"
              + " model, hyperparameters and score; everything about the others was written"
              + " nowhere");
      released.add("the hyperparameters of the final run, with the noise in a logit of that run");
      released.add(sweep.train().method().released());
      testFigure(sweep).ifPresent(released::add);
      return released;
    }
    boolean secret = plan.keepsSecretBest();
    if (secret) {
      released.add(
          "of an unknown number of runs the best alone: its model, hyperparameters and score; the"
              + " number of runs and everything about the others is secret and was written"
              + " nowhere");
    }
    boolean tuned = !(sweep.score() instanceof ScoreRule.None) && !secret;
    if (tuned) {
      released.add("the model of every trial, after every step");
      released.add(
          "the score of every trial"
              + (sweep.score() instanceof ScoreRule.NoisyCount && !sweep.metric().kind().isMean()
                  ? ", and the noisy counts that it follows from"
                  : ""));
    }
    if (secret) {
      testFigure(sweep).ifPresent(released::add);
      return released;
    }
    released.add(
        plan.hasFinal()
            ? "the hyperparameters of the final run"
            : "which run's model is the result, and its hyperparameters");
    released.add(sweep.train().method().released());
    if (!plan.releases().isEmpty()) {
      released.add(
          plan.releases().size()
              + " more models, each of a run with noise of its own, after every step, and their"
              + " hyperparameters");
    }
    testFigure(sweep).ifPresent(released::add);
    return released;
  }

  private static Optional<String> testFigure(SweepDefinition sweep) {
    return sweep
        .data()
        .test()
        .map(
            test ->
                test.isPrivate()
                    ? privateFigures(sweep)
                    : "figures of the final model on public test rows, which cost nothing: "
                        + publicFigures(sweep)
                        + sweep
                            .output()
                            .by()
                            .map(by -> "; all of it by " + by.column() + " too")
                            .orElse(""));
  }

  private static String privateFigures(SweepDefinition sweep) {
    boolean ofPeople = sweep.data().unit().isPresent();
    String together = ofPeople ? ", each person's rows one in all" : "";
    return sweep.score().testCounts().stream()
        .map(
            count ->
                switch (count) {
                  case ACCURACY ->
                      "a noisy test "
                          + figure(sweep)
                          + (ofPeople ? ", a mean over people" : "")
                          + ", charged";
                  case CONFUSION ->
                      "noisy counts of private test rows by their class and by what the final model"
                          + " says"
                          + sweep.output().by().map(by -> ", for each " + by.column()).orElse("")
                          + together
                          + ", charged as one, from which accuracy and the figures of each class"
                          + " follow";
                  case PROBABILITIES ->
                      "noisy counts of private test rows by bins of how sure the final model is of "
                          + (sweep.classes() == 2 ? "the second class" : "each class")
                          + " and by whether they are of it"
                          + together
                          + (sweep.classes() == 2 ? "" : " in each class's")
                          + ", charged as one, from which ranking and calibration follow";
                  case SQUARED_ERROR ->
                      "three noisy sums over private test rows, charged as one: squared errors,"
                          + " targets and their squares"
                          + (ofPeople ? ", of each person the mean" : "");
                })
        .collect(Collectors.joining("; "));
  }

  private static String publicFigures(SweepDefinition sweep) {
    if (sweep.hasRealTargets()) {
      return "mean absolute and squared error, R²";
    }
    return "accuracy, confusion matrix and figures of each class; how well its scores rank rows"
        + (sweep.train().loss().link() == Link.NONE ? "" : "; what its probabilities are worth");
  }

  private static String figure(SweepDefinition sweep) {
    return sweep.hasRealTargets() ? "error" : "accuracy";
  }
}
