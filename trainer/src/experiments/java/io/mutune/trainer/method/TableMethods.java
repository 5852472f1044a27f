package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.renyi.PpsgdStep;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.HingeLoss;
import io.mutune.trainer.model.HuberHingeLoss;
import io.mutune.trainer.model.Loss;
import java.util.Optional;
import java.util.OptionalDouble;

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

  private Training made(TrainingMethod method, double rate, int steps, double sigma) {
    return made(method, loss, rate, steps, sigma, PublicInputs.NONE);
  }

  private Training made(
      TrainingMethod method,
      Loss trained,
      double rate,
      int steps,
      double sigma,
      PublicInputs shown) {
    Budget budget = new Budget(epsilon, DELTA, ADJACENCY);
    return method.training(
        new Problem(trained, 2, budget, rows),
        new Run(rate, steps, NoiseMultiplier.of(sigma)),
        shown);
  }

  /** σ of a method that has a ρ in its place. */
  private static double sigmaOf(double rho) {
    return Math.sqrt(0.5 / rho);
  }

  /** ν = 1, T = 100, β = 0.9, C = 1 from zero: nothing is tuned. */
  Training fixedNu() {
    int steps = 100;
    double momentum = 0.9;
    double radius = (1 - momentum) * mu().value() * rows / ADJACENCY.sumSensitivity();
    double sigma = ADJACENCY.sumSensitivity() * Math.sqrt(steps) / mu().value() * (1 + 1e-12);
    return made(new NoisyGd(ClipNorm.of(1), momentum, false), radius / steps, steps, sigma);
  }

  /** ϕ as in the paper's experiments. */
  private Adaptation adaptation(double learningRate) {
    double clipRatio = loss instanceof HingeLoss ? 100 : epsilon.value() < 0.3 ? 5 : 10;
    return new Adaptation(
        learningRate,
        1.0 / STEPS,
        ClipNorm.of(1),
        10,
        0.3,
        clipRatio,
        0.3,
        LITTLE_DECAY,
        Optional.of(0.1));
  }

  Training ppsgd(PublicRows shown) {
    double total = TruncatedConcentratedDp.ofBudget(epsilon, DELTA).rho();
    long batch = rows / 20;
    double deviation = Math.sqrt(PpsgdStep.of(total / STEPS, batch, rows).noiseVariance());
    return made(
        new Ppsgd(adaptation(learningRate(deviation, STEPS)), batch),
        loss,
        1,
        1,
        sigmaOf(total),
        PublicInputs.of(shown));
  }

  Training ppgd(PublicRows shown) {
    double rho = mu().value() * mu().value() / 2 / STEPS;
    double deviation = ADJACENCY.sumSensitivity() / Math.sqrt(2 * rho) / rows;
    return made(
        new Ppgd(adaptation(learningRate(deviation, STEPS))),
        loss,
        1,
        1,
        1 / mu().value(),
        PublicInputs.of(shown));
  }

  Training sgdAdv() {
    double rate = 0.05;
    double sigma = SgdAdv.noise(epsilon, DELTA, STEPS, rate, ADJACENCY).value();
    double deviation = sigma / (rate * rows);
    return made(
        new SgdAdv(NoisyGradient.ofSamples(ClipNorm.of(1), rate), LITTLE_DECAY),
        learningRate(deviation, STEPS),
        STEPS,
        sigma);
  }

  Training agd() {
    int iterations = 20;
    Agd agd =
        new Agd(
            2.0 / (3 * iterations),
            1.0 / (3 * iterations),
            0.1,
            ClipNorm.of(1),
            2,
            10,
            2,
            0.1,
            10,
            LITTLE_DECAY);
    return made(agd, 1, 1, sigmaOf(rho()));
  }

  Training outputPerturbation() {
    double sigma = 1 / mu().value() * (1 + 1e-12);
    OptionalDouble distance = OptionalDouble.of(1e-2 / (WEIGHT_DECAY * rows));
    return made(
        new OutputPerturbation(WEIGHT_DECAY, distance, false),
        smooth(),
        1,
        1,
        sigma,
        PublicInputs.NONE);
  }

  Training objectivePerturbation() {
    OptionalDouble distance = OptionalDouble.of(1e-4 / (WEIGHT_DECAY * rows));
    return made(
        new ObjectivePerturbation(WEIGHT_DECAY, distance),
        smooth(),
        1,
        1,
        1 / epsilon.value(),
        PublicInputs.NONE);
  }

  Training pnsgd(PublicRows shown) {
    int passes = 20;
    double last = passes * shown.blocks().rows();
    double sigma = Math.sqrt(2 / (rho() * (last + 1))) * (1 + 1e-9);
    double lipschitz = Smoothness.of(smooth(), 2).lipschitz();
    double rate = 1 / (sigma * lipschitz * Math.sqrt(rows + last));
    return made(
        new Pnsgd(rate, 0, passes, shown.blocks().rows()),
        smooth(),
        1,
        1,
        sigma,
        PublicInputs.of(shown));
  }
}
