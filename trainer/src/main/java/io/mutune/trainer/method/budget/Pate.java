package io.mutune.trainer.method.budget;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.StepLoop;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * PATE with the confident-GNMax aggregator (Papernot et al. 2018, Algorithm 1): teachers on
 * disjoint parts of the private rows vote on the classes of public rows, noisily, and a student
 * learns from the votes. Teachers and student are linear.
 *
 * <pre>
 *   if max n + N(0, σ₁²) ≥ threshold:  label = argmax (n + N(0, σ₂²I))     else no label
 * </pre>
 *
 * <p>A row's teacher is drawn by a coin of its own, so no row decides where another goes, and a row
 * added, removed or replaced changes one teacher: one vote moves. The greatest count changes by at
 * most 1, the counts by at most √2 in L2 norm. Each question is two Gaussian releases, the second
 * one for at most {@code answers} of them; the charge is one Gaussian of the same μ whatever the
 * votes are: the data-independent bound, none of the paper's data-dependent ones, which would have
 * to be released privately themselves.
 *
 * <p>Public rows are asked in their order; their own labels are not used.
 *
 * @param teachers at least 2
 * @param threshold in votes
 * @param thresholdRatio σ₁/σ₂, the deviation of the threshold's noise over that of the votes'
 * @param answers the most labels that are given; at least 1 and at most as many as questions
 * @param questions how many public rows there are, as is stated
 * @param weightDecay λ of teachers and student, beside the mean loss over a teacher's expected
 *     number of rows or the student's labels; above 0
 */
public record Pate(
    int teachers,
    double threshold,
    double thresholdRatio,
    int answers,
    int questions,
    double weightDecay)
    implements BudgetMethod {
  private static final Setting<Long> TEACHERS = Setting.count("teachers", 2, 1_000_000, "");
  private static final Setting<Double> THRESHOLD =
      Setting.number("threshold", NumberRule.fromTo(-1e9, 1e9), "in votes");
  private static final Setting<Double> THRESHOLD_RATIO =
      Setting.number(
              "thresholdRatio",
              NumberRule.HYPERPARAMETER,
              "noise of the threshold over that of the votes")
          .usually(3.75);
  private static final Setting<Long> ANSWERS =
      Setting.count("answers", 1, 1_000_000, "the most labels that are given");
  private static final Setting<Double> WEIGHT_DECAY =
      Setting.number("weightDecay", NumberRule.HYPERPARAMETER, "beside the mean of the losses")
          .usually(1e-3);

  /** Of a teacher, beside its weights. */
  private static final int BYTES_OF_A_MODEL = 64;

  /** In sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "pate",
          List.<Setting<?>>of(TEACHERS, THRESHOLD, THRESHOLD_RATIO, ANSWERS, WEIGHT_DECAY),
          Pate::read);

  public Pate {
    Require.that(teachers >= 2, "number of teachers", teachers);
    Require.that(Double.isFinite(threshold), "threshold", threshold);
    Require.that(
        thresholdRatio > 0 && Double.isFinite(thresholdRatio), "threshold ratio", thresholdRatio);
    Require.that(answers >= 1 && answers <= questions, "number of answers", answers);
    Require.that(weightDecay > 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  private static Pate read(MethodSettings given) {
    String why = "pate needs the number of teachers and a threshold in votes";
    for (Setting<?> needed : List.of(TEACHERS, THRESHOLD)) {
      if (!given.has(needed)) {
        given.missing(needed, why);
      }
    }
    long questions = Math.max(1, given.statedPublicRows());
    Setting<Long> answers = Setting.count(ANSWERS.key(), 1, questions, ANSWERS.meaning());
    return new Pate(
        given.find(TEACHERS).orElse(2L).intValue(),
        given.find(THRESHOLD).orElse(0.0),
        given.get(THRESHOLD_RATIO),
        given.find(answers).orElse(questions).intValue(),
        (int) questions,
        given.get(WEIGHT_DECAY));
  }

  /** All teachers, until the last question is answered. */
  @Override
  public double bytesKept(double weights) {
    return teachers * (weights * Double.BYTES + BYTES_OF_A_MODEL);
  }

  @Override
  public boolean copiesRows() {
    return true;
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PUBLIC_ROWS, Need.SMOOTH_LOSS);
  }

  @Override
  public String released() {
    return "the noisy votes on the public rows, and the final model";
  }

  /** σ₂, in votes, with which all questions together have at most μ = 1/σ. */
  private NoiseMultiplier voteSigma(NoiseMultiplier sigma) {
    double squares = questions / (thresholdRatio * thresholdRatio) + 2.0 * answers;
    return NoiseMultiplier.of(sigma.value() * Math.sqrt(squares) * ROUNDED_UP);
  }

  /** σ₁, in votes. */
  private NoiseMultiplier thresholdSigma(NoiseMultiplier sigma) {
    return NoiseMultiplier.of(thresholdRatio * voteSigma(sigma).value());
  }

  /** √(Q/σ₁² + 2A/σ₂²) for Q questions and at most A answers; rounded up. */
  @Override
  public Gaussian mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return charge(thresholdSigma(sigma), voteSigma(sigma));
  }

  private Gaussian charge(NoiseMultiplier thresholdSigma, NoiseMultiplier voteSigma) {
    double votes = Math.nextUp(Math.sqrt(2));
    Mu mu =
        GaussianDp.compose(
                List.of(
                    GaussianDp.ofGaussian(thresholdSigma, 1, questions),
                    GaussianDp.ofGaussian(voteSigma, votes, answers)))
            .mu();
    return new Gaussian(NoiseMultiplier.of(1), mu.value(), 1);
  }

  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    return training(problem, thresholdSigma(run.sigma()), voteSigma(run.sigma()), inputs);
  }

  /**
   * A run with this noise, in votes.
   *
   * @throws IllegalArgumentException if targets are real, the loss is the hinge, or there are not
   *     as many public rows as is stated
   */
  Training training(
      Problem problem,
      NoiseMultiplier thresholdSigma,
      NoiseMultiplier voteSigma,
      PublicInputs inputs) {
    if (problem.classes() < 2) {
      throw new IllegalArgumentException("votes are for classes; there are " + problem.classes());
    }
    Smoothness.required(problem.loss(), problem.classes());
    PublicRows asked = inputs.stated(questions);
    return new Voting(problem, thresholdSigma, voteSigma, BoundedRows.of(asked));
  }

  /**
   * Trains on the sum of losses of about so many rows, to a ten thousandth of how far away the
   * minimum may be. Nothing rests on that: what is charged is one vote of a teacher, however it was
   * trained.
   */
  private RegularisedMinimum learner(Problem problem, double rows) {
    double furthest =
        Smoothness.required(problem.loss(), problem.classes()).lipschitz() / weightDecay;
    return new RegularisedMinimum(
        problem.loss(), problem.classes(), weightDecay * Math.max(1, rows), 1e-4 * furthest);
  }

  /** A run. */
  final class Voting extends Training {
    final Pate method = Pate.this;
    final Problem problem;

    /** σ₁, in votes. */
    final NoiseMultiplier thresholdSigma;

    /** σ₂, in votes. */
    final NoiseMultiplier voteSigma;

    final PublicRows shown;

    private Voting(
        Problem problem,
        NoiseMultiplier thresholdSigma,
        NoiseMultiplier voteSigma,
        PublicRows shown) {
      super(Pate.this);
      this.problem = problem;
      this.thresholdSigma = thresholdSigma;
      this.voteSigma = voteSigma;
      this.shown = shown;
    }

    /** Of one teacher. */
    RegularisedMinimum teacher() {
      return learner(problem, (double) problem.publicRows() / teachers);
    }

    @Override
    public Gaussian mechanism() {
      return charge(thresholdSigma, voteSigma);
    }

    /** Two for each question. */
    @Override
    public int steps() {
      return Math.multiplyExact(2, questions);
    }

    @Override
    public OptionalInt features() {
      return OptionalInt.of(shown.blocks().columns());
    }

    @Override
    protected LinearModel trainCharged(PrivateRows rows, TrainingAttempt run) {
      int features = rows.blocks().columns();
      StartWeights.checkFeatures(features, shown.blocks().columns());
      int columns = problem.columns();
      PateVoting voting = PateVoting.of(this, Math.multiplyExact(features, columns), rows, run);
      StepLoop.run(steps(), voting, run);
      return student(voting.labels(), features, columns, run);
    }

    void stopIfCancelled(TrainingAttempt run, int asked) {
      if (run.cancelled().getAsBoolean()) {
        throw new TrainingCancelled(asked, steps());
      }
    }

    /** Reads public rows and released labels only; all zero without a label. */
    private LinearModel student(int[] labels, int features, int columns, TrainingAttempt run) {
      long labelled = 0;
      for (int label : labels) {
        labelled += label >= 0 ? 1 : 0;
      }
      double[] weights =
          learner(problem, (double) labelled)
              .roundedBy(
                  run.engine(),
                  new PrivateRows(PateVoting.relabelled(shown.blocks(), labels)),
                  new double[Math.multiplyExact(features, columns)],
                  () -> stopIfCancelled(run, steps()));
      return new LinearModel(features, columns, weights);
    }
  }
}
