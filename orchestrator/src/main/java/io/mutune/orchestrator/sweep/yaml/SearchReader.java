package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.orchestrator.display.NearestWord;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.EnoughSteps;
import io.mutune.orchestrator.search.Fixed;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.RandomStopping;
import io.mutune.orchestrator.search.ScaleFree;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SplitProposal;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.SubsampledTuning;
import io.mutune.orchestrator.search.SweepRound;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.setting.NumberRule;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code search}: the strategy, its space and its rounds.
 *
 * @param tuned what the method leaves to be looked for
 * @param splits where the budget goes if the sweep does not say; empty if that is not known
 * @param steps how many there are if the sweep leaves that to the plan; empty likewise
 * @param rows the public row count
 * @param usual where to look for ν if the sweep does not say
 */
record SearchReader(
    YamlSection search,
    Searched tuned,
    Optional<ProposedSplits> splits,
    Optional<StepsReader> steps,
    Optional<Long> rows,
    Interval usual) {
  private static final List<String> STRATEGIES =
      List.of(
          "scale-free",
          "linear-scaling",
          "random",
          "grid",
          "successive-halving",
          "random-stopping",
          "subsampled-tuning",
          "fixed",
          "oracle");
  static final int MOST_TRIALS = 10_000;
  private static final int DEFAULT_VALUES = 5;
  private static final double DEFAULT_RUNS = 10;
  private static final int MOST_RUNS = 10_000;
  private static final NumberRule MEAN_RUNS = NumberRule.above(1, 500);
  private static final NumberRule SAMPLE_RATE = NumberRule.fromTo(0.001, 0.999);
  private static final double DEFAULT_SAMPLE = 0.1;
  private static final String GEOMETRIC = "geometric";
  private static final String LOGARITHMIC = "logarithmic";
  private static final String POISSON = "poisson";
  private static final String BINOMIAL = "binomial";

  /**
   * The strategy by name, or the one that was probably meant: the rest is then checked as its.
   * Empty where nothing is near, since which keys belong here depends on it.
   */
  static Optional<String> strategy(YamlSection search) {
    search.requireFirst("strategy", "one of " + String.join(", ", STRATEGIES));
    Optional<String> known = search.word("strategy", STRATEGIES);
    return known.isPresent()
        ? known
        : search.wordAt("strategy").flatMap(word -> NearestWord.of(word, STRATEGIES));
  }

  /** The strategy of this name, as {@link #strategy} gave it. */
  Optional<SearchStrategy> read(String strategy) {
    return switch (strategy) {
      case "scale-free" -> scaleFree();
      case "linear-scaling" -> linearScaling();
      case "random" -> random();
      case "random-stopping" -> randomStopping();
      case "subsampled-tuning" -> subsampledTuning();
      case "grid", "oracle" -> grid(strategy);
      case "successive-halving" -> HalvingReader.read(search, splits, rows);
      case "fixed" -> tuned.hasRate() ? fixed() : untuned();
      default -> throw new IllegalArgumentException("no strategy: " + strategy);
    };
  }

  private Optional<SearchStrategy> scaleFree() {
    Optional<SplitProposal> split = splits.map(ProposedSplits::scaleFree);
    boolean proposed = !search.has("sweeps");
    Optional<List<SweepRound>> rounds =
        proposed ? split.map(SplitProposal::rounds) : RoundsReader.read(search);
    Optional<String> why = proposed ? split.map(SplitProposal::why) : Optional.empty();
    Optional<YamlSection> space = search.section("space");
    if (space.isEmpty()) {
      EnoughSteps enough = StepsReader.unsaid(steps, usual.max());
      return rounds.map(r -> new ScaleFree(usual, enough, r, why));
    }
    Interval range = SpaceReader.interval(space.get(), "logitNoise").orElse(usual);
    Optional<EnoughSteps> enough = StepsReader.read(space.get(), steps, range.max());
    space.get().finish();
    return rounds.flatMap(r -> enough.map(count -> new ScaleFree(range, count, r, why)));
  }

  /** Without {@code sweeps} the plan proposes them, where guards know what to do with none. */
  private Optional<SearchStrategy> linearScaling() {
    int degree = 1;
    LinearScaling.Axis axis = LinearScaling.Axis.MU;
    boolean guards = true;
    Optional<YamlSection> fit = search.section("fit");
    if (fit.isPresent()) {
      degree = fit.get().count("degree", 1, 5).orElse(degree);
      axis =
          fit.get()
              .oneOf("axis", LinearScaling.Axis.values(), LinearScaling.Axis::key)
              .orElse(axis);
      guards = fit.get().flag("guards").orElse(guards);
      fit.get().finish();
    }
    long seed = seed();
    Optional<RadiusSpace> space = SpaceReader.read(search, rows);
    boolean proposed = !search.has("sweeps") && guards && tuned == Searched.RADIUS;
    int fitted = degree;
    Optional<SplitProposal> split = proposed ? splits.map(s -> s.line(fitted)) : Optional.empty();
    Optional<List<SweepRound>> rounds =
        proposed ? split.map(SplitProposal::rounds) : RoundsReader.read(search);
    if (rounds.isPresent() && !proposed) {
      // Two sweeps at one epsilon give one point to fit through: known before anything is spent.
      long different = rounds.get().stream().map(SweepRound::epsilon).distinct().count();
      if (different < degree + 1) {
        search.broken(
            "sweeps",
            "must have at least "
                + (degree + 1)
                + " different epsilons for a fit of degree "
                + degree,
            different);
        return Optional.empty();
      }
    }
    if (rounds.isEmpty() || space.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new LinearScaling(
            space.get(),
            rounds.get(),
            degree,
            axis,
            guards,
            seed,
            split.map(SplitProposal::why),
            usual));
  }

  /** One run at a random point, or several that share the budget. */
  private Optional<SearchStrategy> random() {
    Optional<RadiusSpace> space = SpaceReader.withoutSplit(search, rows);
    int trials = search.count("trials", 1, MOST_TRIALS).orElse(1);
    long seed = seed();
    BestOf.Cost cost = cost();
    return space.map(s -> new BestOf("random", new BestOf.Drawn(s, trials, seed), cost));
  }

  private Optional<SearchStrategy> randomStopping() {
    Optional<RadiusSpace> space = SpaceReader.withoutSplit(search, rows);
    Optional<TrialCount> law = law();
    return space.flatMap(s -> law.map(count -> new RandomStopping(s, count)));
  }

  private Optional<SearchStrategy> subsampledTuning() {
    Optional<RadiusSpace> space = SpaceReader.withoutSplit(search, rows);
    Optional<TrialCount> law = law();
    double rate = search.number("sampleRate", SAMPLE_RATE).orElse(DEFAULT_SAMPLE);
    search.require("epsilon", "of all runs on samples together");
    Optional<Double> epsilon = search.number("epsilon", NumberRule.EPSILON);
    if (space.filter(s -> s.steps().only().isEmpty()).isPresent()) {
      search.broken("space", "must have one number of steps with subsampled-tuning", "a range");
      return Optional.empty();
    }
    return space.flatMap(
        s ->
            law.flatMap(
                count -> epsilon.map(e -> new SubsampledTuning(s, count, rate, Epsilon.of(e)))));
  }

  /** Of the number of secret runs; empty where it cannot be read. */
  private Optional<TrialCount> law() {
    double mean = DEFAULT_RUNS;
    String law = GEOMETRIC;
    Optional<Integer> most = Optional.empty();
    if (search.has("runs")) {
      Optional<YamlSection> runs = search.section("runs");
      if (runs.isEmpty()) {
        return Optional.empty();
      }
      law = runs.get().word("law", List.of(GEOMETRIC, LOGARITHMIC, POISSON, BINOMIAL)).orElse(law);
      mean = runs.get().number("mean", MEAN_RUNS).orElse(mean);
      if (law.equals(BINOMIAL)) {
        most = runs.get().count("most", 2, MOST_RUNS);
        if (most.isPresent() && most.get() <= mean) {
          runs.get().broken("most", "must be above the mean, " + mean, most.get());
          return Optional.empty();
        }
      } else if (runs.get().hasRefused("most")) {
        runs.get().broken("most", "is for law: binomial alone");
      }
      runs.get().finish();
    }
    int greatest = most.orElse((int) Math.ceil(2 * mean));
    double average = mean;
    return Optional.of(
        switch (law) {
          case BINOMIAL -> new BinomialTrials(greatest, average / greatest);
          case POISSON -> new PoissonTrials(mean);
          case LOGARITHMIC -> TruncatedNegativeBinomial.ofMean(0, mean);
          default -> TruncatedNegativeBinomial.ofMean(1, mean);
        });
  }

  /** A lattice; the oracle's runs have the whole budget each. */
  private Optional<SearchStrategy> grid(String name) {
    Optional<BestOf.Lattice> lattice = LatticeReader.read(search, DEFAULT_VALUES, rows);
    BestOf.Cost cost = name.equals("oracle") ? BestOf.Cost.WHOLE : cost();
    return lattice.map(points -> new BestOf(name, points, cost));
  }

  private long seed() {
    return search.integer("seed", 0, Long.MAX_VALUE >> 10).orElse(0L);
  }

  private BestOf.Cost cost() {
    return search
        .oneOf("budget", BestOf.Cost.values(), BestOf.Cost::key)
        .orElse(BestOf.Cost.DIVIDED);
  }

  private Optional<SearchStrategy> fixed() {
    if (!search.has("space")) {
      EnoughSteps enough = StepsReader.unsaid(steps, 1);
      return Optional.of(new Fixed(new Fixed.ByLogitNoise(1, enough.count()), enough.why()));
    }
    Optional<YamlSection> section = search.section("space");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    YamlSection space = section.get();
    Optional<String> way = SpaceReader.oneWay(space);
    Optional<Double> value = way.flatMap(key -> space.number(key, NumberRule.HYPERPARAMETER));
    boolean byNoise = way.filter("logitNoise"::equals).isPresent();
    Optional<EnoughSteps> enough =
        byNoise && (!space.has("steps") || StepsReader.isAuto(space))
            ? value.flatMap(noise -> StepsReader.read(space, steps, noise))
            : space
                .count("steps", 1, StepRange.MOST)
                .or(() -> Optional.of(EnoughSteps.USUAL))
                .map(EnoughSteps::given);
    space.finish();
    return value.flatMap(
        v -> enough.map(count -> new Fixed(point(way.orElseThrow(), v, count), count.why())));
  }

  private static Fixed.Point point(String way, double value, EnoughSteps steps) {
    return switch (way) {
      case "radius" -> new Fixed.ByRadius(value, steps.count());
      case "logitNoise" -> new Fixed.ByLogitNoise(value, steps.count());
      default -> new Fixed.ByRate(value, steps.count());
    };
  }

  /** No rate, and steps only where the method has any to choose. */
  private Optional<SearchStrategy> untuned() {
    if (tuned == Searched.NOTHING) {
      return Optional.of(new Fixed(new Fixed.BySteps(1)));
    }
    Optional<YamlSection> space = search.section("space");
    int count = space.flatMap(s -> s.count("steps", 1, StepRange.MOST)).orElse(EnoughSteps.USUAL);
    space.ifPresent(YamlSection::finish);
    return Optional.of(new Fixed(new Fixed.BySteps(count)));
  }
}
