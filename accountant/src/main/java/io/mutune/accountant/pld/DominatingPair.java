package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import java.util.Optional;

/** Which pair stands for one release of a mechanism, in the direction that removes a row. */
final class DominatingPair {
  private DominatingPair() {}

  /** The pair with how often it is released; empty for a mechanism that has none here. */
  static Optional<Part> of(Mechanism mechanism, Adjacency adjacency) {
    if (mechanism instanceof Gaussian m) {
      GaussianDp all = GaussianDp.ofGaussian(m.sigma(), m.sensitivity(), m.count());
      return Optional.of(new Part(new GaussianLoss(all.mu().value()), 1));
    }
    if (mechanism instanceof SubsampledGaussian m) {
      return m.samplingRate() == 1
          ? of(m.unsampled(), adjacency)
          : Optional.of(new Part(sampled(m, adjacency), m.count()));
    }
    if (mechanism instanceof SubsampledLaplace m) {
      if (m.samplingRate() == 1) {
        return of(m.unsampled(), adjacency);
      }
      PrivacyLoss base = new LaplaceLoss(m.unsampled().epsilon().value());
      return adjacency == Adjacency.ADD_REMOVE
          ? Optional.of(new Part(new PoissonSubsampledLoss(base, m.samplingRate()), m.count()))
          : Optional.empty();
    }
    if (mechanism instanceof Laplace m) {
      return Optional.of(new Part(new LaplaceLoss(m.epsilon().value()), m.count()));
    }
    if (mechanism instanceof PureMechanism m) {
      return Optional.of(new Part(new RandomisedResponseLoss(m.epsilon().value(), 0), m.count()));
    }
    if (mechanism instanceof ApproximateDp m) {
      PrivacyLoss loss = new RandomisedResponseLoss(m.epsilon().value(), m.delta().value());
      return Optional.of(new Part(loss, m.count()));
    }
    if (mechanism instanceof RepeatAndSelect m) {
      return of(m.run(), adjacency).map(run -> new Part(new SelectedLoss(run, m.trials()), 1));
    }
    if (mechanism instanceof TruncatedConcentrated) {
      return Optional.empty();
    }
    throw new IllegalStateException("no one wrote a pair for " + mechanism.name());
  }

  private static PrivacyLoss sampled(SubsampledGaussian m, Adjacency adjacency) {
    return switch (adjacency) {
      case ADD_REMOVE ->
          new PoissonSubsampledLoss(
              new GaussianLoss(GaussianDp.ofGaussian(m.sigma(), m.sensitivity(), 1).mu().value()),
              m.samplingRate());
      // The sensitivity is between a row's vector and its opposite.
      case REPLACE_ONE ->
          new ReplaceOneLoss(
              Math.nextDown(2 * m.sigma().value() / m.sensitivity()), m.samplingRate());
    };
  }
}
