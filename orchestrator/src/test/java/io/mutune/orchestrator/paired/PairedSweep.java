package io.mutune.orchestrator.paired;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sweep that is run on neighbours.
 *
 * @param name for people
 * @param search as a sweep has it
 * @param train as a sweep has it
 * @param replaced whether neighbours are rows replaced
 * @param scored which rows trials are scored on, beside {@code search}: a part of the sweep, or
 *     none
 * @param zero what a row of zeros is to it
 * @param more of the sweep
 */
record PairedSweep(
    String name,
    String search,
    String train,
    boolean replaced,
    String scored,
    Zero zero,
    String more) {
  /** What a row of zeros is to a sweep: to most nothing, to some a row like others. */
  enum Zero {
    NOTHING,
    /** Nothing, but a coin is thrown for it as for all: those of the rows after it are others. */
    A_COIN,
    A_ROW
  }

  static final long SEED = 7;

  /** So many rows the private data set is said to have. */
  static final int PUBLIC_ROWS = 64;

  private static final String FIXED = "{strategy: fixed, space: {logitNoise: 1, steps: 4}}";

  static PairedSweep of(String name, String search, String train) {
    return new PairedSweep(name, search, train, false, "", Zero.NOTHING, "");
  }

  /** Four steps of a method that has a learning rate relative to its noise. */
  static PairedSweep fixed(String name, String train) {
    return of(name, FIXED, train);
  }

  PairedSweep replaceOne() {
    return new PairedSweep(name, search, train, true, scored, zero, more);
  }

  /** Rows are drawn by coins. */
  PairedSweep drawn() {
    return new PairedSweep(name, search, train, replaced, scored, Zero.A_COIN, more);
  }

  /** A row of zeros is asked like any other, and answers. */
  PairedSweep zeroCounts() {
    return new PairedSweep(name, search, train, replaced, scored, Zero.A_ROW, more);
  }

  PairedSweep publicScores() {
    return new PairedSweep(
        name,
        search,
        train,
        replaced,
        "\n  validation: {path: open.csv, format: csv, header: false, label: last}",
        zero,
        more);
  }

  PairedSweep with(String features) {
    return new PairedSweep(name, search, train, replaced, scored, zero, features);
  }

  /** Writes the sweep over data of that form, with the public files that it reads. */
  Path write(Path folder, PairedForm form, boolean open) throws IOException {
    Files.writeString(folder.resolve("open.csv"), form.open(PairedRow.rows(30, 2)));
    return Files.writeString(folder.resolve("sweep.yaml"), text(form, open));
  }

  /**
   * @param open whether rows are declared simulated and noise comes from a seed; else they need
   *     protection, and it is secret
   */
  String text(PairedForm form, boolean open) {
    String declared = open ? "simulated" : "private";
    String noise = open ? "{seed: " + SEED + "}" : "secure";
    boolean shown = train.matches(".*(adamix|ppsgd|ppgd|pate|only-public|publicPasses).*");
    String label = form.isTable() ? "" : ", label: last";
    String shownRows = "{path: open.csv, format: csv, header: false" + label + "%s}";
    String shape =
        form.isTable()
            ? ""
            : (form.isOfImages() ? "" : "features: " + PairedRow.FEATURES + ", ")
                + "classes: "
                + PairedRow.CLASSES
                + ", ";
    return """
    version: 1
    name: paired
    data:
      %sprivate: {%s, %srows: %d, declared: %s}
      test: %s%s%s
    features: [{type: l2-normalize}%s]
    budget: {epsilon: 2, delta: 1.0e-5%s}
    search: %s
    train: %s
    run: {parallelTrials: 1, noise: %s}
    """
        .formatted(
            form == PairedForm.PEOPLE
                ? PEOPLE + COLUMNS.replace("columns: {", "columns: {who: {type: id}, ")
                : form.isTable() ? COLUMNS : "",
            form.yaml(),
            shape,
            PUBLIC_ROWS,
            declared,
            shownRows.formatted(""),
            shown ? "\n  public: " + shownRows.formatted(", rows: 30") : "",
            scored,
            more,
            replaced ? ", adjacency: replace-one" : "",
            search,
            train,
            noise);
  }

  /** What stands after a key. */
  static String word(String key, String yaml) {
    Matcher word = Pattern.compile("\\b" + key + ": ([a-z-]+)").matcher(yaml);
    return word.find() ? word.group(1) : "softmax";
  }

  @Override
  public String toString() {
    return name;
  }

  /** Of a table; with no knots a value of 0 is a 0. */
  private static final String COLUMNS =
      "columns: {a: {type: number, min: 0, max: 1, knots: 0},"
          + " b: {type: number, min: 0, max: 1, knots: 0},"
          + " c: {type: number, min: 0, max: 1, knots: 0},"
          + " d: {type: number, min: 0, max: 1, knots: 0},"
          + " y: {type: label, values: [\"0\", \"1\"]}}\n  ";

  private static final String PEOPLE =
      "unit: {column: who, rows: 3, people: " + PUBLIC_ROWS + "}\n  ";

  private static final String NOISY_GD = "{method: noisy-gd}";
  private static final String PRIVATE = "score: {on: private, epsilon: 0.3}";
  private static final String PUBLIC = "score: {on: validation}";
  private static final String SPACE = "space: {logitNoise: {min: 0.5, max: 5}, steps: 4}";
  private static final String RATE = "{strategy: fixed, space: {learningRate: 0.1, steps: 4}}";

  /** Steps of one cost: how many there are follows from what they release otherwise. */
  private static final String EVEN = ", rhoGrowth: 0, clipShrink: 0";

  private static final String NOTHING = "{strategy: fixed}";

  /** At least one of each training method that a sweep can name and that protects its rows. */
  static List<PairedSweep> methods() {
    return List.of(
        fixed("noisy-gd", NOISY_GD),
        fixed("fully-private", "{method: fully-private, weightDecay: 1, projectionRadius: 3}"),
        fixed("hinge", "{method: noisy-gd, loss: hinge, averaging: true, freeStep: false}"),
        fixed("huber-hinge, replaced", "{method: noisy-gd, loss: huber-hinge}").replaceOne(),
        fixed("squared", "{method: noisy-gd, loss: squared, momentum: 0}"),
        fixed("a private mean", NOISY_GD)
            .with(", {type: private-mean, epsilon: 0.3, clipNorm: 1}")
            .zeroCounts(),
        fixed("adamix", "{method: adamix}"),
        fixed("dp-sgd", "{method: dp-sgd, samplingRate: 0.3}").drawn(),
        of("dp-adam", RATE, "{method: dp-adam, samplingRate: 1}"),
        of(
            "dp-adam-wosm",
            "{strategy: fixed, space: {steps: 4}}",
            "{method: dp-adam-wosm, samplingRate: 1}"),
        of("sgd-adv", RATE, "{method: sgd-adv, samplingRate: 1}"),
        of("dp-zo", RATE, "{method: dp-zo}"),
        of("agd", NOTHING, "{method: agd}").zeroCounts(),
        of("ppgd", NOTHING, "{method: ppgd, learningRate: 1" + EVEN + "}"),
        of("ppsgd", NOTHING, "{method: ppsgd, learningRate: 1, batchSize: 6" + EVEN + "}")
            .replaceOne(),
        of("pnsgd", NOTHING, "{method: pnsgd, learningRate: 0.01, loss: logistic}").replaceOne(),
        of("output-perturbation", NOTHING, "{method: output-perturbation, weightDecay: 1}"),
        of(
            "objective-perturbation",
            NOTHING,
            "{method: objective-perturbation, weightDecay: 1, loss: logistic}"),
        of("pate", NOTHING, "{method: pate, teachers: 4, threshold: 2, answers: 20}").zeroCounts(),
        of("only-public", NOTHING, "{method: only-public}"));
  }

  /** At least one of each strategy that a sweep can name, with private scores and public ones. */
  static List<PairedSweep> strategies() {
    String runs = "runs: {mean: 2}";
    return List.of(
        of(
            "scale-free",
            "{strategy: scale-free, sweeps: [{epsilon: 0.4, trials: 2}], "
                + SPACE
                + ", "
                + PRIVATE
                + "}",
            NOISY_GD),
        of(
            "linear-scaling",
            "{strategy: linear-scaling, sweeps: [{epsilon: 0.2, trials: 2}, {epsilon: 0.4, trials: 2}], "
                + SPACE
                + ", "
                + PRIVATE
                + "}",
            NOISY_GD),
        of("random", "{strategy: random, trials: 2, " + SPACE + ", " + PUBLIC + "}", NOISY_GD)
            .publicScores(),
        of(
            "grid",
            "{strategy: grid, points: {values: 2}, " + SPACE + ", " + PRIVATE + "}",
            NOISY_GD),
        of(
            "successive-halving",
            "{strategy: successive-halving, points: {values: 3}, " + SPACE + ", " + PRIVATE + "}",
            NOISY_GD),
        of(
            "random-stopping",
            "{strategy: random-stopping, " + runs + ", " + SPACE + ", " + PRIVATE + "}",
            NOISY_GD),
        of(
                "subsampled-tuning",
                "{strategy: subsampled-tuning, epsilon: 1, sampleRate: 0.3, "
                    + runs
                    + ", "
                    + SPACE
                    + ", "
                    + PUBLIC
                    + "}",
                NOISY_GD)
            .publicScores()
            .drawn());
  }
}
