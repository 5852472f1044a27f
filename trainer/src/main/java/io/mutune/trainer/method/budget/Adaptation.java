package io.mutune.trainer.method.budget;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Optional;

/**
 * How PPSGD and PPGD descend and let public gradients change a step's budget and clip norm (Wang
 * and Zhou 2020, Algorithm 1); all public. With ĝ the mean public gradient, not clipped, at the new
 * weights:
 *
 * <pre>
 *   ρ ← (1 + α)ρ  if φ‖ĝ‖ is below the noise's expected norm      C ← (1 − β)C  if ϕ‖ĝ‖ is below C
 * </pre>
 *
 * @param learningRate η, finite and above 0
 * @param firstShare of the run's total ρ, for the first step; in (0, 1]
 * @param clipNorm C of the first step
 * @param noiseRatio φ, at least 0; 10 in the paper
 * @param rhoGrowth α, at least 0; 0.3 in the paper
 * @param clipRatio ϕ, at least 0; in the paper 100 for the hinge, 5 or 10 for the squared loss
 * @param clipShrink β, in [0, 1); 0.3 in the paper
 * @param weightDecay beside the mean loss, added after the noise; finite and at least 0
 * @param reuse the weight of ‖w − w_T‖² in the model reuse at the end; none for no reuse
 */
public record Adaptation(
    double learningRate,
    double firstShare,
    ClipNorm clipNorm,
    double noiseRatio,
    double rhoGrowth,
    double clipRatio,
    double clipShrink,
    double weightDecay,
    Optional<Double> reuse) {
  /** η of a method whose steps follow from its budget. */
  static final Setting<Double> LEARNING_RATE =
      Setting.number("learningRate", NumberRule.HYPERPARAMETER, "");

  private static final Setting<Double> FIRST_SHARE =
      Setting.number("firstShare", NumberRule.SHARE, "of the total, for the first step")
          .usually(0.01);
  private static final Setting<Double> NOISE_RATIO =
      Setting.number("noiseRatio", NumberRule.NOT_NEGATIVE, "").usually(10.0);
  private static final Setting<Double> RHO_GROWTH =
      Setting.number("rhoGrowth", NumberRule.NOT_NEGATIVE, "").usually(0.3);
  private static final Setting<Double> CLIP_RATIO =
      Setting.number("clipRatio", NumberRule.NOT_NEGATIVE, "").usually(10.0);
  private static final Setting<Double> CLIP_SHRINK =
      Setting.number("clipShrink", NumberRule.BELOW_ONE, "").usually(0.3);
  private static final Setting<Double> REUSE =
      Setting.number(
          "reuse", NumberRule.HYPERPARAMETER, "the weight of model reuse; none without it");

  /** In a sweep. */
  static final List<Setting<?>> SETTINGS =
      List.of(
          LEARNING_RATE,
          FIRST_SHARE,
          SharedSettings.CLIP_NORM,
          NOISE_RATIO,
          RHO_GROWTH,
          CLIP_RATIO,
          CLIP_SHRINK,
          SharedSettings.WEIGHT_DECAY,
          REUSE);

  /** A little above 2^-31, since what a step may cost in all is rounded up. */
  private static final double LEAST_SHARE = 5e-10;

  public Adaptation {
    Require.learningRate(learningRate);
    Require.that(firstShare > 0 && firstShare <= 1, "first step's share", firstShare);
    Require.that(noiseRatio >= 0, "noise ratio", noiseRatio);
    Require.that(rhoGrowth >= 0 && Double.isFinite(rhoGrowth), "growth of rho", rhoGrowth);
    Require.that(clipRatio >= 0, "clip ratio", clipRatio);
    Require.that(clipShrink >= 0 && clipShrink < 1, "shrinking of the clip norm", clipShrink);
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
    reuse.ifPresent(
        weight -> Require.that(weight > 0 && Double.isFinite(weight), "weight of reuse", weight));
  }

  /** Where the first step is so cheap that the whole budget pays for more than an int can count. */
  Optional<String> whyNoRun() {
    return firstShare >= LEAST_SHARE
        ? Optional.empty()
        : Optional.of(
            "firstShare must be at least %s, for at most 2^31 steps; was %s"
                .formatted(LEAST_SHARE, firstShare));
  }

  static double readLearningRate(MethodSettings given) {
    return given
        .require(LEARNING_RATE, "its steps follow from the budget, so the search gives none")
        .orElse(1.0);
  }

  static Adaptation read(MethodSettings given) {
    return new Adaptation(
        readLearningRate(given),
        given.get(FIRST_SHARE),
        SharedSettings.readClipNorm(given),
        given.get(NOISE_RATIO),
        given.get(RHO_GROWTH),
        given.get(CLIP_RATIO),
        given.get(CLIP_SHRINK),
        given.get(SharedSettings.WEIGHT_DECAY),
        given.find(REUSE));
  }
}
