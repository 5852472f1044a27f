package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.BestOf;
import io.mutune.orchestrator.search.RandomStopping;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SplitProposal;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.model.HingeLoss;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.Grid;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads a sweep's YAML into its definition, or reports everything that is wrong with it. */
public final class SweepReader {
  private static final String NAME_RULE =
      "must be at most 64 lower-case letters, digits and dashes, no dash first";
  private static final String FIXED = "fixed";

  /** Where sharing a pass has paid off at 10 classes; docs/performance.md. */
  private static final int PARALLEL_TRIALS = 3;

  /** A coarser grid would not hold the credits that a score adds up. */
  private static final int COARSEST_GRID = 20;

  /** Finer than a double is at 1. */
  private static final int FINEST_GRID = 60;

  private final YamlSection root;
  private final Problems problems;
  private final SweepContext context;

  private SweepReader(YamlSection root, Problems problems, SweepContext context) {
    this.root = root;
    this.problems = problems;
    this.context = context;
  }

  /**
   * Reads nothing but the text.
   *
   * @param file its name in messages
   * @throws InvalidSweepException with every problem
   */
  public static SweepDefinition read(String file, String text, SweepContext context) {
    Problems problems = new Problems(file);
    YamlSection root = YamlFile.parse(text, problems);
    Optional<SweepDefinition> sweep = new SweepReader(root, problems, context).definition();
    problems.throwIfAny();
    return sweep.orElseThrow(() -> new IllegalStateException("no definition and no problem"));
  }

  private Optional<SweepDefinition> definition() {
    version();
    Optional<String> name = name();
    String description = root.text("description").orElse("");
    Optional<Appointments> schedule = root.text("schedule").flatMap(this::appointments);
    Optional<YamlSection> data = required("data", "name the private rows");
    DataReader dataReader = new DataReader(context);
    Optional<DataSource> training = data.flatMap(dataReader::training);
    Optional<DataSource> publicRows = data.flatMap(dataReader::publicRows);
    Optional<DataSource> validation = data.flatMap(d -> dataReader.held(d, "validation"));
    Optional<DataSource> test = data.flatMap(d -> dataReader.held(d, "test"));
    dataReader.refuseUnprotectedReads();
    Optional<Path> cache = data.flatMap(d -> d.path("cache", context, context::resolveOutput));
    data.ifPresent(YamlSection::finish);
    FeaturesReader.Features read = features(data, dataReader);
    FeaturePipeline features = read.maps();
    Optional<MeanStep> mean = meanStep(read, dataReader);
    Optional<Budget> budget =
        required("budget", "give epsilon and delta").flatMap(b -> budget(b, dataReader.rows()));
    root.has("search"); // known before train, which is read first: what is looked for depends on it
    Optional<TrainDefinition> train = train(dataReader);
    Tuned tuned = train.map(t -> t.method().tuned()).orElse(Tuned.RADIUS);
    Optional<YamlSection> search = required("search", "choose a strategy");
    Optional<SplitProposal> split = budget.flatMap(b -> split(b, dataReader.rows()));
    Optional<String> strategyName = search.flatMap(SearchReader::strategy);
    Optional<SearchStrategy> strategy =
        search.flatMap(
            s -> strategyName.flatMap(found -> SearchReader.read(s, found, tuned, split)));
    Optional<ScoreRule> score =
        search.flatMap(
            s ->
                strategyName.flatMap(
                    found -> ScoreReader.read(s, found, strategy, split, dataReader)));
    train.ifPresent(t -> budget.ifPresent(b -> checkClassic(t, b, dataReader.classCount())));
    train.ifPresent(t -> checkOpenness(t, dataReader));
    train.ifPresent(t -> refuseIdleMean(t.method(), read));
    if (strategyName.isPresent()) {
      search.ifPresent(
          section -> strategy.ifPresent(s -> train.ifPresent(t -> suit(section, s, t.method()))));
      search.ifPresent(
          section -> strategy.ifPresent(s -> refuseBeyondBudget(section, s, dataReader)));
      search.ifPresent(YamlSection::finish);
    }
    data.ifPresent(section -> train.ifPresent(t -> checkPublicInputs(section, dataReader, t)));
    if (data.isPresent() && dataReader.isPrivate("test").orElse(false)) {
      refuseUnpricedTest(data.get(), strategy, score);
    }
    Optional<YamlSection> run = root.section("run");
    int parallelTrials =
        run.flatMap(r -> r.integer("parallelTrials", 1, 64))
            .map(Long::intValue)
            .orElse(PARALLEL_TRIALS);
    NoiseRule noise = run.flatMap(this::noise).orElse(new NoiseRule.Secure());
    Optional<TrainDefinition> rounded = onGrid(train, noise, features, dataReader);
    run.ifPresent(YamlSection::finish);
    Optional<YamlSection> outputs = root.section("output");
    Path output = output(outputs);
    Optional<Path> perInstance =
        outputs.flatMap(o -> perInstance(o, output, rounded, budget, noise));
    outputs.ifPresent(YamlSection::finish);
    if (search.isPresent() && strategy.isPresent() && train.isPresent()) {
      StrategyLimits.check(
          search.get(),
          strategy.get(),
          train.get().method(),
          read.mean().isPresent(),
          noise,
          perInstance.isPresent());
    }
    if (cache.filter(folder -> folder.startsWith(output)).isPresent()) {
      data.ifPresent(SweepReader::refuseCacheAmongReleases);
    }
    root.finish();
    if (!problems.none()) {
      return Optional.empty();
    }
    return Optional.of(
        new SweepDefinition(
            name.orElseThrow(),
            description,
            training.orElseThrow(),
            dataReader.declared(),
            publicRows,
            validation,
            test,
            features,
            mean,
            cache,
            budget.orElseThrow(),
            strategy.orElseThrow(),
            score.orElseThrow(),
            rounded.orElseThrow(),
            parallelTrials,
            noise,
            output,
            perInstance,
            schedule));
  }

  private Optional<Appointments> appointments(String cron) {
    try {
      return Optional.of(new Appointments(cron));
    } catch (IllegalArgumentException e) {
      root.broken("schedule", String.valueOf(e.getMessage()), cron);
      return Optional.empty();
    }
  }

  private void version() {
    if (!root.has("version")) {
      root.missing("version", "write version: 1");
    } else {
      root.integer("version", 1, 1);
    }
  }

  private Optional<String> name() {
    if (!root.has("name")) {
      root.missing("name", "name the study");
    }
    Optional<String> name = root.text("name");
    if (name.isPresent() && !name.get().matches("[a-z0-9][a-z0-9-]{0,63}")) {
      root.broken("name", NAME_RULE, name.get());
      return Optional.empty();
    }
    return name;
  }

  private Optional<YamlSection> required(String key, String advice) {
    if (!root.has(key)) {
      root.missing(key, advice);
    }
    return root.section(key);
  }

  /** What training reads beside the private rows has to suit them before anything is charged. */
  private static void checkPublicInputs(
      YamlSection data, DataReader dataReader, TrainDefinition train) {
    MethodDefinition method = train.method();
    boolean given = data.has("public");
    if (method.usesPublicRows() && !given) {
      data.missing("public", method.name() + " trains on labelled public rows too");
    } else if (!method.usesPublicRows() && given) {
      data.broken("public", "is not used by " + method.name() + "; leave it out", "given");
    }
    if (method.usesPublicRows() && dataReader.classCount().filter(c -> c == 0).isPresent()) {
      data.broken("private", "must have classes for " + method.name(), "real targets");
    }
    boolean compared = method.usesPublicRows() || method.start() instanceof StartRule.FromFile;
    if (compared && data.isMapping("private") && dataReader.featureCount().isEmpty()) {
      data.broken(
          "private",
          "must state features, the number of columns: what "
              + method.name()
              + " starts from is compared with it before anything is charged",
          "without features");
    }
  }

  /** What a classic method's guarantee needs, known before anything is charged. */
  private void checkClassic(TrainDefinition train, Budget budget, Optional<Integer> classes) {
    if (!(train.method() instanceof Classic method)) {
      return;
    }
    if (method.replaceOneOnly() && budget.adjacency() != Adjacency.REPLACE_ONE) {
      root.broken(
          "budget",
          "must have adjacency: replace-one for "
              + method.name()
              + ", which has no other guarantee",
          budget.adjacency().key());
    }
    String loss = train.loss().key();
    if (method.needsSmoothLoss() && train.loss() instanceof HingeLoss) {
      root.broken(
          "train",
          "must not have the loss hinge, whose slope jumps, with "
              + method.name()
              + "; take huber-hinge",
          loss);
    }
    if (method.needsOneLogit()
        && classes.filter(count -> train.loss().columns(count) != 1).isPresent()) {
      root.broken("train", "must have a loss of one logit with " + method.name(), loss);
    }
  }

  /** What has no μ is planned to the last digit; what has no radius is searched by its rate. */
  private static void suit(YamlSection search, SearchStrategy strategy, MethodDefinition method) {
    if (method.needsFixedPlan() && strategy.fixedSteps().isEmpty()) {
      search.broken(
          "space",
          "must have one number of steps with "
              + method.name()
              + ": its charges have no mu, so the whole plan is fixed before any data is read",
          "a range of steps");
    }
    if (method.needsFixedPlan() && strategy instanceof RandomStopping) {
      search.broken(
          "strategy",
          "must not be random-stopping with "
              + method.name()
              + ": a run and its score are charged as one Gaussian mechanism",
          strategy.name());
    }
    if (!method.tuned().hasRate() && !strategy.name().equals(FIXED)) {
      search.broken(
          "strategy",
          "must be fixed with " + method.name() + ", which has no learning rate to look for");
    } else if (method.tuned() == Tuned.NOTHING && search.has("space")) {
      search.broken(
          "space", "must be left out with " + method.name() + ", whose settings are in train");
    } else if (method.tuned() == Tuned.LEARNING_RATE && strategy.searchesLogitNoise()) {
      search.broken(
          "strategy",
          "must look for a learningRate or radius with "
              + method.name()
              + ", whose noise in a logit is not known beforehand",
          strategy.name() + " over logitNoise");
    }
  }

  private FeaturesReader.Features features(Optional<YamlSection> data, DataReader dataReader) {
    FeaturesReader.Features features =
        FeaturesReader.read(root.sections("features").orElse(List.of()));
    data.filter(section -> section.isMapping("private"))
        .flatMap(section -> section.section("private"))
        .ifPresent(
            training ->
                FeaturesReader.checkWidth(
                    root, features.maps(), dataReader.featureCount(), training));
    return features;
  }

  /** Its width has to be public: what is trained is checked before it is charged. */
  private Optional<MeanStep> meanStep(FeaturesReader.Features features, DataReader data) {
    Optional<FeaturesReader.Mean> mean = features.mean();
    if (mean.isEmpty()) {
      return Optional.empty();
    }
    if (data.featureCount().isEmpty()) {
      mean.get()
          .section()
          .broken("type", "needs data.private to state features, the number of columns");
      return Optional.empty();
    }
    if (!problems.none()) {
      return Optional.empty();
    }
    List<FeatureMap> before = features.maps().maps().subList(0, mean.get().position());
    return Optional.of(
        mean.get().of(new FeaturePipeline(before).outputs(data.featureCount().get())));
  }

  /** The figure of a private test set is charged like a score, so there must be one. */
  private static void refuseUnpricedTest(
      YamlSection data, Optional<SearchStrategy> strategy, Optional<ScoreRule> score) {
    if (strategy.filter(s -> s instanceof RandomStopping).isPresent()) {
      data.broken(
          "test",
          "must be public with random-stopping: when its figure is charged would tell how many runs"
              + " there were",
          "private: true");
    } else if (score.filter(rule -> rule instanceof ScoreRule.None).isPresent()) {
      data.broken(
          "test", "must be public where the strategy is fixed: nothing is scored", "private: true");
    } else if (score.filter(rule -> !(rule instanceof ScoreRule.NoisyCount)).isPresent()) {
      data.broken(
          "test",
          "is private, so its figure is charged like a score: give search.score an epsilon",
          "private: true");
    }
  }

  private static Optional<Budget> budget(YamlSection budget, Optional<Long> rows) {
    for (String key : List.of("epsilon", "delta")) {
      if (!budget.has(key)) {
        budget.missing(key, "the guarantee of the whole study is (epsilon, delta)");
      }
    }
    NumberRule belowRows =
        rows.map(
                n ->
                    new NumberRule(
                        "above 0 and below 1/rows (" + PrintedNumber.down(1.0 / n, 2) + ")",
                        v -> v > 0 && v < 1.0 / n))
            .orElse(new NumberRule("above 0 and below 1", v -> v > 0 && v < 1));
    Optional<Double> epsilon = budget.number("epsilon", NumberRule.EPSILON);
    Optional<Double> delta = budget.number("delta", belowRows);
    Adjacency adjacency =
        budget
            .word("adjacency", Arrays.stream(Adjacency.values()).map(Adjacency::key).toList())
            .flatMap(Adjacency::ofKey)
            .orElse(Adjacency.ADD_REMOVE);
    if (budget.has("account")) {
      budget.broken("account", "needs data set accounts, which this version lacks", "given");
    }
    budget.finish();
    return epsilon.flatMap(e -> delta.map(d -> new Budget(Epsilon.of(e), Delta.of(d), adjacency)));
  }

  /** What costs more than the sweep's budget is open to rows that need no protection alone. */
  private static void refuseBeyondBudget(
      YamlSection search, SearchStrategy strategy, DataReader data) {
    boolean whole = strategy instanceof BestOf best && best.passesBudget();
    if (whole && !data.declared().isOpen()) {
      search.broken(
          strategy.name().equals("oracle") ? "strategy" : "budget",
          "spends the whole budget in every run, so data.private must be declared: public or"
              + " declared: simulated",
          strategy.name().equals("oracle") ? "oracle" : "whole");
    }
  }

  private static Optional<SplitProposal> split(Budget budget, Optional<Long> rows) {
    return rows.map(n -> SplitProposal.of(budget.cap().mu(), budget.delta(), n));
  }

  /** A method that is not charged would be left with a charge beside it that says otherwise. */
  private static void refuseIdleMean(MethodDefinition method, FeaturesReader.Features features) {
    if (!method.isCharged()) {
      features
          .mean()
          .ifPresent(
              mean ->
                  mean.section()
                      .broken(
                          "type", "must not be there with " + method.name() + ": it is charged"));
    }
  }

  /** The paragon reads the training rows as public ones are read. */
  private void checkOpenness(TrainDefinition train, DataReader data) {
    if (train.method() instanceof OpenTraining open
        && !open.onPublicRows()
        && !data.declared().isOpen()) {
      root.broken(
          "train",
          "must not have the method not-private where data.private is declared private: it is not"
              + " charged. Declare the rows public or simulated, if they are, or take another method",
          open.name());
    }
  }

  private Optional<TrainDefinition> train(DataReader data) {
    Optional<YamlSection> section = root.section("train");
    if (section.isEmpty()) {
      return Optional.of(
          new TrainDefinition(MethodReader.usual(), LossReader.usual(data.classCount())));
    }
    YamlSection train = section.get();
    Loss loss = LossReader.read(train, data.classCount());
    Optional<MethodDefinition> method = new MethodReader(train, context, data).read();
    if (method.isPresent()) {
      train.finish();
    }
    return method.map(m -> new TrainDefinition(m, loss));
  }

  private Optional<NoiseRule> noise(YamlSection run) {
    if (run.isMapping("noise")) {
      return run.section("noise")
          .flatMap(
              section -> {
                if (!section.has("seed") && !section.has("grid")) {
                  section.missing(
                      "grid", "write noise: secure, or noise: {grid: 30}, or noise: {seed: 7}");
                }
                Optional<Long> seed = section.integer("seed", 0, (1L << 53) - 1);
                Optional<Grid> grid =
                    section
                        .integer("grid", COARSEST_GRID, FINEST_GRID)
                        .map(exponent -> new Grid(-exponent.intValue()));
                section.finish();
                return Optional.of(
                    seed.<NoiseRule>map(s -> new NoiseRule.Seeded(s, grid))
                        .orElseGet(() -> new NoiseRule.Secure(grid)));
              });
    }
    return run.word("noise", List.of("secure")).map(word -> new NoiseRule.Secure());
  }

  /** Rounding is part of what a sum is charged for, so the sum's shape has to be public. */
  private Optional<TrainDefinition> onGrid(
      Optional<TrainDefinition> train, NoiseRule noise, FeaturePipeline features, DataReader data) {
    if (noise.grid().isEmpty() || train.isEmpty()) {
      return train;
    }
    MethodDefinition method = train.get().method();
    Loss loss = train.get().loss();
    if (data.featureCount().isEmpty()) {
      root.broken(
          "run",
          "must not have noise on a grid unless data.private states features: rounding is charged"
              + " by the number of weights",
          "without features");
      return train;
    }
    if (!problems.none() || data.classCount().isEmpty()) {
      return train;
    }
    int width = features.outputs(data.featureCount().get());
    Optional<MethodDefinition> rounded =
        method.rounded(
            new SumRounding(noise.grid().get(), width, loss.columns(data.classCount().get())));
    if (rounded.isEmpty()) {
      root.broken(
          "run",
          "must not have noise on a grid with "
              + method.name()
              + ": what rounding costs is worked out for sums of one clip norm that is known"
              + " beforehand (noisy-gd, fully-private, dp-sgd, dp-adam, dp-adam-wosm, sgd-adv)",
          method.name());
      return train;
    }
    return Optional.of(new TrainDefinition(rounded.get(), loss));
  }

  private static void refuseCacheAmongReleases(YamlSection data) {
    data.broken("cache", "holds private features, so it must not be in the output directory");
  }

  /** Where runs go: a folder in the working folder unless the path is absolute. */
  private Path output(Optional<YamlSection> section) {
    return section
        .flatMap(s -> s.path("directory", context, context::resolveOutput))
        .orElse(context.resolveOutput("runs"));
  }

  /** Figures that follow from single rows: far from what is released, and only where proved. */
  private Optional<Path> perInstance(
      YamlSection section,
      Path output,
      Optional<TrainDefinition> train,
      Optional<Budget> budget,
      NoiseRule noise) {
    Optional<Path> file = section.path("perInstance", context, context::resolveOutput);
    if (file.isEmpty()) {
      return file;
    }
    if (file.get().startsWith(output)) {
      section.broken(
          "perInstance", "holds private figures, so it must not be in the output directory");
    }
    if (train.filter(t -> !t.method().hasRowCosts()).isPresent()) {
      section.broken(
          "perInstance",
          "is for methods whose every step takes all rows and clips them (noisy-gd, fully-private,"
              + " adamix, or a samplingRate of 1)",
          train.get().method().name());
    }
    if (budget.filter(b -> b.adjacency() != Adjacency.ADD_REMOVE).isPresent()) {
      section.broken(
          "perInstance", "is proved for adjacency: add-remove", budget.get().adjacency().key());
    }
    if (noise.grid().isPresent()) {
      section.broken("perInstance", "leaves no room for rounding to a grid", "noise on a grid");
    }
    return file;
  }
}
