package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A bound by whether the row is ever sampled, for rates so small that no grid has a place for their
 * losses: with probability 1 − τ = Π(1 − q)^count it is not, and then only the other releases say
 * anything of it. So δ(ε) ≤ τ + (1 − τ)·δ′(ε), with δ′ of the releases that are not sampled.
 *
 * <p>For each sampled release, both distributions of its pair hold (1 − q) times one and the same,
 * which is the output without the row: (1 − q)·Q + q·P and Q where a row is added or removed, (1 −
 * q)·N(0) + q·N(±x) where it is replaced. Their products are therefore (1 − τ)·C + τ·A and (1 −
 * τ)·C + τ·B. Beside a pair (X, Y) of all others, (1 − τ)·C·(X − e^ε·Y) + τ·(A·X − e^ε·B·Y) has no
 * event of more than (1 − τ)·δ′(ε) + τ; it is the same in the other direction. At ε = 0 alone this
 * is the outputs' total variation of at most τ, which is at most Σ count·q.
 *
 * @param sampled τ, rounded up
 * @param others the releases that are not sampled
 * @param adjacency of all
 */
record UnsampledBound(double sampled, List<Mechanism> others, Adjacency adjacency) {
  UnsampledBound {
    others = List.copyOf(others);
  }

  /** Empty if nothing is sampled; of mechanisms that the accountant takes. */
  static Optional<UnsampledBound> of(
      Collection<? extends Mechanism> mechanisms, Adjacency adjacency) {
    List<Mechanism> others = new ArrayList<>();
    double missed = 0;
    int terms = 0;
    for (Mechanism mechanism : mechanisms) {
      double rate = 1;
      double count = 0;
      if (mechanism instanceof SubsampledGaussian m) {
        rate = m.samplingRate();
        count = (double) m.count();
      } else if (mechanism instanceof SubsampledLaplace m) {
        rate = m.samplingRate();
        count = (double) m.count();
      }
      if (rate == 1) {
        others.add(mechanism);
      } else {
        missed += count * Math.log1p(-rate);
        terms++;
      }
    }
    if (terms == 0) {
      return Optional.empty();
    }
    // A rounding for each count, product and sum and an ulp for each logarithm, all of one sign;
    // 1 − e^(−x) grows by no larger a share than x does.
    double sampled = -Math.expm1(missed) * (1 + (terms + 8) * Doubles.ULP) + Double.MIN_NORMAL;
    return Optional.of(new UnsampledBound(Math.min(1, sampled), others, adjacency));
  }

  /** Composed when it is asked, since most questions need none of it. */
  private PldAccountant rest() {
    return PldAccountant.of(others, adjacency);
  }

  /** At least the smallest ε of a δ; infinite if none is known. */
  double epsilon(double delta) {
    double over = Math.nextDown(delta - sampled);
    if (!(over > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double left = over / (1 - sampled) * (1 - 4 * Doubles.ULP);
    return left > 0 ? rest().epsilon(Delta.of(Math.min(1, left))) : Double.POSITIVE_INFINITY;
  }

  /** At least the smallest δ of an ε. */
  double delta(Epsilon epsilon) {
    double finite = (1 - sampled) * rest().delta(epsilon).value();
    return Math.min(1, (sampled + finite) * (1 + 4 * Doubles.ULP));
  }
}
