package io.mutune.orchestrator.compare;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import io.mutune.orchestrator.compare.StrategyComparison.Oracle;
import io.mutune.orchestrator.compare.StrategyComparison.Standing;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.NoiseLevels;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyBatch;
import io.mutune.orchestrator.study.StudyDataFiles;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Runs a comparison: every strategy the same number of times, each study planned, charged and
 * audited as {@code mutune run} would have it, in a store that is forgotten. Rows are read once and
 * runs share their passes, but where each study takes a private mean away or has secret runs. The
 * same seed gives the same figures, times apart.
 */
public final class ComparisonRunner {
  private static final int THIRD = 3;

  private final SweepDefinition sweep;
  private final String text;
  private final SweepContext context;
  private final ComparisonSize extent;
  private final List<ComparedStrategy> strategies;
  private final FileOwners owners;
  private final ComparedSweeps sweeps;
  private final List<String> leftOut = new ArrayList<>();

  /**
   * @param sweep on rows that are declared public or simulated, with public test rows
   * @param text of the sweep file
   * @param strategies in the order in which they are reported; none for the usual ones, but those
   *     that the sweep cannot have
   * @param owners of files, who are asked before one is opened
   * @throws IllegalArgumentException if it is not on such rows, or a strategy cannot be with its
   *     other settings; nothing is read then
   */
  public ComparisonRunner(
      SweepDefinition sweep,
      String text,
      SweepContext context,
      ComparisonSize extent,
      List<ComparedStrategy> strategies,
      FileOwners owners) {
    if (!sweep.data().declared().isOpen()) {
      throw new IllegalArgumentException(
          "a comparison spends the whole budget many times over, so data.private must be"
              + " declared: public or declared: simulated");
    }
    if (sweep.data().test().filter(test -> !test.isPrivate()).isEmpty()) {
      throw new IllegalArgumentException("a comparison needs data.test, rows that are public");
    }
    if (sweep.data().validation().filter(DataSource::isPrivate).isPresent()) {
      throw new IllegalArgumentException(
          "a comparison spends the whole budget many times over, and only data.private is declared"
              + " to need no protection: data.validation must not be private");
    }
    if (sweep.output().perInstance().isPresent()) {
      throw new IllegalArgumentException(
          "a comparison is of accuracies: leave output.perInstance out");
    }
    if (!sweep.releases().isEmpty()) {
      throw new IllegalArgumentException(
          "a comparison is of one final model for each study: leave budget.releases out");
    }
    sweep
        .search()
        .searchedSpace()
        .flatMap(space -> space.settings().stream().findFirst())
        .ifPresent(
            key -> {
              throw new IllegalArgumentException(
                  ("a comparison has one %s for all strategies: give train.%s a number in place of"
                          + " what search.space has")
                      .formatted(key, key));
            });
    if (!sweep.train().method().searched().hasRate()) {
      throw new IllegalArgumentException(
          sweep.train().method().name() + " has no learning rate to look for: nothing to compare");
    }
    this.sweep = sweep;
    this.text = text;
    this.context = context;
    this.extent = extent;
    this.owners = owners;
    this.sweeps = new ComparedSweeps(sweep, extent.range(), extent.seed());
    this.strategies = suitable(strategies);
  }

  private List<ComparedStrategy> suitable(List<ComparedStrategy> named) {
    List<ComparedStrategy> suitable = new ArrayList<>();
    for (ComparedStrategy strategy : named.isEmpty() ? ComparedStrategy.USUAL : named) {
      Optional<String> refusal = sweeps.refusal(strategy);
      if (refusal.isEmpty()) {
        suitable.add(strategy);
      } else if (named.isEmpty()) {
        leftOut.add(refusal.get());
      } else {
        throw new IllegalArgumentException(refusal.get());
      }
    }
    return suitable;
  }

  /** Why some of the usual strategies are not among those that are compared. */
  public List<String> leftOut() {
    return List.copyOf(leftOut);
  }

  /**
   * Runs it.
   *
   * @param journal of studies that ended, which are not run again
   * @param progress told each part before it runs
   * @throws io.mutune.accountant.ledger.OverBudgetException if a strategy's plan does not fit; no
   *     row was read then
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException if it makes no sense; likewise
   * @throws IOException if data cannot be read, or the journal not be written
   */
  public StrategyComparison run(
      RunEnvironment environment, Journal<Outcome> journal, Consumer<String> progress)
      throws IOException {
    List<List<Entry>> planned = strategies.stream().map(this::planned).toList();
    try (StudyStore store = Stores.inMemory(owners)) {
      StudyBatch batch = new StudyBatch(store, environment, sweep);
      Runs runs = new Runs(batch, journal, StudyDataFiles.of(owners, sweep).digests());
      progress.accept(
          "oracle: a lattice of points, %s%s, not charged"
              .formatted(
                  DisplayNumber.counted(extent.looks(), "time", "times"),
                  extent.looks() < extent.repeats() ? " and the better ones more often" : ""));
      Oracle oracle = oracle(runs);
      List<List<Outcome>> results = new ArrayList<>();
      for (int e = 0; e < planned.size(); e++) {
        progress.accept(
            strategies.get(e).key()
                + ": "
                + DisplayNumber.counted(extent.repeats(), "study", "studies"));
        results.add(runs.of(planned.get(e)));
      }
      Optional<ErrorReduction> reduction =
          strategies.contains(ComparedStrategy.RANDOM)
              ? Optional.of(
                  new ErrorReduction(
                      Outcome.accuracies(results.get(strategies.indexOf(ComparedStrategy.RANDOM))),
                      oracle.accuracies()))
              : Optional.empty();
      List<Standing> standings = new ArrayList<>();
      for (int e = 0; e < planned.size(); e++) {
        ComparedStrategy strategy = strategies.get(e);
        List<Outcome> outcomes = results.get(e);
        standings.add(
            standing(
                strategy,
                planned.get(e).get(0).study().plan(),
                outcomes,
                reduction
                    .filter(r -> strategy != ComparedStrategy.RANDOM)
                    .flatMap(r -> r.of(Outcome.accuracies(outcomes))),
                overFixed(strategies, results, e)));
      }
      return new StrategyComparison(
          sweep, extent, sweeps.space().learningRate(), sweeps.space().steps(), oracle, standings);
    }
  }

  private static Optional<PairedDifference> overFixed(
      List<ComparedStrategy> strategies, List<List<Outcome>> results, int index) {
    int fixed = strategies.indexOf(ComparedStrategy.FIXED);
    return fixed < 0 || fixed == index
        ? Optional.empty()
        : PairedDifference.of(
            Outcome.accuracies(results.get(index)), Outcome.accuracies(results.get(fixed)));
  }

  /**
   * A study that has its place in the comparison.
   *
   * @param which it is, in words
   * @param definition all that its figures follow from but the data
   */
  private record Entry(Study study, String which, String definition) {}

  private List<Entry> planned(ComparedStrategy strategy) {
    List<Entry> entries = new ArrayList<>();
    Optional<NoiseLevels> noise = Optional.empty();
    for (int repeat = 1; repeat <= extent.repeats(); repeat++) {
      // The points differ from repeat to repeat and the noise of a fixed plan does not.
      StudyPlan plan = StudyPlan.of(sweeps.of(strategy, repeat), noise);
      noise = plan.noiseLevels();
      entries.add(entry(plan, strategy.key() + ", repeat " + repeat));
    }
    return entries;
  }

  /** The text names the noise, which is another one in every study. */
  private Entry entry(StudyPlan plan, String which) {
    String name = which + ", seed " + extent.seed();
    String own = text + "\n# comparison: " + name + "\n";
    SweepDefinition planned = plan.sweep();
    String definition =
        own
            + sweep.data().sources().stream().flatMap(source -> source.files().stream()).toList()
            + planned.search()
            + planned.score()
            + sweep.card().map(CardText::text).orElse("");
    return new Entry(
        Study.create(plan, own, context, sweep.output().directory()), name, definition);
  }

  /** Studies side by side, those aside that the journal has for the same data. */
  private record Runs(StudyBatch batch, Journal<Outcome> journal, String digests) {
    List<Outcome> of(List<Entry> entries) throws IOException {
      List<Entry> open =
          entries.stream().filter(entry -> journal.find(key(entry)).isEmpty()).toList();
      // In groups that share their passes anyway, so that a kill loses no more than one.
      for (int from = 0, to; from < open.size(); from = to) {
        int together = StudyBatch.together(open.get(from).study().sweep());
        to = Math.min(open.size(), from + together);
        run(open.subList(from, to));
      }
      return entries.stream().map(entry -> journal.find(key(entry)).orElseThrow()).toList();
    }

    private String key(Entry entry) {
      return Journal.key(entry.definition() + digests);
    }

    private void run(List<Entry> entries) throws IOException {
      long start = System.nanoTime();
      List<StudyResult> results = batch.audited(entries.stream().map(Entry::study).toList());
      double seconds = (System.nanoTime() - start) / 1e9 / entries.size();
      for (int i = 0; i < entries.size(); i++) {
        journal.add(
            key(entries.get(i)), entries.get(i).which(), Outcome.of(results.get(i), seconds));
      }
    }
  }

  /**
   * The best point of the lattice by its mean, and what that point is worth when it is run again:
   * the mean that made it the best of many has its luck in it. The better third of the points is
   * looked at three times as often, and so on, so that few looks at first do not choose a point by
   * luck alone.
   */
  private Oracle oracle(Runs runs) throws IOException {
    List<LatticePoint> points = new ArrayList<>();
    for (SweepDefinition point : sweeps.oracle()) {
      points.add(new LatticePoint("oracle, point " + (points.size() + 1), StudyPlan.of(point)));
    }
    int looks = extent.looks();
    List<Outcome> seen = looks(runs, points, looks);
    List<LatticePoint> left = ranked(points, seen);
    while (left.size() > 1 && looks < extent.repeats()) {
      looks = Math.min(THIRD * looks, extent.repeats());
      List<LatticePoint> better = left.subList(0, (left.size() + THIRD - 1) / THIRD);
      left = ranked(better, looks(runs, better, looks));
    }
    List<Outcome> again = runs.of(repeated(left.get(0).plan(), "oracle, again", extent.repeats()));
    return new Oracle(
        new TrialPoint(again.get(0).learningRate(), again.get(0).steps()),
        points.size(),
        Outcome.accuracies(again),
        seen.stream().mapToDouble(Outcome::trained).sum() / extent.looks(),
        seen.stream().mapToDouble(Outcome::seconds).sum() / extent.looks());
  }

  /** A point of the oracle's lattice, and which it is, in words. */
  private record LatticePoint(String which, StudyPlan plan) {}

  /** So many looks at each, those at one point after another. */
  private List<Outcome> looks(Runs runs, List<LatticePoint> points, int times) throws IOException {
    return runs.of(
        points.stream()
            .flatMap(point -> repeated(point.plan(), point.which(), times).stream())
            .toList());
  }

  /**
   * By the mean of what was seen at each, the best first.
   *
   * @param seen as {@link #looks} gives it
   */
  private static List<LatticePoint> ranked(List<LatticePoint> points, List<Outcome> seen) {
    int times = seen.size() / points.size();
    double[] means = new double[points.size()];
    for (int p = 0; p < means.length; p++) {
      means[p] = Outcome.accuracies(seen.subList(p * times, (p + 1) * times)).mean();
    }
    return IntStream.range(0, means.length)
        .boxed()
        .sorted(Comparator.comparingDouble(p -> -means[p]))
        .map(points::get)
        .toList();
  }

  private List<Entry> repeated(StudyPlan plan, String which, int times) {
    List<Entry> entries = new ArrayList<>();
    for (int repeat = 1; repeat <= times; repeat++) {
      entries.add(entry(plan, which + ", repeat " + repeat));
    }
    return entries;
  }

  private static Standing standing(
      ComparedStrategy strategy,
      StudyPlan plan,
      List<Outcome> outcomes,
      Optional<Interval95> rerr,
      Optional<PairedDifference> overFixed) {
    Map<String, Integer> guards = new TreeMap<>();
    outcomes.forEach(o -> o.guards().forEach(name -> guards.merge(name, 1, Integer::sum)));
    double epsilon = outcomes.stream().mapToDouble(Outcome::epsilon).max().orElse(0);
    return new Standing(
        strategy,
        Outcome.accuracies(outcomes),
        rerr,
        overFixed,
        tuningShare(plan),
        trials(plan),
        outcomes.stream().mapToDouble(Outcome::trained).average().orElse(0),
        outcomes.stream().mapToDouble(Outcome::seconds).average().orElse(0),
        epsilon,
        Math.min(epsilon, plan.target().epsilon().value()),
        plan.keepsBudget() && !(plan.sweep().score() instanceof ScoreRule.Uncharged),
        guards);
  }

  /** All that does not go into the model that is the result. */
  private static OptionalDouble tuningShare(StudyPlan plan) {
    if (!plan.isInMu()) {
      return OptionalDouble.empty();
    }
    double whole = plan.budget().cap().mu().value();
    double kept = plan.target().mu().value() / whole;
    return OptionalDouble.of(Math.max(0, 1 - kept * kept));
  }

  /** E[K] of random stopping, whose own number is not told. */
  private static int trials(StudyPlan plan) {
    return plan.sweep().search() instanceof SecretTrials search
        ? (int) Math.round(search.law().mean())
        : plan.trials().size();
  }
}
