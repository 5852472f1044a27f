package io.mutune.trainer.method;

import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
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
 * @param firstRho ρ of the first step
 * @param firstClipNorm C of the first step
 * @param noiseRatio φ, at least 0; 10 in the paper
 * @param rhoGrowth α, at least 0; 0.3 in the paper
 * @param clipRatio ϕ, at least 0; in the paper 100 for the hinge, 5 or 10 for the squared loss
 * @param clipShrink β, in [0, 1); 0.3 in the paper
 * @param weightDecay beside the mean loss, added after the noise; finite and at least 0
 * @param reuse the weight of ‖w − w_T‖² in the model reuse at the end; none for no reuse
 * @param classes as many as the loss is made for
 * @param start a public model; zero weights where there is none
 */
public record Adaptation(
    double learningRate,
    double firstRho,
    ClipNorm firstClipNorm,
    double noiseRatio,
    double rhoGrowth,
    double clipRatio,
    double clipShrink,
    double weightDecay,
    Optional<Double> reuse,
    Loss loss,
    int classes,
    Optional<LinearModel> start) {
  public Adaptation {
    Require.learningRate(learningRate);
    Require.that(firstRho > 0 && Double.isFinite(firstRho), "first step's rho", firstRho);
    Require.that(noiseRatio >= 0, "noise ratio", noiseRatio);
    Require.that(rhoGrowth >= 0 && Double.isFinite(rhoGrowth), "growth of rho", rhoGrowth);
    Require.that(clipRatio >= 0, "clip ratio", clipRatio);
    Require.that(clipShrink >= 0 && clipShrink < 1, "shrinking of the clip norm", clipShrink);
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
    reuse.ifPresent(
        weight -> Require.that(weight > 0 && Double.isFinite(weight), "weight of reuse", weight));
    StartWeights.check(start, loss.columns(classes));
  }

  int columns() {
    return loss.columns(classes);
  }
}
