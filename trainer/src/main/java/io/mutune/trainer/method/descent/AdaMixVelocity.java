package io.mutune.trainer.method.descent;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.LeadingDirections;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.ReleasedSum;
import io.mutune.trainer.method.Velocity;
import java.util.Optional;

/**
 * (G_pub + U·G̃ + λ'w)/(τN) of {@link AdaMix}, of which all but G̃ follows from public rows and the
 * weights.
 *
 * @param rows the public ones, mapped as training has them
 */
record AdaMixVelocity(AdaMix method, Problem problem, PublicRows rows) implements Velocity {
  @Override
  public double momentum() {
    return method.momentum();
  }

  @Override
  public ReleasedSum releasedSum(double[] weights, double[] gained, Parts parts) {
    double[] ofPublic = new double[weights.length];
    double[] norms = AdaMix.publicGradients(problem, rows).compute(weights, ofPublic);
    ClipNorm tau = method.clip().at(norms);
    double scale = tau.value() * problem.publicRows();
    double decay = method.weightDecay(weights, scale);
    double[] sum = new double[gained.length];
    for (int i = 0; i < sum.length; i++) {
      double known = (method.publicGradient() ? ofPublic[i] : 0) + decay * weights[i];
      sum[i] = gained[i] * scale - parts.sum() * known;
    }
    Optional<LeadingDirections> basis = method.basis(ofPublic, problem.columns());
    boolean single = parts.count() == 1;
    return new ReleasedSum(tau, weights, sum, parts.sum(), parts.squares(), basis, single);
  }
}
