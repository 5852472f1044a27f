package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.renyi.PpsgdStep;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.HingeLoss;
import io.mutune.trainer.model.HuberHingeLoss;
import io.mutune.trainer.model.Loss;
import java.util.Optional;

/**
 * The methods of PPSGD's Table 2 at a budget, with one setting for all data: none is tuned for a
 * cell. A step size without momentum is such that the noise adds up to a standard deviation of
 * about 1 in a logit, as long as it is stable.
 *
 * @param loss with kinks or without, as the column says
 * @param rows the private rows' number, public among replace-one neighbours
 */
record TableMethods(Epsilon epsilon, Loss loss, int rows) {
  static final Delta DELTA = Delta.of(1e-5);

  private static final Adjacency ADJACENCY = Adjacency.REPLACE_ONE;
  private static final int STEPS = 50;

  /** For the methods that descend; those that add noise to a minimum need a firmer one. */
  private static final double LITTLE_DECAY = 1e-4;

  private static final double WEIGHT_DECAY = 0.01;

  /** Twice what is stable with momentum 0.9 is stable without, over 1.9. */
  private static final double STABLE_WITHOUT_MOMENTUM = 0.5;

  private Mu mu() {
    return GaussianDp.ofBudget(epsilon, DELTA).mu();
  }

  private double rho() {
    return TruncatedConcentratedDp.ofBudget(epsilon, DELTA).rho();
  }

  /** For the methods whose guarantee needs it: the hinge with its kink rounded off. */
  private Loss smooth() {
    return loss instanceof HingeLoss ? new HuberHingeLoss(HuberHingeLoss.USUAL_WIDTH) : loss;
  }

  private double learningRate(double deviation, int steps) {
    double stable = STABLE_WITHOUT_MOMENTUM * loss.stableLearningRate(2);
    return Math.min(stable, 1 / (deviation * Math.sqrt(steps)));
  }

  /** ν = 1, T = 100, β = 0.9, C = 1 from zero: nothing is tuned. */
  NoisyGd fixedNu() {
    int steps = 100;
    double momentum = 0.9;
    double radius = (1 - momentum) * mu().value() * rows / ADJACENCY.sumSensitivity();
    double sigma = ADJACENCY.sumSensitivity() * Math.sqrt(steps) / mu().value() * (1 + 1e-12);
    return new NoisyGd(
        new NoisyGd.Settings(
            radius / steps,
            steps,
            momentum,
            false,
            ClipNorm.of(1),
            NoiseMultiplier.of(sigma),
            ADJACENCY,
            rows,
            loss,
            2));
  }

  /** ϕ as in the paper's experiments. */
  private Adaptation adaptation(double learningRate, double rho) {
    double clipRatio = loss instanceof HingeLoss ? 100 : epsilon.value() < 0.3 ? 5 : 10;
    return new Adaptation(
        learningRate,
        rho,
        ClipNorm.of(1),
        10,
        0.3,
        clipRatio,
        0.3,
        LITTLE_DECAY,
        Optional.of(0.1),
        loss,
        2,
        Optional.empty());
  }

  Ppsgd ppsgd(PublicRows shown) {
    TruncatedConcentratedDp total = TruncatedConcentratedDp.ofBudget(epsilon, DELTA);
    double rho = total.rho() / STEPS;
    long batch = rows / 20;
    double deviation = Math.sqrt(PpsgdStep.of(rho, batch, rows).noiseVariance());
    return new Ppsgd(
        new Ppsgd.Settings(
            adaptation(learningRate(deviation, STEPS), rho), total, batch, ADJACENCY, rows),
        shown);
  }

  Ppgd ppgd(PublicRows shown) {
    double rho = mu().value() * mu().value() / 2 / STEPS;
    double deviation = ADJACENCY.sumSensitivity() / Math.sqrt(2 * rho) / rows;
    return new Ppgd(
        new Ppgd.Settings(
            adaptation(learningRate(deviation, STEPS), rho), mu(), ADJACENCY, rows),
        shown);
  }

  SgdAdv sgdAdv() {
    double rate = 0.05;
    NoiseMultiplier sigma = SgdAdv.noise(epsilon, DELTA, STEPS, rate, ADJACENCY);
    double deviation = sigma.value() / (rate * rows);
    return new SgdAdv(
        new SgdAdv.Settings(
            learningRate(deviation, STEPS),
            STEPS,
            LITTLE_DECAY,
            new NoisyGradient(ClipNorm.of(1), sigma, rate, ADJACENCY, rows, loss, 2)));
  }

  Agd agd() {
    int iterations = 20;
    return new Agd(
        new Agd.Settings(
            rho(),
            rho() * 2 / (3 * iterations),
            rho() / (3 * iterations),
            0.1,
            ClipNorm.of(1),
            2,
            10,
            2,
            0.1,
            10,
            LITTLE_DECAY,
            ADJACENCY,
            rows,
            loss,
            2));
  }

  OutputPerturbation outputPerturbation() {
    double sigma = 1 / mu().value() * (1 + 1e-12);
    return new OutputPerturbation(
        new OutputPerturbation.Settings(
            WEIGHT_DECAY,
            1e-2 / (WEIGHT_DECAY * rows),
            new OutputPerturbation.Noise.Normal(NoiseMultiplier.of(sigma)),
            ADJACENCY,
            rows,
            smooth(),
            2));
  }

  ObjectivePerturbation objectivePerturbation() {
    return new ObjectivePerturbation(
        new ObjectivePerturbation.Settings(
            epsilon,
            DELTA,
            WEIGHT_DECAY,
            1e-4 / (WEIGHT_DECAY * rows),
            ADJACENCY,
            rows,
            smooth(),
            2));
  }

  Pnsgd pnsgd(PublicRows shown) {
    int passes = 20;
    double last = passes * shown.blocks().rows();
    double sigma = Math.sqrt(2 / (rho() * (last + 1))) * (1 + 1e-9);
    double lipschitz = Smoothness.of(smooth(), 2).lipschitz();
    return new Pnsgd(
        new Pnsgd.Settings(
            1 / (sigma * lipschitz * Math.sqrt(rows + last)),
            0,
            NoiseMultiplier.of(sigma),
            passes,
            ADJACENCY,
            rows,
            smooth(),
            2),
        shown);
  }
}
