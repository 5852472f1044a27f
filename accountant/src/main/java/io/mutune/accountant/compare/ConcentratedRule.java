package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.renyi.RenyiDp;
import io.mutune.accountant.renyi.ZeroConcentratedDp;
import java.util.Optional;

/**
 * Σρ (Bun and Steinke 2016): μ²/2 for a Gaussian, ε²/2 for an ε-DP release and ε²/8 for an
 * exponential mechanism (Cesar and Rogers 2021), turned into ε and δ at the best real order.
 */
final class ConcentratedRule implements Rule {
  @Override
  public Optional<String> unsuited(Releases releases) {
    return Rule.firstReason(releases, ConcentratedRule::unsuited);
  }

  private static Optional<String> unsuited(Mechanism mechanism) {
    if (Releases.isGaussian(mechanism) || mechanism instanceof PureMechanism) {
      return Optional.empty();
    }
    if (mechanism instanceof TruncatedConcentrated m) {
      return Double.isInfinite(m.omega())
          ? Optional.empty()
          : Optional.of("tCDP with a finite omega is not zCDP");
    }
    if (mechanism instanceof SubsampledGaussian) {
      return Optional.of("zCDP is not amplified by sampling");
    }
    return Optional.of(
        mechanism instanceof ApproximateDp
            ? "what may fail with a probability delta has no rho"
            : Rule.byCurveOnly(mechanism));
  }

  private static RenyiDp total(Releases releases) {
    ZeroConcentratedDp total =
        ZeroConcentratedDp.compose(
            releases.mechanisms().stream().map(ConcentratedRule::cost).toList());
    return RenyiDp.of(total.curve());
  }

  private static ZeroConcentratedDp cost(Mechanism mechanism) {
    if (mechanism instanceof ExponentialMechanism m) {
      return ZeroConcentratedDp.ofBoundedRange(m.epsilon()).times(m.count());
    }
    if (mechanism instanceof PureMechanism m) {
      return ZeroConcentratedDp.ofPure(m.epsilon()).times(m.count());
    }
    if (mechanism instanceof TruncatedConcentrated m) {
      return ZeroConcentratedDp.of(m.rho()).times(m.count());
    }
    return ZeroConcentratedDp.ofMu(mechanism.mu().orElseThrow());
  }

  @Override
  public Answer epsilon(Releases releases, Delta delta) {
    return RenyiRule.epsilon(total(releases), delta);
  }

  @Override
  public Answer delta(Releases releases, Epsilon epsilon) {
    return Bound.upper(total(releases).delta(epsilon).value());
  }
}
