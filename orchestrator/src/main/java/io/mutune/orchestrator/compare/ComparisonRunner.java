package io.mutune.orchestrator.compare;

import io.mutune.orchestrator.compare.Comparison.Interval95;
import io.mutune.orchestrator.compare.Comparison.Oracle;
import io.mutune.orchestrator.compare.Comparison.Standing;
import io.mutune.orchestrator.search.Guard;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyBatch;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.NoiseLevels;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.StudyPlan;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Runs a comparison: every strategy the same number of times, each study planned, charged and
 * audited as {@code mutune run} would have it, in a store that is forgotten. Rows are read once and
 * runs share their passes. The same seed gives the same figures, times apart.
 */
public final class ComparisonRunner {
  /** Where sharing passes has paid off (docs/performance.md). */
  private static final int TOGETHER = 10;

  private final SweepDefinition sweep;
  private final String text;
  private final SweepContext context;
  private final RateRange range;
  private final int repeats;
  private final long seed;
  private final ComparedSweeps sweeps;

  /**
   * @param sweep on rows that are declared public or simulated, with public test rows
   * @param text of the sweep file
   * @throws IllegalArgumentException if it is not on such rows; nothing is read then
   */
  public ComparisonRunner(
      SweepDefinition sweep,
      String text,
      SweepContext context,
      RateRange range,
      int repeats,
      long seed) {
    if (!sweep.declared().isOpen()) {
      throw new IllegalArgumentException(
          "a comparison spends the whole budget many times over, so data.private must be"
              + " declared: public or declared: simulated");
    }
    if (sweep.test().filter(test -> !test.isPrivate()).isEmpty()) {
      throw new IllegalArgumentException("a comparison needs data.test, rows that are public");
    }
    if (sweep.validation().filter(DataSource::isPrivate).isPresent()) {
      throw new IllegalArgumentException(
          "a comparison spends the whole budget many times over, and only data.private is declared"
              + " to need no protection: data.validation must not be private");
    }
    if (sweep.mean().isPresent() || sweep.perInstance().isPresent()) {
      throw new IllegalArgumentException(
          "a comparison shares the rows among its studies, so that there can be no private-mean and"
              + " no output.perInstance");
    }
    if (!sweep.train().method().tuned().hasRate()) {
      throw new IllegalArgumentException(
          sweep.train().method().name() + " has no learning rate to look for: nothing to compare");
    }
    this.sweep = sweep;
    this.text = text;
    this.context = context;
    this.range = range;
    this.repeats = repeats;
    this.seed = seed;
    this.sweeps = new ComparedSweeps(sweep, range, seed);
  }

  /**
   * Runs it.
   *
   * @param progress told each part before it runs
   * @throws io.mutune.accountant.ledger.OverBudgetException if a strategy's plan does not fit; no
   *     row was read then
   * @throws IOException if data cannot be read
   */
  public Comparison run(
      List<Entrant> entrants, RunEnvironment environment, Consumer<String> progress)
      throws IOException {
    List<List<Study>> planned = entrants.stream().map(this::planned).toList();
    try (StudyStore store = Stores.inMemory()) {
      StudyBatch batch = new StudyBatch(store, environment, sweep, TOGETHER);
      progress.accept("oracle: a lattice of points, " + repeats + " times, not charged");
      Oracle oracle = oracle(batch);
      Map<Entrant, Timed> results = new LinkedHashMap<>();
      for (int e = 0; e < planned.size(); e++) {
        progress.accept(entrants.get(e).key() + ": " + repeats + " studies");
        results.put(entrants.get(e), run(batch, store, planned.get(e)));
      }
      Optional<ErrorReduction> reduction =
          Optional.ofNullable(results.get(Entrant.RANDOM))
              .map(random -> new ErrorReduction(random.accuracies(), oracle.accuracies(), seed));
      List<Standing> standings = new ArrayList<>();
      results.forEach(
          (entrant, timed) ->
              standings.add(
                  standing(entrant, timed, reduction.flatMap(r -> r.of(timed.accuracies())))));
      return new Comparison(
          sweep, seed, repeats, range, sweeps.rates(), sweeps.space().steps(), oracle, standings);
    }
  }

  private List<Study> planned(Entrant entrant) {
    List<Study> studies = new ArrayList<>();
    Optional<NoiseLevels> noise = Optional.empty();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      // The points differ from repeat to repeat and the noise of a fixed plan does not.
      StudyPlan plan = StudyPlan.of(sweeps.of(entrant, repeat), noise);
      noise = plan.noiseLevels();
      studies.add(study(plan, entrant.key() + ", repeat " + repeat));
    }
    return studies;
  }

  /** The text names the noise, which is another one in every study. */
  private Study study(StudyPlan plan, String which) {
    String own = text + "\n# comparison: " + which + ", seed " + seed + "\n";
    return Study.create(plan, own, context, sweep.output());
  }

  /** Studies of one strategy, and what each took. */
  private record Timed(List<StudyResult> results, double seconds) {
    Sample accuracies() {
      return new Sample(
          results.stream().map(result -> result.testAccuracy().orElseThrow()).toList());
    }
  }

  private Timed run(StudyBatch batch, StudyStore store, List<Study> studies) throws IOException {
    long start = System.nanoTime();
    List<StudyResult> results = batch.run(studies);
    double seconds = (System.nanoTime() - start) / 1e9 / studies.size();
    for (Study study : studies) {
      StudyAudit audit = StudyAudit.of(store, study, Optional.empty());
      if (!audit.agrees()) {
        throw new IllegalStateException("the audit disagrees: " + audit.problems());
      }
    }
    return new Timed(results, seconds);
  }

  /**
   * The best point of the lattice by its mean, and what that point is worth when it is run again:
   * the mean that made it the best of many has its luck in it.
   */
  private Oracle oracle(StudyBatch batch) throws IOException {
    long start = System.nanoTime();
    List<StudyPlan> points = sweeps.oracle().stream().map(StudyPlan::of).toList();
    List<Study> studies = new ArrayList<>();
    for (int p = 0; p < points.size(); p++) {
      studies.addAll(repeated(points.get(p), "oracle, point " + (p + 1)));
    }
    List<StudyResult> results = batch.run(studies);
    double trained = results.stream().mapToDouble(ComparisonRunner::trained).sum() / repeats;
    int best = 0;
    for (int p = 1; p < points.size(); p++) {
      if (mean(results, p) > mean(results, best)) {
        best = p;
      }
    }
    List<StudyResult> again = batch.run(repeated(points.get(best), "oracle, again"));
    return new Oracle(
        again.get(0).decision().point(),
        points.size(),
        new Timed(again, 0).accuracies(),
        trained,
        (System.nanoTime() - start) / 1e9 / repeats);
  }

  private double mean(List<StudyResult> results, int point) {
    return new Timed(results.subList(point * repeats, (point + 1) * repeats), 0)
        .accuracies()
        .mean();
  }

  private List<Study> repeated(StudyPlan plan, String which) {
    List<Study> studies = new ArrayList<>();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      studies.add(study(plan, which + ", repeat " + repeat));
    }
    return studies;
  }

  private static Standing standing(Entrant entrant, Timed timed, Optional<Interval95> rerr) {
    List<StudyResult> results = timed.results();
    StudyPlan plan = results.get(0).study().plan();
    Map<String, Integer> guards = new TreeMap<>();
    for (StudyResult result : results) {
      result.decision().guards().stream()
          .map(Guard::name)
          .distinct()
          .forEach(name -> guards.merge(name, 1, Integer::sum));
    }
    return new Standing(
        entrant,
        timed.accuracies(),
        rerr,
        tuningShare(plan),
        trials(plan),
        results.stream().mapToDouble(ComparisonRunner::trained).average().orElse(0),
        timed.seconds(),
        results.stream().mapToDouble(r -> r.statement().epsilon().value()).max().orElse(0),
        plan.keepsBudget() && !(plan.sweep().score() instanceof ScoreRule.Uncharged),
        guards);
  }

  /** All that does not go into the model that is the result. */
  private static Optional<Double> tuningShare(StudyPlan plan) {
    if (!plan.isInMu()) {
      return Optional.empty();
    }
    double whole = plan.budget().cap().mu().value();
    double kept = plan.target().mu().value() / whole;
    return Optional.of(Math.max(0, 1 - kept * kept));
  }

  /** E[K] of random stopping, whose own number is not told. */
  private static int trials(StudyPlan plan) {
    return plan.sweep().search() instanceof SecretTrials search
        ? (int) Math.round(search.law().mean())
        : plan.trials().size();
  }

  private static double trained(StudyResult result) {
    if (result.study().sweep().search() instanceof SecretTrials search) {
      double runs =
          search.law().mean()
              * search.sampleRate()
              * (search.space().steps().min() + search.space().steps().max())
              / 2;
      return runs + (search.sampleRate() < 1 ? result.decision().point().steps() : 0);
    }
    int trials = result.trials().stream().mapToInt(t -> t.trial().point().steps()).sum();
    return trials + (result.decision().kept().isPresent() ? 0 : result.decision().point().steps());
  }
}
