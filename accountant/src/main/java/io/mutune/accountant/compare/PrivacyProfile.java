package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.pld.PldAccountant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/**
 * One guarantee at several δ, and as a trade-off curve: exact for what has a μ, and otherwise by
 * the least bound of all accountants. Which δ and which points there are never follows from data.
 *
 * @param epsilons the largest δ first
 * @param curve the least rate of false alarms first
 */
public record PrivacyProfile(List<At> epsilons, List<Errors> curve) {
  /** At which ε is always said. */
  public static final List<Delta> USUAL =
      IntStream.rangeClosed(4, 10).mapToObj(n -> Delta.of(Double.parseDouble("1e-" + n))).toList();

  private static final int POINTS = 64;
  private static final int EPSILONS = 24;
  private static final double SMALLEST_DELTA = 1e-4;

  /** Above what a handful of operations on numbers up to 1 may be off by. */
  private static final double ROUNDING = 1e-12;

  /**
   * One (ε, δ).
   *
   * @param epsilon rounded up; empty where no finite one is known
   */
  public record At(Delta delta, Optional<Epsilon> epsilon) {}

  /**
   * One point of the curve, for telling whether one row took part.
   *
   * @param falseAlarms how often a test says so of a row that did not (type I)
   * @param misses how often it must then miss one that did (type II), at least; rounded down
   */
  public record Errors(double falseAlarms, double misses) {}

  public PrivacyProfile {
    epsilons = List.copyOf(epsilons);
    curve = List.copyOf(curve);
  }

  /** Of what has a μ, at these δ and the usual ones. */
  public static PrivacyProfile of(ApproximateGaussianDp guarantee, Collection<Delta> deltas) {
    return new PrivacyProfile(epsilons(guarantee, deltas), curve(guarantee));
  }

  /** The same with this in the place of what it has at that δ. */
  public PrivacyProfile with(At other) {
    return new PrivacyProfile(
        epsilons.stream().map(at -> at.delta().equals(other.delta()) ? other : at).toList(), curve);
  }

  /** The same without the ε that do not hold. */
  public PrivacyProfile where(BiPredicate<Epsilon, Delta> holds) {
    return new PrivacyProfile(
        epsilons.stream()
            .map(at -> new At(at.delta(), at.epsilon().filter(e -> holds.test(e, at.delta()))))
            .toList(),
        curve);
  }

  /** ε at these δ and the usual ones. */
  public static List<At> epsilons(ApproximateGaussianDp guarantee, Collection<Delta> deltas) {
    return descending(deltas).stream()
        .map(
            delta ->
                new At(
                    delta,
                    guarantee.hasFiniteEpsilon(delta)
                        ? Optional.of(guarantee.epsilon(delta))
                        : Optional.empty()))
        .toList();
  }

  private static List<Errors> curve(ApproximateGaussianDp guarantee) {
    return falseAlarms().stream().map(x -> new Errors(x, guarantee.misses(x))).toList();
  }

  /** Of any releases, at these δ and the usual ones. */
  public static PrivacyProfile of(Releases releases, Collection<Delta> deltas) {
    List<At> epsilons = new ArrayList<>();
    double least = 0;
    for (Delta delta : descending(deltas)) {
      // A smaller delta costs at least as much, whichever accountant knows the least of each.
      least = Math.max(least, epsilon(releases, delta));
      epsilons.add(
          new At(
              delta, Double.isFinite(least) ? Optional.of(Epsilon.of(least)) : Optional.empty()));
    }
    return new PrivacyProfile(epsilons, curve(releases));
  }

  /** The trade-off curve of any releases: exact for Gaussian ones, and below the true one. */
  public static List<Errors> curve(Releases releases) {
    return releases
        .gaussianMu()
        .map(mu -> curve(new ApproximateGaussianDp(mu, Delta.of(0))))
        .orElseGet(() -> supported(releases));
  }

  /** The largest of the lines that some (ε, δ) supports. */
  private static List<Errors> supported(Releases releases) {
    double most = epsilon(releases, Delta.of(SMALLEST_DELTA));
    double last = Double.isFinite(most) ? most : 1;
    double[] epsilons = new double[EPSILONS + 1];
    Arrays.setAll(epsilons, k -> last * k / EPSILONS);
    double[] deltas = deltas(releases, epsilons);
    double[] x = falseAlarms().stream().mapToDouble(alarms -> alarms).toArray();
    double[] y = new double[x.length];
    for (int k = 0; k <= EPSILONS; k++) {
      for (int i = 0; i < x.length; i++) {
        // Without false alarms nothing is taken off, also where e^epsilon is beyond a double.
        double taken = x[i] == 0 ? 0 : StrictMath.exp(epsilons[k]) * x[i];
        double steep = 1 - deltas[k] - taken;
        double flat = StrictMath.exp(-epsilons[k]) * (1 - deltas[k] - x[i]);
        y[i] = Math.max(y[i], Math.max(steep, flat) - ROUNDING);
      }
    }
    return IntStream.range(0, x.length).mapToObj(i -> new Errors(x[i], y[i])).toList();
  }

  /** At least δ at each ε: by one numerical composition where there is one, else by all rules. */
  private static double[] deltas(Releases releases, double[] epsilons) {
    boolean composed =
        releases.mechanisms().stream()
            .allMatch(mechanism -> PldAccountant.supports(mechanism, releases.adjacency()));
    if (composed) {
      try {
        return PldAccountant.of(releases.mechanisms(), releases.adjacency())
            .deltas(epsilons, Delta.of(SMALLEST_DELTA));
      } catch (ArithmeticException e) {
        // The numbers end here; the other rules know something.
      }
    }
    return Arrays.stream(epsilons)
        .map(e -> CombinedGuarantee.GUARANTEE.bound(releases, new DeltaAt(Epsilon.of(e))).upper())
        .toArray();
  }

  private static double epsilon(Releases releases, Delta delta) {
    return CombinedGuarantee.GUARANTEE.bound(releases, new EpsilonAt(delta)).upper();
  }

  private static List<Delta> descending(Collection<Delta> deltas) {
    TreeSet<Delta> all =
        new TreeSet<>(Comparator.comparingDouble((Delta delta) -> delta.value()).reversed());
    all.addAll(USUAL);
    all.addAll(deltas);
    return List.copyOf(all);
  }

  /** Dense at both ends, where the curve is steep, with the rates that people ask for. */
  private static List<Double> falseAlarms() {
    TreeSet<Double> all = new TreeSet<>(Arrays.asList(0.001, 0.01, 0.05, 0.1, 0.25, 0.5));
    for (int i = 0; i <= POINTS; i++) {
      all.add(Math.rint(1e6 * (1 - StrictMath.cos(Math.PI * i / POINTS)) / 2) / 1e6);
    }
    return List.copyOf(all);
  }
}
