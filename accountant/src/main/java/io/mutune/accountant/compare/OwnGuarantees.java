package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.renyi.Amplification;
import io.mutune.accountant.renyi.SimpleComposition.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Each release's own (ε, δ), for the rules that compose nothing else. Releases that are (ε, δ)-DP
 * as they stand keep theirs. A Gaussian release has one for every δ: it gets the same share as
 * every other Gaussian release, which on a sample of rate q is q times that of its unsampled
 * release (Balle, Barthe and Gaboardi 2018).
 */
final class OwnGuarantees {
  /** What shares leave room for: their own rounding and that of their sum. */
  private static final double ROOM = 1 - 0x1p-40;

  private OwnGuarantees() {}

  static Optional<String> unsuited(Releases releases) {
    return Rule.firstReason(
        releases,
        m ->
            m instanceof PureMechanism
                    || m instanceof ApproximateDp
                    || m instanceof Gaussian
                    || m instanceof SubsampledGaussian
                ? Optional.empty()
                : Optional.of(Rule.byCurveOnly(m)));
  }

  /** The δ of all releases that have one of their own, rounded up; perhaps above 1. */
  static double fixedDelta(Releases releases) {
    double sum = 0;
    for (Mechanism mechanism : releases.mechanisms()) {
      if (mechanism instanceof ApproximateDp m) {
        sum += m.count() == 1 ? m.delta().value() : Math.nextUp(m.delta().value() * m.count());
      }
    }
    return releases.mechanisms().size() > 1 ? sum * (1 + 0x1p-40) : sum;
  }

  /** How many releases want a share of δ. */
  static double shares(Releases releases) {
    double shares = 0;
    for (Mechanism mechanism : releases.mechanisms()) {
      if (mechanism instanceof Gaussian m) {
        shares += m.count();
      } else if (mechanism instanceof SubsampledGaussian m) {
        shares += m.count();
      }
    }
    return shares;
  }

  /**
   * The releases with {@code delta} shared evenly among those that want some; empty if the shares
   * would be too small for a double.
   */
  static Optional<List<Release>> of(Releases releases, double delta) {
    double shares = shares(releases);
    double share = shares > 0 ? delta / shares * ROOM : 0;
    if (shares > 0 && !(share >= Double.MIN_NORMAL)) {
      return Optional.empty();
    }
    List<Release> all = new ArrayList<>();
    for (Mechanism mechanism : releases.mechanisms()) {
      all.add(release(mechanism, share));
    }
    return Optional.of(all);
  }

  private static Release release(Mechanism mechanism, double share) {
    if (mechanism instanceof PureMechanism m) {
      return new Release(m.epsilon(), Delta.of(0), m.count());
    }
    if (mechanism instanceof ApproximateDp m) {
      return new Release(m.epsilon(), m.delta(), m.count());
    }
    if (mechanism instanceof Gaussian m) {
      GaussianDp one = GaussianDp.ofGaussian(m.sigma(), m.sensitivity(), 1);
      Epsilon epsilon = one.epsilon(Delta.of(share));
      return new Release(epsilon, Delta.of(share), m.count());
    }
    SubsampledGaussian m = (SubsampledGaussian) mechanism;
    double rate = m.samplingRate();
    double unsampled = Math.min(1, share / rate);
    Epsilon epsilon =
        unsampled == 1
            ? Epsilon.of(0)
            : Amplification.epsilon(
                GaussianDp.ofGaussian(m.sigma(), m.sensitivity(), 1).epsilon(Delta.of(unsampled)),
                rate);
    return new Release(epsilon, Delta.of(share), m.count());
  }
}
