package io.mutune.accountant.pld;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import io.mutune.accountant.pld.Convolution.Power;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The privacy loss of a composition in one direction of its neighbours. Composing only notes what
 * is composed; each question then gets a grid and a tilt of its own.
 */
public final class PrivacyLossDistribution {
  /** No release at all. */
  public static final PrivacyLossDistribution NONE = new PrivacyLossDistribution(Map.of());

  /** Above the relative rounding of {@link #infinite}. */
  private static final double INFINITE_ERROR = 0x1p-40;

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

  /** At least the smallest δ with which (ε, δ) holds. */
  public Delta delta(Epsilon epsilon) {
    List<Part> parts = parts();
    if (parts.isEmpty()) {
      return Delta.of(0);
    }
    if (infinite() == 1) {
      return Delta.of(1);
    }
    if (epsilon.value() >= largest()) {
      return Delta.of(beyondAll());
    }
    if (isSingle(parts)) {
      return Delta.of(SingleLoss.deltaAbove(parts.get(0).loss(), epsilon.value()));
    }
    Plan plan = Plan.forEpsilon(parts, epsilon.value());
    if (plan.isLong()) {
      Optional<FewFrequencies> few = compose(plan, plan.fine(), Side.ABOVE).fewFrequencies();
      if (few.isPresent()) {
        return Delta.of(few.get().deltaAbove(plan.place(epsilon.value(), few.get()::epsilonAbove)));
      }
    }
    TiltedSum sum = compose(plan, plan.window(), Side.ABOVE).whole();
    return Delta.of(sum.deltaAbove(plan.place(epsilon.value(), sum::epsilonAbove)));
  }

  /** At most the smallest δ with which (ε, δ) holds. */
  double deltaAtMost(Epsilon epsilon) {
    List<Part> parts = parts();
    double sure = infinite() * (1 - INFINITE_ERROR);
    if (parts.isEmpty() || infinite() == 1 || epsilon.value() >= largest()) {
      return sure;
    }
    if (isSingle(parts)) {
      double delta = SingleLoss.bound(parts.get(0).loss(), epsilon.value(), -1);
      return Math.max(sure, delta * (1 - INFINITE_ERROR));
    }
    Plan plan = Plan.forEpsilon(parts, epsilon.value());
    Optional<FewFrequencies> few =
        plan.isLong() ? compose(plan, plan.fine(), Side.BELOW).fewFrequencies() : Optional.empty();
    LossSum sum = few.isPresent() ? few.get() : compose(plan, plan.window(), Side.BELOW).whole();
    double delta = sum.deltaBelow(epsilon.value());
    return delta > sure ? delta : sure; // no number of a measure without any mass left
  }

  /**
   * The same at many ε, for far less than each alone costs.
   *
   * @param ascending the ε, at least 0
   * @param least the smallest δ that is of interest; smaller ones may be far too large
   */
  double[] deltas(double[] ascending, Delta least) {
    List<Part> parts = parts();
    double logDelta = Math.log(least.value() - infinite());
    if (parts.isEmpty() || isSingle(parts) || !(logDelta > Double.NEGATIVE_INFINITY)) {
      return Arrays.stream(ascending).map(e -> delta(Epsilon.of(e)).value()).toArray();
    }
    double[] deltas = new double[ascending.length];
    double beyondAll = beyondAll();
    double largest = largest();
    Arrays.setAll(deltas, i -> ascending[i] >= largest ? beyondAll : 1);
    Plan far = Plan.forDelta(parts, logDelta);
    Plan near = Plan.forEpsilon(parts, 0);
    // The window of a δ may not hold the ε of others. A profile of few bounded losses has corners,
    // which are seen sharply on a fine grid, and where a tilt has most of the sum.
    boolean hasCorners = Double.isFinite(largest) && !far.isLong();
    List<Plan> plans =
        hasCorners
            ? List.of(
                far, Plan.forDelta(parts, logDelta / 2), Plan.forDelta(parts, logDelta / 4), near)
            : List.of(far, near);
    for (Plan plan : plans) {
      Window window = hasCorners ? plan.window() : plan.coarsen(plan.window());
      double[] some = compose(plan, window, Side.ABOVE).whole().deltasAbove(ascending);
      Arrays.setAll(deltas, i -> Math.min(deltas[i], some[i]));
    }
    return deltas;
  }

  /** At least the smallest ε ≥ 0 with which (ε, δ) holds; infinite if none does. */
  public double epsilon(Delta delta) {
    return epsilon(delta, 0);
  }

  /** The same, or anything that is no less and at most {@code enough}, which costs less to find. */
  double epsilon(Delta delta, double enough) {
    // Beyond the largest finite loss, only infinite ones are left.
    double most =
        delta.value() > infinite() * (1 + INFINITE_ERROR) ? largest() : Double.POSITIVE_INFINITY;
    return Math.min(most, composed(delta, enough));
  }

  /** At least the δ of an ε that no finite loss is above. */
  private double beyondAll() {
    return Math.min(1, infinite() * (1 + INFINITE_ERROR));
  }

  /** No finite loss is above it, rounded up; infinite if some have no bound. */
  double largest() {
    double sum = 0;
    for (Map.Entry<PrivacyLoss, Long> part : counts.entrySet()) {
      sum += part.getKey().largest() * part.getValue();
    }
    return sum * (1 + (counts.size() + 2) * Doubles.ULP);
  }

  private double composed(Delta delta, double enough) {
    List<Part> parts = parts();
    double logDelta = Math.log(delta.value() - infinite());
    if (parts.isEmpty()) {
      return 0;
    }
    if (isSingle(parts)) {
      return SingleLoss.epsilonAbove(parts.get(0).loss(), delta.value());
    }
    if (!(logDelta > Double.NEGATIVE_INFINITY)) {
      return Double.POSITIVE_INFINITY;
    }
    Plan plan = Plan.forDelta(parts, logDelta);
    if (plan.isLong()) {
      if (enough > 0) {
        Optional<FewFrequencies> few = compose(plan, plan.rough(), Side.ABOVE).fewFrequencies();
        if (few.isPresent() && few.get().epsilonAbove(delta.value()) <= enough) {
          return enough;
        }
      }
      Optional<FewFrequencies> few = compose(plan, plan.fine(), Side.ABOVE).fewFrequencies();
      if (few.isPresent()) {
        return Math.max(0, few.get().epsilonAbove(delta.value()));
      }
    }
    Window window = plan.window();
    if (enough > 0) {
      double coarse =
          compose(plan, plan.coarsen(window), Side.ABOVE).whole().epsilonAbove(delta.value());
      if (coarse <= enough) {
        return Math.max(0, coarse);
      }
    }
    TiltedSum sum = compose(plan, window, Side.ABOVE).whole();
    double epsilon = sum.epsilonAbove(delta.value());
    Window finer = plan.refine(window, sum.widening(plan.count()), epsilon);
    if (!finer.equals(window)) {
      epsilon =
          Math.min(epsilon, compose(plan, finer, Side.ABOVE).whole().epsilonAbove(delta.value()));
    }
    return Math.max(0, epsilon);
  }

  /**
   * At most the smallest ε ≥ 0 of this δ; infinite if no ε is enough.
   *
   * @param near no less than it, and where to begin
   */
  double epsilonAtMost(Delta delta, double near) {
    List<Part> parts = parts();
    if (parts.isEmpty()) {
      return 0;
    }
    if (isSingle(parts)) {
      return SingleLoss.epsilonBelow(parts.get(0).loss(), delta.value());
    }
    double logDelta = Math.log(delta.value() - infinite());
    if (!(logDelta > Double.NEGATIVE_INFINITY)) {
      // Within rounding of a mass that no ε covers, nothing is known.
      return delta.value() < infinite() * (1 - INFINITE_ERROR) ? Double.POSITIVE_INFINITY : 0;
    }
    Plan plan = Plan.forDelta(parts, logDelta);
    if (plan.isLong()) {
      Optional<FewFrequencies> few = compose(plan, plan.fine(), Side.BELOW).fewFrequencies();
      if (few.isPresent()) {
        return Math.max(0, few.get().epsilonBelow(delta.value(), near));
      }
    }
    return Math.max(
        0, compose(plan, plan.window(), Side.BELOW).whole().epsilonBelow(delta.value(), near));
  }

  /** Whether δ may only be too large or only too small. */
  private enum Side {
    ABOVE,
    BELOW
  }

  /**
   * One sample of a symmetric mechanism. Then removing a row costs no less than adding one at every
   * ε ≥ 0: with c = 1 − e^ε·(1 − q), q·P − (q + e^ε − 1)·Q is c·P − e^ε·q·Q and (e^ε − 1)·(1 −
   * q)·(P − Q) more, and where the latter two are above 0 so is P − Q, since e^ε·q ≥ c.
   */
  boolean isSingleSample() {
    return isSingle(parts())
        && parts().get(0).loss() instanceof PoissonSubsampledLoss sampled
        && sampled.base().reversed().equals(sampled.base());
  }

  private static boolean isSingle(List<Part> parts) {
    return parts.size() == 1 && parts.get(0).count() == 1;
  }

  private Convolution compose(Plan plan, Window window, Side side) {
    List<Part> parts = parts();
    List<Power> powers = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      Range range = plan.range(i, window);
      LossMeasure measure =
          switch (side) {
            case ABOVE -> ConnectTheDots.of(part.loss(), window.spacing(), range);
            case BELOW -> MergedCells.of(part.loss(), window.spacing(), range, window.tilt());
          };
      powers.add(new Power(measure, part.count()));
    }
    Convolution planned = new Convolution(powers, window);
    return side == Side.BELOW ? planned.fromLowest() : planned;
  }

  /** The mass of infinite losses, but for rounding. */
  double infinite() {
    double finite = 0;
    for (Map.Entry<PrivacyLoss, Long> part : counts.entrySet()) {
      finite += part.getValue() * Math.log1p(-part.getKey().infinite());
    }
    return Math.max(0, -Math.expm1(finite));
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
