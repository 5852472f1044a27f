package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.CronSchedule;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.NameForm;
import io.mutune.orchestrator.sweep.OutputSettings;
import io.mutune.orchestrator.sweep.RunSettings;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.score.Metric;
import io.mutune.trainer.table.ColumnGroups;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a sweep's YAML into its definition, or reports everything that is wrong with it. */
public final class SweepReader {
  private final YamlSection root;
  private final Problems problems;
  private final SweepContext context;
  private final Purpose purpose;

  /** Why a sweep is read. */
  private enum Purpose {
    NEW,
    STORED,
    SUBMITTED
  }

  private SweepReader(YamlSection root, Problems problems, SweepContext context, Purpose purpose) {
    this.root = root;
    this.problems = problems;
    this.context = context;
    this.purpose = purpose;
  }

  /**
   * Reads nothing but the text.
   *
   * @param file its name in messages
   * @throws InvalidSweepException with every problem
   */
  public static SweepDefinition read(String file, String text, SweepContext context) {
    return read(file, text, context, Purpose.NEW);
  }

  /**
   * Reads a sweep of which there is a study already: what only keeps new ones from being begun is
   * not asked of it, so that old ones are listed and audited as before.
   *
   * @param file its name in messages
   * @throws InvalidSweepException with every problem
   */
  public static SweepDefinition readStored(String file, String text, SweepContext context) {
    return read(file, text, context, Purpose.STORED);
  }

  /**
   * Reads a sweep that came over HTTP or goes into the queue: it names a registered data set, and
   * no path of any kind.
   *
   * @param file its name in messages
   * @throws InvalidSweepException with every problem
   */
  public static SweepDefinition readSubmitted(String file, String text, SweepContext context) {
    return read(file, text, context, Purpose.SUBMITTED);
  }

  private static SweepDefinition read(
      String file, String text, SweepContext context, Purpose purpose) {
    Problems problems = new Problems(file);
    YamlSection root = YamlFile.parse(text, problems);
    Optional<SweepDefinition> sweep =
        new SweepReader(root, problems, context, purpose).definition();
    problems.throwIfAny();
    return sweep.orElseThrow(() -> new IllegalStateException("no definition and no problem"));
  }

  /** The rows of a sweep, as far as they were read. */
  private record Rows(
      Optional<CardText> card,
      Optional<YamlSection> section,
      DataReader reader,
      Optional<DataReader.Parts> parts,
      Optional<DataCardReader.Head> head) {}

  /** What a study may cost, as far as it was read. */
  private record Limit(Optional<String> account, Optional<Budget> budget, List<Epsilon> releases) {}

  /** How runs are chosen, as far as it was read. */
  private record Search(
      Optional<YamlSection> section,
      Optional<String> name,
      Optional<SearchStrategy> strategy,
      Optional<ScoreRule> score,
      Optional<Metric> metric) {}

  private Optional<SweepDefinition> definition() {
    version(root);
    Optional<String> name = name(root, "name the study");
    String description = root.text("description").orElse("");
    Optional<CronSchedule> schedule = root.text("schedule").flatMap(this::schedule);
    if (purpose == Purpose.SUBMITTED) {
      SubmissionLimits.refusePaths(root);
    }
    Rows rows = rows();
    DataReader data = rows.reader();
    FeaturesReader.Features features = features(rows.section(), data);
    Optional<MeanStep> mean = meanStep(features, data);
    Limit limit = limit(rows);
    root.has("search"); // known before train, which is read first: what is looked for depends on it
    Optional<TrainDefinition> given =
        train(data, rows.head().map(DataCardReader.Head::trainers).orElse(Map.of()));
    Search search = search(data, limit.budget(), given);
    Optional<TrainDefinition> train =
        given.map(t -> search.strategy().map(s -> SearchedSettings.withLeastRate(t, s)).orElse(t));
    RunReader runReader = new RunReader(root, problems);
    RunSettings run = runReader.read();
    if (purpose != Purpose.STORED) {
      runReader.refuseSeed(run.noise(), data);
    }
    OutputReader output = new OutputReader(root, context);
    List<Delta> deltas = output.deltas();
    Optional<ColumnGroups> by = output.by(data, search.score());
    Optional<Path> perInstance = output.perInstance(train, limit.budget(), run.noise());
    new Draft(
            root,
            rows.section(),
            data,
            features,
            limit.budget(),
            limit.releases(),
            train,
            search.section(),
            search.strategy(),
            search.score(),
            run.noise(),
            perInstance.isPresent())
        .check(purpose != Purpose.STORED);
    if (search.name().isPresent()) {
      search.section().get().finish();
    }
    Optional<TrainDefinition> rounded = runReader.onGrid(train, run.noise(), features.maps(), data);
    refuseCacheIn(output.directory(), rows);
    root.finish();
    if (!problems.none()) {
      return Optional.empty();
    }
    return Optional.of(
        new SweepDefinition(
            name.orElseThrow(),
            description,
            rows.parts()
                .orElseThrow()
                .data(
                    features.maps(),
                    mean,
                    rows.head().map(DataCardReader.Head::confirmed).orElse(List.of())),
            limit.budget().orElseThrow(),
            limit.releases(),
            search.strategy().orElseThrow(),
            search.score().orElseThrow(),
            search.metric().orElse(Metric.ACCURACY),
            rounded.orElseThrow(),
            run,
            new OutputSettings(output.directory(), perInstance, deltas, by),
            schedule,
            limit.account(),
            rows.card()));
  }

  private Rows rows() {
    Optional<CardText> card = root.isText("data") ? card() : Optional.empty();
    Optional<YamlSection> data =
        root.isText("data")
            ? card.map(this::sections)
            : required("data", "name a registered data set, or the private rows");
    DataReader reader = new DataReader(card.map(CardText::context).orElse(context));
    Optional<DataReader.Parts> parts = data.map(reader::read);
    Optional<DataCardReader.Head> head =
        card.flatMap(c -> data.map(d -> DataCardReader.head(d, c.context(), reader)));
    data.ifPresent(YamlSection::finish);
    return new Rows(card, data, reader, parts, head);
  }

  private Limit limit(Rows rows) {
    Optional<YamlSection> section = required("budget", "give epsilon and delta");
    Optional<String> account = account(section, rows.card(), rows.reader());
    refuseEndless(account);
    Adjacency usual = rows.head().map(DataCardReader.Head::adjacency).orElse(Adjacency.ADD_REMOVE);
    Optional<Budget> budget =
        section.flatMap(b -> BudgetReader.read(b, rows.reader().protectedRows(), usual));
    return new Limit(
        account, budget, section.map(b -> BudgetReader.releases(b, budget)).orElse(List.of()));
  }

  private Search search(DataReader data, Optional<Budget> budget, Optional<TrainDefinition> train) {
    Optional<YamlSection> section = required("search", "choose a strategy");
    Optional<ProposedSplits> splits =
        budget.flatMap(b -> data.rows().map(n -> new ProposedSplits(b, n, context.defaults())));
    Optional<StepsReader> steps = StepsReader.of(budget, train, data, context.defaults());
    Optional<String> name = section.flatMap(SearchReader::strategy);
    Optional<SearchStrategy> strategy =
        name.flatMap(
            found ->
                new SearchReader(
                        section.get(),
                        train.map(t -> t.method().searched()).orElse(Searched.RADIUS),
                        splits,
                        steps,
                        data.rows(),
                        context.defaults().logitNoise())
                    .read(found));
    Optional<ScoreRule> score =
        name.flatMap(found -> ScoreReader.read(section.get(), found, strategy, splits, data));
    Optional<Loss> loss = train.map(TrainDefinition::loss);
    return new Search(
        section,
        name,
        strategy,
        score,
        section.flatMap(s -> MetricReader.read(s, strategy, score, loss, data)));
  }

  private static void refuseCacheIn(Path output, Rows rows) {
    rows.parts()
        .flatMap(DataReader.Parts::cache)
        .filter(folder -> folder.startsWith(output))
        .ifPresent(
            folder ->
                rows.section()
                    .orElseThrow()
                    .broken(
                        "cache",
                        "holds private features, so it must not be in the output directory"));
  }

  private Optional<CronSchedule> schedule(String cron) {
    try {
      return Optional.of(new CronSchedule(cron));
    } catch (IllegalArgumentException e) {
      root.broken("schedule", String.valueOf(e.getMessage()), cron);
      return Optional.empty();
    }
  }

  /** Each run may cost the whole budget again, so something has to end them. */
  private void refuseEndless(Optional<String> account) {
    if (root.has("schedule") && account.isEmpty()) {
      root.broken(
          "schedule",
          "needs rows with an account, by a registered data set that is not declared open: every run"
              + " costs its budget anew, and the account ends them");
    }
  }

  /** The card of the data set that the sweep names; whoever reads the sweep has looked it up. */
  private Optional<CardText> card() {
    String name = root.text("data").orElse("");
    Optional<CardText> known = context.card().filter(card -> card.name().equals(name));
    if (known.isEmpty()) {
      root.broken("data", "must name a registered data set of this store (mutune data list)", name);
    }
    return known;
  }

  /** Its sections; what does not go together with the sweep is noted where that names it. */
  private YamlSection sections(CardText card) {
    return YamlFile.parseCard(
        card.text(), problems.of("the card of " + card.name(), root.lineOf("data").orElse(0)));
  }

  private static Optional<String> account(
      Optional<YamlSection> budget, Optional<CardText> card, DataReader data) {
    if (card.isEmpty()) {
      return budget.flatMap(b -> BudgetReader.account(b, data.declared()));
    }
    budget
        .filter(b -> b.has("account"))
        .ifPresent(b -> b.broken("account", "is the data set's, and must be left out"));
    return data.declared().isOpen() ? Optional.empty() : card.map(CardText::account);
  }

  static void version(YamlSection root) {
    if (!root.has("version")) {
      root.missing("version", "write version: 1");
    } else {
      root.integer("version", 1, 1);
    }
  }

  static Optional<String> name(YamlSection root, String advice) {
    root.require("name", advice);
    Optional<String> name = root.text("name");
    if (name.isPresent() && !NameForm.fits(name.get())) {
      root.broken("name", NameForm.RULE, name.get());
      return Optional.empty();
    }
    return name;
  }

  private Optional<YamlSection> required(String key, String advice) {
    root.require(key, advice);
    return root.section(key);
  }

  private FeaturesReader.Features features(Optional<YamlSection> data, DataReader dataReader) {
    FeaturesReader.Features features =
        root.has("features")
            ? FeaturesReader.read(
                root.sections("features").orElse(List.of()),
                new FeatureOwners(dataReader.table(), dataReader.hasWrongColumns()))
            : new FeaturesReader.Features(dataReader.usualFeatures(), Optional.empty());
    data.filter(section -> section.isMapping("private") && !dataReader.hasWrongColumns())
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
    if (mean.isEmpty() || data.hasWrongColumns()) {
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

  private Optional<TrainDefinition> train(DataReader data, Map<String, TrainerCommand> trainers) {
    YamlSection train = root.section("train").orElseGet(() -> root.empty("train"));
    Loss loss = LossReader.read(train, data);
    Optional<TrainingMethod> method =
        new MethodReader(
                train, context, data, trainers, key -> SearchedSettings.isSearched(root, key))
            .read();
    if (method.isPresent()) {
      train.finish();
    }
    return method.map(m -> new TrainDefinition(m, loss));
  }
}
