package io.mutune.trainer.method;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.noise.ChargedNoise;
import java.util.List;
import java.util.OptionalInt;

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
 */
public final class Pate implements TrainingMethod {
  /**
   * The method's hyperparameters; all public.
   *
   * @param teachers at least 2
   * @param threshold in votes
   * @param thresholdSigma σ₁, in votes
   * @param voteSigma σ₂, in votes
   * @param answers the most labels that are given; at least 1
   * @param weightDecay λ of teachers and student, beside the mean loss over a teacher's expected
   *     number of rows or the student's labels; above 0
   * @param publicRows N, at least 1
   * @param loss one whose slope does not jump
   * @param classes as many as the loss is made for
   */
  public record Settings(
      int teachers,
      double threshold,
      NoiseMultiplier thresholdSigma,
      NoiseMultiplier voteSigma,
      int answers,
      double weightDecay,
      long publicRows,
      Loss loss,
      int classes) {
    public Settings {
      Require.that(teachers >= 2, "number of teachers", teachers);
      Require.that(Double.isFinite(threshold), "threshold", threshold);
      Require.that(answers >= 1, "number of answers", answers);
      Require.publicRows(publicRows);
      Require.that(weightDecay > 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
      if (loss.columns(classes) < 1 || classes < 2) {
        throw new IllegalArgumentException("votes are for classes; there are " + classes);
      }
    }

    /** Trains on the sum of losses of about so many rows. */
    RegularisedMinimum learner(double rows) {
      double lambda = weightDecay * Math.max(1, rows);
      double distance = 1e-4 * Smoothness.required(loss, classes).lipschitz() / lambda;
      return new RegularisedMinimum(loss, classes, lambda, distance);
    }
  }

  private final Settings settings;
  private final PublicRows questions;

  /**
   * @param questions the rows that are voted on, in their order
   * @throws IllegalArgumentException if there are none, or for the hinge
   */
  public Pate(Settings settings, PublicRows questions) {
    this.settings = settings;
    this.questions = new PublicRows(BoundedRows.of(questions.blocks()));
    Require.that(questions() >= 1, "number of public rows", questions());
    Smoothness.required(settings.loss(), settings.classes());
  }

  private int questions() {
    return Math.toIntExact(questions.blocks().rows());
  }

  private int answers() {
    return Math.min(settings.answers(), questions());
  }

  /** √(Q/σ₁² + 2A/σ₂²) for Q questions and at most A answers; rounded up. */
  @Override
  public Gaussian mechanism() {
    return charge(settings.thresholdSigma(), settings.voteSigma(), questions(), answers());
  }

  /**
   * What so many questions and at most so many answers are charged as; rounded up.
   *
   * @param questions Q
   * @param answers A
   */
  public static Gaussian charge(
      NoiseMultiplier thresholdSigma, NoiseMultiplier voteSigma, int questions, int answers) {
    double votes = Math.nextUp(Math.sqrt(2));
    Mu mu =
        GaussianDp.compose(
                List.of(
                    GaussianDp.ofGaussian(thresholdSigma, 1, questions),
                    GaussianDp.ofGaussian(voteSigma, votes, answers)))
            .mu();
    return new Gaussian(NoiseMultiplier.of(1), mu.value(), 1);
  }

  /** Two for each question. */
  @Override
  public int steps() {
    return Math.multiplyExact(2, questions());
  }

  @Override
  public OptionalInt features() {
    return OptionalInt.of(questions.blocks().columns());
  }

  @Override
  public LinearModel train(ReservedCharge proof, PrivateRows rows, TrainingRun run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    int features = rows.blocks().columns();
    StartWeights.checkFeatures(features, questions.blocks().columns());
    int columns = settings.loss().columns(settings.classes());
    PateVoting voting =
        PateVoting.of(
            settings, answers(), Math.multiplyExact(features, columns), questions, rows, run);
    StepLoop.skipLost(steps(), voting, run);
    StepLoop.run(steps(), voting, run);
    return student(voting.labels(), features, columns);
  }

  /** Reads public rows and released labels only; all zero without a label. */
  private LinearModel student(int[] labels, int features, int columns) {
    long labelled = 0;
    for (int label : labels) {
      labelled += label >= 0 ? 1 : 0;
    }
    double[] weights =
        settings
            .learner((double) labelled)
            .of(
                new PrivateRows(PateVoting.relabelled(questions.blocks(), labels)),
                new double[Math.multiplyExact(features, columns)],
                () -> {});
    return new LinearModel(features, columns, weights);
  }
}
