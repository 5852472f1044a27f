package io.mutune.accountant.pld;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import io.mutune.accountant.pld.Convolution.Power;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The privacy loss of a composition in one direction of its neighbours. Composing only notes what
 * is composed; each question then gets a grid and a tilt of its own.
 */
public final class PrivacyLossDistribution {
  /** No release at all. */
  public static final PrivacyLossDistribution NONE = new PrivacyLossDistribution(Map.of());

  /** The share of δ by which a lower bound gives way, for each of a few reasons. */
  private static final double SLACK = 1e-4;

  private final Map<PrivacyLoss, Long> counts;

  private PrivacyLossDistribution(Map<PrivacyLoss, Long> counts) {
    this.counts = counts;
  }

  static PrivacyLossDistribution of(PrivacyLoss loss, long count) {
    return new PrivacyLossDistribution(Map.of(loss, count));
  }

  /**
   * Both together.
   *
   * @throws ArithmeticException if a count overflows
   */
  public PrivacyLossDistribution compose(PrivacyLossDistribution other) {
    Map<PrivacyLoss, Long> all = new LinkedHashMap<>(counts);
    other.counts.forEach((loss, count) -> all.merge(loss, count, Math::addExact));
    return new PrivacyLossDistribution(all);
  }

  /**
   * This, {@code times} times.
   *
   * @param times at least 1
   * @throws ArithmeticException if a count overflows
   */
  public PrivacyLossDistribution selfCompose(long times) {
    if (times < 1) {
      throw new IllegalArgumentException("a count must be at least 1; was " + times);
    }
    Map<PrivacyLoss, Long> all = new LinkedHashMap<>();
    counts.forEach((loss, count) -> all.put(loss, Math.multiplyExact(count, times)));
    return new PrivacyLossDistribution(all);
  }

  /** At least the smallest δ with which (ε, δ) holds. */
  public Delta delta(Epsilon epsilon) {
    List<Part> parts = parts();
    if (parts.isEmpty()) {
      return Delta.of(0);
    }
    if (isSingle(parts)) {
      return Delta.of(SingleLoss.deltaAbove(parts.get(0).loss(), epsilon.value()));
    }
    Plan plan = new Plan(parts);
    return Delta.of(above(plan, plan.forEpsilon(epsilon.value())).deltaAbove(epsilon.value()));
  }

  /** At least the smallest ε ≥ 0 with which (ε, δ) holds; infinite if none does. */
  public double epsilon(Delta delta) {
    return epsilon(delta, 0);
  }

  /** The same, or anything that is no less and at most {@code enough}, which costs less to find. */
  double epsilon(Delta delta, double enough) {
    List<Part> parts = parts();
    double logDelta = Math.log(delta.value() - infinite());
    if (parts.isEmpty()) {
      return 0;
    }
    if (!(logDelta > Double.NEGATIVE_INFINITY)) {
      return Double.POSITIVE_INFINITY;
    }
    if (isSingle(parts)) {
      return SingleLoss.epsilonAbove(parts.get(0).loss(), delta.value());
    }
    Plan plan = new Plan(parts);
    Window window = plan.forDelta(logDelta);
    if (enough > 0) {
      double coarse = above(plan, plan.coarsen(window)).epsilonAbove(delta.value());
      if (coarse <= enough) {
        return Math.max(0, coarse);
      }
    }
    TiltedSum sum = above(plan, window);
    double epsilon = sum.epsilonAbove(delta.value());
    Window finer = plan.refine(window, sum.widening(plan.count()), epsilon);
    if (!finer.equals(window)) {
      epsilon = Math.min(epsilon, above(plan, finer).epsilonAbove(delta.value()));
    }
    return Math.max(0, epsilon);
  }

  /**
   * At most the smallest ε ≥ 0 of this δ, but for rounding; infinite if no ε is enough.
   *
   * <p>Moving a loss to the ends of its cell is a randomised bit, with losses of its own that span
   * h exactly. Such a bit has a mean loss of at most h²/8 and n of them exceed t = nh²/8 +
   * h√(n·ln(1/η)/2) with probability at most η (Hoeffding 1963; Cesar and Rogers 2021, Lemma 3.2).
   * So what was computed is a post-processing of the losses composed with the bits, and its δ(ε +
   * t) at most δ(ε) + η.
   */
  double epsilonAtMost(Delta delta) {
    List<Part> parts = parts();
    if (parts.isEmpty()) {
      return 0;
    }
    double logDelta = Math.log(delta.value() - infinite());
    if (!(logDelta > Double.NEGATIVE_INFINITY)) {
      return Double.POSITIVE_INFINITY;
    }
    if (isSingle(parts)) {
      return SingleLoss.epsilonBelow(parts.get(0).loss(), delta.value());
    }
    Plan plan = new Plan(parts);
    Window window = plan.forDelta(logDelta);
    double share = SLACK * Math.exp(logDelta) / parts.size();
    List<Power> powers = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Range range = plan.fineRange(i, window, share);
      powers.add(
          new Power(
              ConnectTheDots.of(parts.get(i).loss(), window.spacing(), range),
              parts.get(i).count()));
    }
    TiltedSum sum = Convolution.of(powers, window, new RealTransform(window.size()));
    double moved = plan.moved();
    double h = window.spacing();
    double bits = moved * h * h / 8 + h * Math.sqrt(moved * -(logDelta + Math.log(SLACK)) / 2);
    double more = infinite() + Math.exp(logDelta) * (1 + 4 * SLACK);
    return Math.max(0, sum.epsilonBelow(more) * (1 - SLACK * SLACK) - bits);
  }

  private static boolean isSingle(List<Part> parts) {
    return parts.size() == 1 && parts.get(0).count() == 1;
  }

  private TiltedSum above(Plan plan, Window window) {
    List<Part> parts = parts();
    List<Power> powers = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      LossMeasure measure = ConnectTheDots.of(part.loss(), window.spacing(), plan.range(i, window));
      powers.add(new Power(measure, part.count()));
    }
    return Convolution.of(powers, window, new RealTransform(window.size()));
  }

  private double infinite() {
    double finite = 0;
    for (Map.Entry<PrivacyLoss, Long> part : counts.entrySet()) {
      finite += part.getValue() * Math.log1p(-part.getKey().infinite());
    }
    return -Math.expm1(finite);
  }

  private List<Part> parts() {
    return counts.entrySet().stream().map(e -> new Part(e.getKey(), e.getValue())).toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PrivacyLossDistribution that && counts.equals(that.counts);
  }

  @Override
  public int hashCode() {
    return counts.hashCode();
  }
}
