package io.mutune.accountant.pld;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A looser bound by a closed form, for what no grid can hold: nothing is sampled, every pure
 * mechanism is covered by a Gaussian one, and an (ε, δ) one tells all with probability δ.
 *
 * @param gaussian the composition of all
 * @param infinite the probability that one of them tells all, rounded up
 */
record GaussianCap(GaussianDp gaussian, double infinite) {
  static GaussianCap of(Collection<? extends Mechanism> mechanisms) {
    List<GaussianDp> parts = new ArrayList<>();
    double infinite = 0;
    for (Mechanism mechanism : mechanisms) {
      if (mechanism instanceof RepeatAndSelect) {
        // No closed form is known of it: it may tell all.
        infinite += 1;
        continue;
      }
      Mechanism covered = mechanism;
      if (mechanism instanceof SubsampledGaussian sampled) {
        covered = sampled.unsampled();
      } else if (mechanism instanceof ApproximateDp approximate) {
        infinite += approximate.delta().value() * (double) approximate.count();
        if (approximate.epsilon().value() == 0) {
          continue;
        }
        covered = new PureDp(approximate.epsilon(), approximate.count());
      }
      Optional<GaussianDp> part = covered.mu().map(GaussianDp::of);
      parts.add(
          part.orElseThrow(() -> new IllegalArgumentException("no mu covers " + mechanism.name())));
    }
    double rounding = (mechanisms.size() + 2) * Doubles.ULP;
    return new GaussianCap(GaussianDp.compose(parts), infinite * (1 + rounding));
  }

  /** The same as (μ, δ₀). */
  ApproximateGaussianDp covering() {
    return new ApproximateGaussianDp(gaussian.mu(), Delta.of(Math.min(1, infinite)));
  }

  /** At least the smallest ε of a δ; infinite if none is known. */
  double epsilon(double delta) {
    double left = Math.nextDown(delta - infinite);
    return left > 0 ? gaussian.epsilon(Delta.of(left)).value() : Double.POSITIVE_INFINITY;
  }

  /** At least the smallest δ of an ε. */
  double delta(Epsilon epsilon) {
    return Math.min(1, Math.nextUp(gaussian.delta(epsilon).value() + infinite));
  }
}
