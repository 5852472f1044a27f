package io.mutune.orchestrator.sweep.yaml;

import io.mutune.orchestrator.sweep.Classic;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.trainer.model.ClipNorm;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Reads the settings of {@link Classic} methods from {@code train}. */
final class ClassicReader {
  static final List<String> METHODS =
      List.of(
          "ppsgd",
          "ppgd",
          "agd",
          "output-perturbation",
          "objective-perturbation",
          "pnsgd",
          "pate",
          "dp-zo");

  private static final NumberRule AT_LEAST_0 = NumberRule.fromTo(0, 1e9);
  private static final NumberRule SHARE =
      new NumberRule("above 0 and at most 1", v -> v > 0 && v <= 1);
  private static final int MANY = 1_000_000;

  private final YamlSection train;
  private final DataReader data;
  private final Supplier<StartRule> start;

  /**
   * @param start reads {@code train.start}
   */
  ClassicReader(YamlSection train, DataReader data, Supplier<StartRule> start) {
    this.train = train;
    this.data = data;
    this.start = start;
  }

  Classic read(String name) {
    return switch (name) {
      case "ppsgd" -> new Classic.Ppsgd(adaptation(), batch());
      case "ppgd" -> new Classic.Ppgd(adaptation());
      case "agd" -> agd();
      case "output-perturbation" ->
          new Classic.OutputPerturbation(
              requiredDecay(name),
              solverDistance(),
              train
                  .word("noise", List.of("normal", "exponential"))
                  .filter("exponential"::equals)
                  .isPresent());
      case "objective-perturbation" ->
          new Classic.ObjectivePerturbation(requiredDecay(name), solverDistance());
      case "pnsgd" -> pnsgd();
      case "pate" -> pate();
      case "dp-zo" ->
          new Classic.DpZo(
              clipNorm(),
              number("smoothing", NumberRule.HYPERPARAMETER, 1e-3),
              train.integer("directionSeed", 0, (1L << 53) - 1).orElse(0L),
              start.get());
      default -> throw new AssertionError(name);
    };
  }

  private Classic.AdaptationRule adaptation() {
    return new Classic.AdaptationRule(
        learningRate(),
        number("firstShare", SHARE, 0.01),
        clipNorm(),
        number("noiseRatio", AT_LEAST_0, 10),
        number("rhoGrowth", AT_LEAST_0, 0.3),
        number("clipRatio", AT_LEAST_0, 10),
        number("clipShrink", NumberRule.halfOpen(0, 1), 0.3),
        number("weightDecay", AT_LEAST_0, 0),
        train.number("reuse", NumberRule.HYPERPARAMETER));
  }

  /** Of at most a tenth of the rows, as the sampling theorem needs. */
  private long batch() {
    if (!train.has("batchSize")) {
      train.missing("batchSize", "ppsgd samples so many rows at each step, at most a tenth of all");
    }
    long most = Math.max(1, data.rows().orElse(1L << 40) / 10);
    return train.integer("batchSize", 1, most).orElse(1L);
  }

  private Classic.Agd agd() {
    return new Classic.Agd(
        number("gradientShare", SHARE, 1.0 / 30),
        number("searchShare", SHARE, 1.0 / 60),
        number("growth", SHARE, 0.1),
        clipNorm(),
        number("lossBound", NumberRule.HYPERPARAMETER, 2),
        count("candidates", 1, 10),
        number("greatestStep", NumberRule.HYPERPARAMETER, 2),
        number("stepGrowth", AT_LEAST_0, 0.1),
        count("period", 1, 10),
        number("weightDecay", AT_LEAST_0, 0));
  }

  private Classic.Pnsgd pnsgd() {
    int passes = count("publicPasses", 0, 0);
    return new Classic.Pnsgd(
        learningRate(),
        number("weightDecay", AT_LEAST_0, 0),
        passes,
        passes == 0 ? 0 : shownRows("pnsgd"));
  }

  private Classic.Pate pate() {
    for (String key : List.of("teachers", "threshold")) {
      if (!train.has(key)) {
        train.missing(key, "pate needs the number of teachers and a threshold in votes");
      }
    }
    long questions = Math.max(1, shownRows("pate"));
    return new Classic.Pate(
        count("teachers", 2, 2),
        number("threshold", NumberRule.fromTo(-1e9, 1e9), 0),
        number("thresholdRatio", NumberRule.HYPERPARAMETER, 3.75),
        train.integer("answers", 1, questions).orElse(questions).intValue(),
        (int) questions,
        number("weightDecay", NumberRule.HYPERPARAMETER, 1e-3));
  }

  /** How many public rows there are: what a run costs depends on it before one is read. */
  private long shownRows(String name) {
    Optional<Long> stated = data.publicRowCount();
    if (stated.isEmpty() && data.isPrivate("public").isPresent()) {
      train.broken(
          "method", "needs rows stated in data.public: the plan depends on their number", name);
    }
    return stated.filter(rows -> rows <= MANY).orElse(1L);
  }

  private double learningRate() {
    if (!train.has("learningRate")) {
      train.missing("learningRate", "its steps follow from the budget, so the search gives none");
    }
    return number("learningRate", NumberRule.HYPERPARAMETER, 1);
  }

  private double requiredDecay(String name) {
    if (!train.has("weightDecay")) {
      train.missing("weightDecay", name + " needs it: it bounds how far one row moves the minimum");
    }
    return number("weightDecay", NumberRule.HYPERPARAMETER, 1);
  }

  private OptionalDouble solverDistance() {
    return train
        .number("solverDistance", NumberRule.fromTo(1e-15, 1e9))
        .map(OptionalDouble::of)
        .orElse(OptionalDouble.empty());
  }

  private ClipNorm clipNorm() {
    return ClipNorm.of(train.number("clipNorm", MethodReader.CLIP_NORM).orElse(1.0));
  }

  private double number(String key, NumberRule rule, double usual) {
    return train.number(key, rule).orElse(usual);
  }

  private int count(String key, int least, int usual) {
    return train.integer(key, least, MANY).map(Long::intValue).orElse(usual);
  }
}
