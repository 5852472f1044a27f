package io.mutune.orchestrator.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.EnoughSteps;
import io.mutune.orchestrator.search.Fixed;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.RandomStopping;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.ScaleFree;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SplitProposal;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.SubsampledTuning;
import io.mutune.orchestrator.search.SuccessiveHalving;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.orchestrator.search.TrialsThenFinal;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SearchLimits;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Need;
import java.util.List;
import java.util.Optional;

/**
 * The studies of a comparison: a sweep's rows, features, budget and method, with every strategy's
 * own search. The sweep's own search gives the settings of its strategy and the largest number of
 * steps; the others have the defaults that docs/compare.md states.
 */
final class ComparedSweeps {
  /** From how small a part of the largest number of steps points are drawn. */
  private static final int STEP_RANGE = 10;

  /** μ of a score of random stopping over the budget's: a run has a third to a half of it. */
  private static final double STOPPING_SCORE = 0.1;

  /** E[K] of random stopping. */
  private static final double MEAN_RUNS = 10;

  /** ε of the runs on samples over the budget's. */
  private static final double SAMPLED_SHARE = 0.5;

  private static final double SAMPLE_RATE = 0.1;

  /** μ of a score on a sample over the budget's: a run has as much as the budget and more. */
  private static final double SAMPLED_SCORE = 0.3;

  private static final int TRIALS = 3;
  private static final double CHEAP = 0.1;
  private static final double DEARER = 0.2;

  /** The part of the budget's μ² that all scores of a study cost together. */
  private static final double SCORE_SHARE = 0.03;

  /** Points of the lattice of {@code grid}, which pays for each. */
  private static final int GRID_VALUES = 5;

  /** Points of the oracle's, which pays for none. */
  private static final int ORACLE_VALUES = 12;

  private static final int ORACLE_STEPS = 3;

  private final SweepDefinition sweep;
  private final long seed;
  private final int steps;
  private final RadiusSpace.ByRate space;
  private final NoiseRule noise;

  ComparedSweeps(SweepDefinition sweep, RateRange range, long seed) {
    this.sweep = sweep;
    this.seed = seed;
    this.steps = largestSteps(sweep);
    this.space =
        new RadiusSpace.ByRate(
            range.rates(),
            new StepRange(Math.max(1, steps / STEP_RANGE), steps),
            RadiusSpace.Decompose.SAMPLE_BOTH);
    this.noise = new NoiseRule.Seeded(seed, sweep.run().noise().grid());
  }

  private static int largestSteps(SweepDefinition sweep) {
    return sweep
        .search()
        .searchedSpace()
        .map(own -> own.steps().max())
        .orElseGet(() -> sweep.search().fixedSteps().orElse(EnoughSteps.USUAL));
  }

  RadiusSpace.ByRate space() {
    return space;
  }

  /** Why the sweep cannot have a strategy in place of its own search; empty if it can. */
  Optional<String> refusal(ComparedStrategy strategy) {
    return SearchLimits.of(of(strategy, 1)).breaches().stream()
        .findFirst()
        .map(breach -> strategy.key() + " " + breach.rule());
  }

  /** The study of one strategy in one repeat, counted from 1. */
  SweepDefinition of(ComparedStrategy strategy, int repeat) {
    SearchStrategy search = search(strategy, repeat);
    return sweep.with(search, score(strategy, search), noise);
  }

  /** A study of the whole budget for every point that the oracle may choose. */
  List<SweepDefinition> oracle() {
    BestOf.Lattice lattice = new BestOf.Lattice(space, ORACLE_VALUES, ORACLE_STEPS);
    Mu whole = sweep.budget().cap().mu();
    // Of one or two steps the lattice has some of its points several times.
    return lattice.of(sweep.runScale(), whole).stream()
        .distinct()
        .map(point -> new Fixed(new Fixed.ByRate(point.learningRate(), point.steps())))
        .map(fixed -> sweep.with(fixed, new ScoreRule.None(), noise))
        .toList();
  }

  private SearchStrategy search(ComparedStrategy strategy, int repeat) {
    // A seed of its own for each repeat; the same points for all strategies that draw some.
    long points = Math.addExact(Math.multiplyExact(seed, 1_000_003L), repeat);
    return switch (strategy) {
      case RANDOM ->
          new BestOf("random", new BestOf.Drawn(drawn(), 1, points), BestOf.Cost.DIVIDED);
      case GRID ->
          new BestOf("grid", new BestOf.Lattice(drawn(), GRID_VALUES, 1), BestOf.Cost.DIVIDED);
      case SUCCESSIVE_HALVING -> halving();
      case RANDOM_STOPPING ->
          new RandomStopping(drawn(), TruncatedNegativeBinomial.ofMean(1, MEAN_RUNS));
      case SUBSAMPLED_TUNING ->
          new SubsampledTuning(
              new RadiusSpace.ByLogitNoise(RunScale.USUAL_NOISE, new StepRange(steps, steps)),
              TruncatedNegativeBinomial.ofMean(1, MEAN_RUNS),
              SAMPLE_RATE,
              Epsilon.of(SAMPLED_SHARE * sweep.budget().epsilon().value()));
      case FIXED -> new Fixed(new Fixed.ByLogitNoise(1, steps));
      case SCALE_FREE -> scaleFree();
      case LINEAR_SCALING -> guarded(points);
      case LINEAR_SCALING_PAPER -> toTheLetter(points);
    };
  }

  private SearchStrategy halving() {
    if (sweep.search() instanceof SuccessiveHalving own) {
      return new SuccessiveHalving(candidates(own.points().count()), own.rounds(), own.why());
    }
    SplitProposal split =
        SplitProposal.ofHalving(
            sweep.budget(),
            SuccessiveHalving.sizes(
                SuccessiveHalving.DEFAULT_VALUES, SuccessiveHalving.DEFAULT_FACTOR),
            SuccessiveHalving.DEFAULT_TUNING);
    return new SuccessiveHalving(
        candidates(SuccessiveHalving.DEFAULT_VALUES), split.rounds(), Optional.of(split.why()));
  }

  private BestOf.Lattice candidates(int values) {
    return new BestOf.Lattice(mostSteps(), values, 1);
  }

  /** From which points are drawn: a plan that is fixed beforehand has one number of steps. */
  private RadiusSpace.ByRate drawn() {
    return sweep.train().method().needs(Need.FIXED_PLAN) ? mostSteps() : space;
  }

  /** Over the rates, at the largest number of steps: more steps cost no privacy. */
  private RadiusSpace.ByRate mostSteps() {
    return new RadiusSpace.ByRate(
        space.learningRate(), new StepRange(steps, steps), RadiusSpace.Decompose.INDEPENDENT);
  }

  private SearchStrategy scaleFree() {
    if (sweep.search() instanceof ScaleFree own) {
      return own;
    }
    SplitProposal split = split();
    return new ScaleFree(
        RunScale.USUAL_NOISE, EnoughSteps.given(steps), split.rounds(), Optional.of(split.why()));
  }

  private SplitProposal split() {
    return SplitProposal.of(sweep.budget(), sweep.rows(), SplitProposal.Amounts.USUAL);
  }

  private SearchStrategy guarded(long points) {
    if (sweep.search() instanceof LinearScaling own) {
      return new LinearScaling(
          mostSteps(),
          own.rounds(),
          own.degree(),
          own.axis(),
          true,
          points,
          own.why(),
          own.usual());
    }
    SplitProposal split =
        SplitProposal.ofLine(
            sweep.budget(), sweep.rows(), 1, SplitProposal.Amounts.USUAL.least(), true);
    // Without trials ν decides, which says nothing of some methods.
    boolean proposed = sweep.runScale().natural();
    return new LinearScaling(
        mostSteps(),
        proposed ? split.rounds() : List.of(round(CHEAP), round(DEARER)),
        1,
        LinearScaling.Axis.MU,
        true,
        points,
        proposed ? Optional.of(split.why()) : Optional.empty(),
        RunScale.USUAL_NOISE);
  }

  private SearchStrategy toTheLetter(long points) {
    return sweep.search() instanceof LinearScaling own && !own.rounds().isEmpty()
        ? new LinearScaling(drawn(), own.rounds(), own.degree(), own.axis(), false, points)
        : new LinearScaling(
            drawn(), List.of(round(CHEAP), round(DEARER)), 1, LinearScaling.Axis.MU, false, points);
  }

  /** At a part of the budget's ε, as the paper's 0.1 and 0.2 are of 1. */
  private SweepRound round(double part) {
    return new SweepRound(Epsilon.of(part * sweep.budget().epsilon().value()), TRIALS);
  }

  private ScoreRule score(ComparedStrategy strategy, SearchStrategy search) {
    if (!search.scores()) {
      return new ScoreRule.None();
    }
    if (strategy == ComparedStrategy.LINEAR_SCALING_PAPER) {
      return new ScoreRule.Uncharged();
    }
    boolean others =
        search instanceof SuccessiveHalving && !(sweep.search() instanceof SuccessiveHalving);
    if ((search.isSecret() || others) && sweep.score() instanceof ScoreRule.NoisyCount) {
      // What the sweep gives for its own trials may be more than a whole run has here, and is for
      // another number of them.
      return new ScoreRule.NoisyCount(scoreEpsilon(search), true);
    }
    if (search instanceof ScaleFree
        && !(sweep.search() instanceof ScaleFree)
        && !(sweep.score() instanceof ScoreRule.PublicValidation)) {
      return new ScoreRule.NoisyCount(split().score(), true);
    }
    if (sweep.score() instanceof ScoreRule.None || sweep.score() instanceof ScoreRule.Uncharged) {
      return new ScoreRule.NoisyCount(scoreEpsilon(search), true);
    }
    return sweep.score();
  }

  private Epsilon scoreEpsilon(SearchStrategy search) {
    double cap = sweep.budget().cap().mu().value();
    double each =
        cap
            * (search instanceof RandomStopping
                ? STOPPING_SCORE
                : search instanceof SubsampledTuning
                    ? SAMPLED_SCORE
                    : Math.sqrt(SCORE_SHARE / trials(search)));
    Delta delta = sweep.budget().delta();
    return GaussianDp.of(Mu.of(each)).epsilonAtMost(delta);
  }

  private static int trials(SearchStrategy search) {
    if (search instanceof BestOf best) {
      return best.runs();
    }
    return ((TrialsThenFinal) search).rounds().stream().mapToInt(SweepRound::trials).sum();
  }
}
