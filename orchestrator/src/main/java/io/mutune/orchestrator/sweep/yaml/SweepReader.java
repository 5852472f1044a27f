package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.sweep.Appointments;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.OutputSettings;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.Loss;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads a sweep's YAML into its definition, or reports everything that is wrong with it. */
public final class SweepReader {
  private static final String NAME_RULE =
      "must be at most 64 lower-case letters, digits and dashes, no dash first";

  private final YamlSection root;
  private final Problems problems;
  private final SweepContext context;
  private final boolean stored;

  private SweepReader(YamlSection root, Problems problems, SweepContext context, boolean stored) {
    this.root = root;
    this.problems = problems;
    this.context = context;
    this.stored = stored;
  }

  /**
   * Reads nothing but the text.
   *
   * @param file its name in messages
   * @throws InvalidSweepException with every problem
   */
  public static SweepDefinition read(String file, String text, SweepContext context) {
    return read(file, text, context, false);
  }

  /**
   * Reads a sweep of which there is a study already: what only keeps new ones from being begun is
   * not asked of it, so that old ones are listed and audited as before.
   *
   * @param file its name in messages
   * @throws InvalidSweepException with every problem
   */
  public static SweepDefinition readStored(String file, String text, SweepContext context) {
    return read(file, text, context, true);
  }

  private static SweepDefinition read(
      String file, String text, SweepContext context, boolean stored) {
    Problems problems = new Problems(file);
    YamlSection root = YamlFile.parse(text, problems);
    Optional<SweepDefinition> sweep = new SweepReader(root, problems, context, stored).definition();
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
    Optional<YamlSection> budgetSection = required("budget", "give epsilon and delta");
    budgetSection.ifPresent(b -> refuseEndless(b, schedule));
    Optional<String> account =
        budgetSection.flatMap(b -> BudgetReader.account(b, dataReader.declared()));
    Optional<Budget> budget = budgetSection.flatMap(b -> BudgetReader.read(b, dataReader.rows()));
    root.has("search"); // known before train, which is read first: what is looked for depends on it
    Optional<TrainDefinition> given = train(dataReader);
    Searched searched = given.map(t -> t.method().searched()).orElse(Searched.RADIUS);
    Optional<YamlSection> search = required("search", "choose a strategy");
    Optional<ProposedSplits> splits =
        budget.flatMap(b -> dataReader.rows().map(n -> new ProposedSplits(b, n)));
    Optional<String> strategyName = search.flatMap(SearchReader::strategy);
    Optional<SearchStrategy> strategy =
        strategyName.flatMap(
            found -> SearchReader.read(search.get(), found, searched, splits, dataReader.rows()));
    Optional<ScoreRule> score =
        strategyName.flatMap(
            found -> ScoreReader.read(search.get(), found, strategy, splits, dataReader));
    Optional<TrainDefinition> train =
        given.map(t -> strategy.map(s -> SearchedSettings.withLeastRate(t, s)).orElse(t));
    RunReader runReader = new RunReader(root, problems);
    RunSettings run = runReader.read();
    NoiseRule noise = run.noise();
    if (!stored) {
      runReader.refuseSeed(noise, dataReader);
    }
    OutputReader output = new OutputReader(root, context);
    Optional<Path> perInstance = output.perInstance(train, budget, noise);
    new Draft(
            root,
            data,
            dataReader,
            read,
            budget,
            train,
            search,
            strategy,
            score,
            noise,
            perInstance.isPresent())
        .check();
    if (strategyName.isPresent()) {
      search.get().finish();
    }
    Optional<TrainDefinition> rounded = runReader.onGrid(train, noise, features, dataReader);
    if (cache.filter(folder -> folder.startsWith(output.directory())).isPresent()) {
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
            new SweepData(
                training.orElseThrow(),
                dataReader.declared(),
                publicRows,
                validation,
                test,
                features,
                mean,
                cache),
            budget.orElseThrow(),
            strategy.orElseThrow(),
            score.orElseThrow(),
            rounded.orElseThrow(),
            run,
            new OutputSettings(output.directory(), perInstance),
            schedule,
            account));
  }

  private Optional<Appointments> appointments(String cron) {
    try {
      return Optional.of(new Appointments(cron));
    } catch (IllegalArgumentException e) {
      root.broken("schedule", String.valueOf(e.getMessage()), cron);
      return Optional.empty();
    }
  }

  /** Each run may cost the whole budget again, so something has to end them. */
  private void refuseEndless(YamlSection budget, Optional<Appointments> schedule) {
    if (schedule.isPresent() && !budget.has("account")) {
      root.broken(
          "schedule",
          "needs budget.account: every run costs its budget anew, and the account of the data ends"
              + " them");
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

  private Optional<TrainDefinition> train(DataReader data) {
    YamlSection train = root.section("train").orElseGet(() -> root.empty("train"));
    Loss loss = LossReader.read(train, data.classCount());
    Optional<TrainingMethod> method =
        new MethodReader(train, context, data, key -> SearchedSettings.isSearched(root, key))
            .read();
    if (method.isPresent()) {
      train.finish();
    }
    return method.map(m -> new TrainDefinition(m, loss));
  }

  private static void refuseCacheAmongReleases(YamlSection data) {
    data.broken("cache", "holds private features, so it must not be in the output directory");
  }
}
