package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.AdaMixed;
import io.mutune.orchestrator.sweep.FullBatch;
import io.mutune.orchestrator.sweep.MethodDefinition;
import io.mutune.orchestrator.sweep.OpenTraining;
import io.mutune.orchestrator.sweep.Sampled;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.Update;
import io.mutune.trainer.method.ClipRule;
import io.mutune.trainer.method.Restraint;
import io.mutune.trainer.model.ClipNorm;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Reads {@code train}: the method and its settings; the loss is {@link LossReader}'s. */
final class MethodReader {
  static final List<String> METHODS =
      Stream.concat(
              Stream.of(
                  "noisy-gd",
                  "fully-private",
                  "adamix",
                  "dp-sgd",
                  "dp-adam",
                  "dp-adam-wosm",
                  "sgd-adv",
                  OpenTraining.ONLY_PUBLIC,
                  OpenTraining.NOT_PRIVATE),
              ClassicReader.METHODS.stream())
          .toList();

  /** Where {@link ClipNorm} keeps float32 sound. */
  static final NumberRule CLIP_NORM = NumberRule.fromTo(1e-30, 1e30);

  private static final NumberRule DECAY = NumberRule.halfOpen(0, 1);
  private static final NumberRule WEIGHT_DECAY = NumberRule.fromTo(0, 1e9);
  private static final NumberRule TINY = NumberRule.fromTo(1e-12, 1);
  private static final NumberRule RATE =
      new NumberRule("above 0 and at most 1", q -> q > 0 && q <= 1);
  private static final NumberRule QUANTILE =
      new NumberRule("above 0 and below 1", q -> q > 0 && q < 1);
  private static final int MOST_STEPS = 1_000_000;
  private static final StartRule.FromPublicRows USUAL_MINIMISATION =
      new StartRule.FromPublicRows(0, 1e-6, 1000);

  private final YamlSection train;
  private final SweepContext context;
  private final DataReader data;
  private final boolean searchesRate;

  /**
   * @param searchesRate whether the search chooses the share of rows in a step
   */
  MethodReader(YamlSection train, SweepContext context, DataReader data, boolean searchesRate) {
    this.searchesRate = searchesRate;
    this.train = train;
    this.context = context;
    this.data = data;
  }

  /** What a sweep without {@code train} trains by. */
  static MethodDefinition usual() {
    return new FullBatch(
        "noisy-gd", ClipNorm.of(1), 0.9, true, Restraint.NONE, new StartRule.Zero());
  }

  /** Empty where the method is none, since which keys belong here depends on it. */
  Optional<MethodDefinition> read() {
    Optional<String> known = train.word("method", METHODS);
    Optional<String> method =
        train.has("method") && known.isEmpty()
            ? train.scalar("method").flatMap(word -> Problems.nearest(word, METHODS))
            : Optional.of(known.orElse("noisy-gd"));
    return method.map(
        name ->
            switch (name) {
              case "adamix" -> adaMix();
              case "dp-sgd", "dp-adam", "dp-adam-wosm", "sgd-adv" -> sampled(name);
              case "noisy-gd", "fully-private" -> fullBatch(name);
              case OpenTraining.ONLY_PUBLIC, OpenTraining.NOT_PRIVATE -> open(name);
              default -> new ClassicReader(train, data, this::startOrZero).read(name);
            });
  }

  private MethodDefinition fullBatch(String name) {
    double weightDecay = train.number("weightDecay", WEIGHT_DECAY).orElse(0.0);
    double radius =
        train
            .number("projectionRadius", NumberRule.HYPERPARAMETER)
            .orElse(Double.POSITIVE_INFINITY);
    boolean towardsStart =
        train.word("decayTowards", List.of("zero", "start")).filter("start"::equals).isPresent();
    Restraint.Schedule schedule =
        train
            .word("schedule", List.of("constant", "inverse"))
            .filter("inverse"::equals)
            .map(inverse -> Restraint.Schedule.INVERSE)
            .orElse(Restraint.Schedule.CONSTANT);
    boolean averaged = train.flag("averaging").orElse(false);
    boolean freeStep = freeStep(!averaged);
    if (averaged && freeStep) {
      train.broken("freeStep", "must be false with averaging: it leaves no free step to take");
    }
    return new FullBatch(
        name,
        clipNorm(),
        momentum(0.9),
        freeStep,
        new Restraint(weightDecay, towardsStart, radius, schedule, averaged),
        startOrZero());
  }

  private MethodDefinition open(String name) {
    return new OpenTraining(name.equals(OpenTraining.ONLY_PUBLIC), minimisation(train));
  }

  private MethodDefinition sampled(String name) {
    double rate = samplingRate(name);
    Update update =
        switch (name) {
          case "dp-sgd" -> new Update.Sgd(momentum(0.9), freeStep(true));
          case "dp-adam" ->
              new Update.Adam(
                  train.number("beta1", DECAY).orElse(0.9),
                  train.number("beta2", DECAY).orElse(0.999),
                  train.number("adamEpsilon", TINY).orElse(1e-8));
          case "sgd-adv" ->
              new Update.Falling(train.number("weightDecay", WEIGHT_DECAY).orElse(0.0));
          default -> new Update.AdamWithoutSecondMoments();
        };
    StartRule start = name.equals("sgd-adv") ? new StartRule.Zero() : startOrZero();
    return new Sampled(clipNorm(), rate, update, start);
  }

  /** {@code samplingRate: 0.1}, or {@code batchSize: 128} rows of the public number on average. */
  private double samplingRate(String name) {
    Optional<Double> rate = train.number("samplingRate", RATE);
    Optional<Long> rows = data.rows();
    Optional<Long> batch = train.integer("batchSize", 1, rows.orElse(1L << 40));
    if (train.has("samplingRate") && train.has("batchSize")) {
      train.broken("batchSize", "and samplingRate say the same thing twice", "both given");
    } else if (!train.has("samplingRate") && !train.has("batchSize") && !searchesRate) {
      train.missing("samplingRate", name + " needs samplingRate or batchSize; 1 takes all rows");
    }
    return rate.or(() -> batch.flatMap(size -> rows.map(n -> (double) size / n))).orElse(1.0);
  }

  private MethodDefinition adaMix() {
    Optional<Double> quantile = train.number("clipQuantile", QUANTILE);
    Optional<Double> fixed = train.number("clipNorm", CLIP_NORM);
    if (train.has("clipQuantile") && train.has("clipNorm")) {
      train.broken("clipNorm", "and clipQuantile choose the same number twice", "both given");
    }
    ClipRule clip =
        fixed
            .<ClipRule>map(norm -> new ClipRule.Fixed(ClipNorm.of(norm)))
            .orElseGet(() -> new ClipRule.Quantile(quantile.orElse(0.9)));
    Optional<Long> directions = train.integer("directions", 1, 1 << 20);
    return new AdaMixed(
        clip,
        momentum(0),
        directions.map(p -> OptionalInt.of(p.intValue())).orElse(OptionalInt.empty()),
        train.flag("publicGradient").orElse(true),
        train.number("weightDecay", WEIGHT_DECAY).orElse(0.01),
        publicStart());
  }

  private ClipNorm clipNorm() {
    return ClipNorm.of(train.number("clipNorm", CLIP_NORM).orElse(1.0));
  }

  private double momentum(double usual) {
    return train.number("momentum", DECAY).orElse(usual);
  }

  private boolean freeStep(boolean usual) {
    return train.flag("freeStep").orElse(usual);
  }

  private StartRule startOrZero() {
    if (train.has("start") && train.scalar("start").filter("public-rows"::equals).isPresent()) {
      train.broken("start", "from public rows is adamix's; give zero or a file of weights");
      return new StartRule.Zero();
    }
    return start().orElseGet(StartRule.Zero::new);
  }

  private StartRule publicStart() {
    Optional<YamlSection> pretraining = train.section("pretraining");
    StartRule fromRows = pretraining.map(MethodReader::minimisation).orElse(USUAL_MINIMISATION);
    pretraining.ifPresent(YamlSection::finish);
    Optional<StartRule> start = start();
    if (pretraining.isPresent() && start.isPresent()) {
      train.broken("pretraining", "is for start: public-rows only", "given");
    }
    return start.orElse(fromRows);
  }

  /** How to train without noise. */
  private static StartRule.FromPublicRows minimisation(YamlSection section) {
    StartRule.FromPublicRows usual = USUAL_MINIMISATION;
    return new StartRule.FromPublicRows(
        section.number("weightDecay", WEIGHT_DECAY).orElse(usual.weightDecay()),
        section.number("tolerance", NumberRule.halfOpen(1e-12, 1)).orElse(usual.tolerance()),
        section.integer("maxSteps", 1, MOST_STEPS).map(Long::intValue).orElse(usual.maxSteps()));
  }

  /** {@code zero} or a file; empty for {@code public-rows} and where nothing is said. */
  private Optional<StartRule> start() {
    Optional<String> word = train.scalar("start");
    if (word.filter("zero"::equals).isPresent()) {
      train.text("start");
      return Optional.of(new StartRule.Zero());
    }
    if (word.filter("public-rows"::equals).isPresent()) {
      train.text("start");
      return Optional.empty();
    }
    Optional<Path> file = train.path("start", context, context::resolve);
    return file.map(StartRule.FromFile::new);
  }
}
