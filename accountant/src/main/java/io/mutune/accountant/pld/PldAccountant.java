package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.gdp.ProfileHull;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.pld.KnownAnswers.Kind;
import io.mutune.accountant.pld.KnownAnswers.Question;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * What mechanisms cost together, by their privacy loss distributions. All Gaussian releases are
 * first composed into one in closed form; where there are no others, that is the answer. Upper ends
 * are no more than a {@link GaussianCap} and an {@link UnsampledBound} say.
 */
public final class PldAccountant {
  private final List<Mechanism> mechanisms;
  private final Adjacency adjacency;
  private final GaussianDp gaussian;
  private final List<PrivacyLossDistribution> directions;
  private final GaussianCap cap;
  private final Optional<UnsampledBound> unsampled;

  private PldAccountant(
      Collection<? extends Mechanism> mechanisms,
      Adjacency adjacency,
      GaussianDp gaussian,
      List<PrivacyLossDistribution> directions) {
    this.mechanisms = List.copyOf(mechanisms);
    this.adjacency = adjacency;
    this.gaussian = gaussian;
    this.directions = directions;
    this.cap = GaussianCap.of(mechanisms);
    this.unsampled = UnsampledBound.of(mechanisms, adjacency);
  }

  /** Whether {@link #of} takes this mechanism. */
  public static boolean supports(Mechanism mechanism, Adjacency adjacency) {
    return DominatingPair.of(mechanism, adjacency).isPresent();
  }

  /** Why {@link #of} does not take this mechanism; empty if it does. */
  public static Optional<String> reasonAgainst(Mechanism mechanism, Adjacency adjacency) {
    if (supports(mechanism, adjacency)) {
      return Optional.empty();
    }
    String why =
        mechanism instanceof SubsampledLaplace
            ? "no dominating pair is proved for %s under %s"
            : "%s is known by its Rényi curve, and has no dominating pair under %s";
    return Optional.of(why.formatted(mechanism.name(), adjacency.key()));
  }

  /**
   * All of these releases together, adaptively asked in a fixed plan.
   *
   * @throws IllegalArgumentException if one is not supported
   */
  public static PldAccountant of(Collection<? extends Mechanism> mechanisms, Adjacency adjacency) {
    List<GaussianDp> gaussians = new ArrayList<>();
    PrivacyLossDistribution remove = PrivacyLossDistribution.NONE;
    PrivacyLossDistribution add = PrivacyLossDistribution.NONE;
    for (Mechanism mechanism : mechanisms) {
      Part part = part(mechanism, adjacency);
      if (part.loss() instanceof GaussianLoss loss) {
        gaussians.add(GaussianDp.of(Mu.of(loss.mu())));
      } else {
        remove = remove.compose(PrivacyLossDistribution.of(part.loss(), part.count()));
        add = add.compose(PrivacyLossDistribution.of(part.loss().reversed(), part.count()));
      }
    }
    GaussianDp gaussian = GaussianDp.compose(gaussians);
    if (remove.equals(PrivacyLossDistribution.NONE)) {
      return new PldAccountant(mechanisms, adjacency, gaussian, List.of());
    }
    if (remove.isSingleSample() && gaussian.mu().value() == 0) {
      return new PldAccountant(mechanisms, adjacency, gaussian, List.of(remove));
    }
    if (gaussian.mu().value() > 0) {
      GaussianLoss loss = new GaussianLoss(gaussian.mu().value());
      remove = remove.compose(PrivacyLossDistribution.of(loss, 1));
      add = add.compose(PrivacyLossDistribution.of(loss, 1));
    }
    Set<PrivacyLossDistribution> directions = new LinkedHashSet<>(List.of(remove));
    directions.add(add);
    return new PldAccountant(mechanisms, adjacency, gaussian, List.copyOf(directions));
  }

  private static Part part(Mechanism mechanism, Adjacency adjacency) {
    Optional<Part> part = DominatingPair.of(mechanism, adjacency);
    return part.orElseThrow(
        () -> new IllegalArgumentException(reasonAgainst(mechanism, adjacency).orElseThrow()));
  }

  private double known(Kind kind, double at, DoubleSupplier computed) {
    return KnownAnswers.of(new Question(mechanisms, adjacency, kind, at), computed);
  }

  /** At least the smallest ε of this δ; infinite if there is none. */
  public double epsilon(Delta delta) {
    return known(Kind.EPSILON, delta.value(), () -> composed(delta));
  }

  /** The same, computed in any case. */
  double composed(Delta delta) {
    if (directions.isEmpty()) {
      return delta.value() == 0 && gaussian.mu().value() > 0
          ? Double.POSITIVE_INFINITY
          : gaussian.epsilon(delta).value();
    }
    double epsilon = 0;
    for (PrivacyLossDistribution direction : directions) {
      epsilon = Math.max(epsilon, direction.epsilon(delta, epsilon));
    }
    double most = cap.epsilon(delta.value());
    if (unsampled.isPresent() && !(epsilon == 0)) {
      most = Math.min(most, unsampled.get().epsilon(delta.value()));
    }
    return epsilon <= most ? epsilon : most;
  }

  /** Where the smallest ε of this δ is: its upper end is {@link #epsilon}. */
  public EpsilonInterval interval(Delta delta) {
    double upper = epsilon(delta);
    double lower = known(Kind.EPSILON_AT_MOST, delta.value(), () -> atMost(delta, upper));
    return new EpsilonInterval(Math.min(lower, upper), upper);
  }

  private double atMost(Delta delta, double upper) {
    double lower = 0;
    if (directions.isEmpty()) {
      lower = Double.isInfinite(upper) ? upper : gaussian.epsilonAtMost(delta).value();
    }
    for (PrivacyLossDistribution direction : directions) {
      lower = Math.max(lower, direction.epsilonAtMost(delta, upper));
    }
    return lower;
  }

  /** At least the smallest δ of this ε. */
  public Delta delta(Epsilon epsilon) {
    if (directions.isEmpty()) {
      return gaussian.delta(epsilon);
    }
    return Delta.of(
        known(
            Kind.DELTA,
            epsilon.value(),
            () ->
                capped(
                    directions.stream().mapToDouble(d -> d.delta(epsilon).value()).max().orElse(1),
                    epsilon)));
  }

  /** At most the smallest δ of this ε; no more than {@link #delta}. */
  public double deltaAtMost(Epsilon epsilon) {
    if (directions.isEmpty()) {
      return gaussian.deltaAtMost(epsilon);
    }
    double lower =
        known(
            Kind.DELTA_AT_MOST,
            epsilon.value(),
            () -> directions.stream().mapToDouble(d -> d.deltaAtMost(epsilon)).max().orElse(0));
    return Math.min(lower, delta(epsilon).value());
  }

  private double capped(double delta, Epsilon epsilon) {
    double most = cap.delta(epsilon);
    // Its rest is composed only where something may be gained.
    if (unsampled.isPresent() && unsampled.get().sampled() < Math.min(delta, most)) {
      most = Math.min(most, unsampled.get().delta(epsilon));
    }
    return Math.min(delta, most);
  }

  /**
   * A (μ, δ₀) that covers all of it at every ε and in both orders of the neighbours: the least μ
   * that is found, rounded up. Without δ₀ where all is Gaussian.
   *
   * @param delta0 as much as δ₀ may be
   * @return empty if no μ is found
   * @throws ArithmeticException if the numerical composition breaks down
   */
  public Optional<ApproximateGaussianDp> covering(Delta delta0) {
    if (directions.isEmpty()) {
      return Optional.of(ApproximateGaussianDp.of(gaussian));
    }
    Optional<ApproximateGaussianDp> closed =
        Optional.of(cap.covering()).filter(c -> c.delta0().value() <= delta0.value());
    double beyond = delta0.value() == 0 ? Double.POSITIVE_INFINITY : epsilon(delta0);
    if (!(beyond <= ProfileHull.LARGEST)) {
      return closed;
    }
    double[] places = ProfileHull.places(beyond);
    Optional<ApproximateGaussianDp> found =
        ProfileHull.of(places, deltas(places, delta0), delta0).least();
    return Stream.of(found, closed)
        .flatMap(Optional::stream)
        .min(Comparator.comparingDouble(c -> c.mu().value()));
  }

  /**
   * At least δ(ε) in both orders, at many ε for a small part of the price of each alone.
   *
   * @param least the smallest δ that is of interest; smaller ones may be far too large
   * @throws ArithmeticException if the numerical composition breaks down
   */
  public double[] deltas(double[] ascending, Delta least) {
    double[] deltas = new double[ascending.length];
    for (PrivacyLossDistribution direction : directions) {
      double[] some = direction.deltas(ascending, least);
      Arrays.setAll(deltas, i -> Math.max(deltas[i], some[i]));
    }
    Arrays.setAll(deltas, i -> capped(deltas[i], Epsilon.of(ascending[i])));
    return deltas;
  }
}
