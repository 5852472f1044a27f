package io.mutune.trainer.method.descent;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingMethod;
import java.util.Map;
import java.util.Optional;

/** A method that descends along a {@link NoisyGradient}. */
interface GradientMethod extends DescentMethod {
  NoisyGradient gradient();

  /** A copy of the method that descends along another gradient. */
  TrainingMethod withGradient(NoisyGradient other);

  @Override
  default Mechanism mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return gradient().mechanism(sigma, problem.adjacency(), steps);
  }

  @Override
  default double sensitivity(Adjacency adjacency) {
    return gradient().sensitivity(adjacency);
  }

  @Override
  default StepQuery query(
      Problem problem, Run run, PublicInputs inputs, PrivateRows rows, TrainingAttempt attempt) {
    return gradient().query(run.sigma(), problem, rows, attempt);
  }

  @Override
  default Optional<SumRounding> rounding() {
    return gradient().rounding();
  }

  @Override
  default Optional<TrainingMethod> rounded(SumRounding sums) {
    return Optional.of(withGradient(gradient().rounded(sums)));
  }

  @Override
  default TrainingMethod with(Map<String, Double> chosen) {
    return withGradient(gradient().with(chosen));
  }

  @Override
  default double samplingRate() {
    return gradient().samplingRate();
  }

  @Override
  default double stepUnit() {
    return gradient().clipNorm().value();
  }

  @Override
  default boolean sumsGradients() {
    return true;
  }
}
