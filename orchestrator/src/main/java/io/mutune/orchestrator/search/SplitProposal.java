package io.mutune.orchestrator.search;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Where the budget of a search goes if the sweep does not say: how many trials, and what each and
 * its score may cost. From the public row count n and the budget alone.
 *
 * <p>For a scale-free search: what a trial tells depends on its signal over its noise, which is μ·n
 * for a run of that μ. Trials take a fixed part of the budget. Where the whole of it has less than
 * {@link Amounts#least()}, trials that the study can afford say less than is known beforehand, and
 * the usual ν is taken without any (docs/method.md has the measurements).
 *
 * @param rounds none where trials would not pay
 * @param score ε of one score alone
 * @param why in a sentence
 */
public record SplitProposal(List<SweepRound> rounds, Epsilon score, String why) {
  /**
   * How much a scale-free search asks for its trials.
   *
   * @param trial μ·n of a trial, at most
   * @param score μ·n of its score, whose deviation is one over it of the rows, at most
   * @param share the part of μ² that trials and scores take together, at most
   * @param least μ·n of a whole budget below which nothing is tried
   * @param whole whether they take all of that part, where only the ratio of trial and score counts
   */
  public record Amounts(double trial, double score, double share, double least, boolean whole) {
    public static final Amounts USUAL = new Amounts(2, 1, 0.07, 1600, true);

    /** Of studies that were planned with them, as the next two. */
    public static final Amounts SURER = new Amounts(1600, 800, 0.07, 1600, false);

    public static final Amounts SOONER = new Amounts(1600, 800, 0.07, 800, false);

    public static final Amounts EARLIER = new Amounts(800, 200, 0.1, 1000, false);
  }

  private static final int TRIALS = 3;

  public SplitProposal {
    rounds = List.copyOf(rounds);
  }

  /** Sweeps of a line stand at these parts of ε, one after the other, as the paper's do. */
  private static final double LINE_STEP = 0.1;

  /** The part of the budget's μ² for the trials of a line where those parts of ε are too much. */
  private static final double LINE_SHARE = 0.5;

  /** A final run that has less of the budget's μ² is refused. */
  private static final double LEAST_LEFT = 1e-6;

  /** The part of the budget's μ² that all scores of a line or a halving cost together. */
  private static final double SCORES = 0.03;

  /**
   * The split of a budget for linear scaling: the paper's three trials at a tenth and three at a
   * fifth of ε, or none where even the dearest would be taken for weak, or where the whole budget
   * is below what any trials are proposed from. Where so many sweeps at such parts leave nothing,
   * all have less, in proportion.
   *
   * @param budget of the study
   * @param rows n, the public row count
   * @param degree of the fit, for which there is one sweep more
   * @param least μ·n of a whole budget below which nothing is tried
   * @param payable whether they have less where they would leave nothing
   */
  public static SplitProposal ofLine(
      Budget budget, long rows, int degree, double least, boolean payable) {
    double cap = budget.cap().mu().value();
    if (cap * rows < least) {
      return none(cap * rows, least);
    }
    double whole = budget.epsilon().value();
    Delta delta = budget.delta();
    List<Epsilon> parts = new ArrayList<>();
    double share = 0;
    for (int i = 1; i <= degree + 1; i++) {
      Epsilon part = Epsilon.of(LINE_STEP * i * whole);
      parts.add(part);
      share += TRIALS * square(GaussianDp.ofBudget(part, delta).mu().value() / cap);
    }
    boolean fits = !payable || share + SCORES < 1 - LEAST_LEFT;
    List<SweepRound> rounds = new ArrayList<>();
    for (Epsilon part : parts) {
      rounds.add(new SweepRound(fits ? part : less(part, delta, LINE_SHARE / share), TRIALS));
    }
    Epsilon dearest = rounds.get(degree).epsilon();
    double signal = GaussianDp.ofBudget(dearest, delta).mu().value() * rows;
    if (signal < LinearScaling.LEAST_SIGNAL) {
      return new SplitProposal(
          List.of(),
          Epsilon.of(0),
          String.format(
              Locale.ROOT,
              "a trial at %.0f%% of epsilon has a mu times the rows of %.0f, below %.0f, so that"
                  + " its score would say next to nothing: all of the budget goes to one run at a"
                  + " logit noise of 1",
              100 * dearest.value() / whole,
              signal,
              LinearScaling.LEAST_SIGNAL));
    }
    return new SplitProposal(
        rounds,
        score(budget, TRIALS * (degree + 1)),
        String.format(
            Locale.ROOT,
            "%d trials at each of %d parts of epsilon%s, and scores of %.0f%% of mu squared together",
            TRIALS,
            degree + 1,
            fits ? "" : String.format(Locale.ROOT, ", for %.0f%%", 100 * LINE_SHARE),
            100 * SCORES));
  }

  /** ε of a run with this part of the μ² that one of ε has, rounded down. */
  private static Epsilon less(Epsilon epsilon, Delta delta, double part) {
    return part(GaussianDp.ofBudget(epsilon, delta).mu(), delta, part);
  }

  private static double square(double x) {
    return x * x;
  }

  private static SplitProposal none(double signal, double least) {
    return new SplitProposal(
        List.of(),
        Epsilon.of(0),
        String.format(
            Locale.ROOT,
            "the budget's mu times the rows is %.0f, below %.0f: trials that it can pay would say"
                + " less of the logit noise than is known, so all of it goes to one run",
            signal,
            least));
  }

  /** ε of a score where so many trials of a line or a halving are scored. */
  public static Epsilon score(Budget budget, int trials) {
    return part(budget.cap().mu(), budget.delta(), SCORES / trials);
  }

  /**
   * ε of a question that may have this part of a budget's μ², rounded down: the questions of a part
   * never pass it.
   */
  private static Epsilon part(Mu cap, Delta delta, double share) {
    return GaussianDp.of(Mu.of(cap.value() * Math.sqrt(share))).epsilonAtMost(delta);
  }

  /**
   * The split of a budget for successive halving: a part of μ² in equal parts for all rounds, and
   * in each of them for all trials.
   *
   * @param sizes how many trials each round has
   * @param tuning the part of μ² for the training of all trials, above 0 and below 1
   */
  public static SplitProposal ofHalving(Budget budget, List<Integer> sizes, double tuning) {
    List<SweepRound> rounds = new ArrayList<>();
    for (int size : sizes) {
      double share = tuning / ((double) sizes.size() * size);
      rounds.add(new SweepRound(part(budget.cap().mu(), budget.delta(), share), size));
    }
    return new SplitProposal(
        rounds,
        score(budget, sizes.stream().mapToInt(Integer::intValue).sum()),
        String.format(
            Locale.ROOT,
            "sweeps of %s trials share %.1f%% of mu squared equally, and the trials of each its"
                + " part; scores that the sweep does not price cost %.0f%% together",
            sizes.stream().map(String::valueOf).collect(Collectors.joining(", ")),
            100 * tuning,
            100 * SCORES));
  }

  /**
   * The split of a budget.
   *
   * @param rows n, the public row count
   */
  public static SplitProposal of(Budget budget, long rows, Amounts amounts) {
    double signal = budget.cap().mu().value() * rows;
    if (signal < amounts.least) {
      return none(signal, amounts.least);
    }
    double trials = amounts.trial * amounts.trial + amounts.score * amounts.score;
    double asked = TRIALS * trials / (signal * signal);
    boolean less = !amounts.whole && asked <= amounts.share;
    double scale = less ? 1 : Math.sqrt(amounts.share / asked);
    Epsilon trial =
        GaussianDp.of(Mu.of(scale * amounts.trial / rows)).epsilonAtMost(budget.delta());
    Epsilon score =
        GaussianDp.of(Mu.of(scale * amounts.score / rows)).epsilonAtMost(budget.delta());
    return new SplitProposal(
        List.of(new SweepRound(trial, TRIALS)),
        score,
        String.format(
            Locale.ROOT,
            "the budget's mu times the rows is %.0f: %d trials of %.0f each and scores of %.0f take"
                + " %.1f%% of its mu squared",
            signal,
            TRIALS,
            scale * amounts.trial,
            scale * amounts.score,
            100 * (less ? asked : amounts.share)));
  }
}
