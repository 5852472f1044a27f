package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountingMethod;
import io.mutune.accountant.compare.Calibrator;
import io.mutune.accountant.compare.CombinedGuarantee;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.LongFunction;

/**
 * How much noise a budget needs, or how many steps, how large samples or how large a final run it
 * allows, for sums of rows with Gaussian noise.
 *
 * @param unknown what is solved for
 * @param by the accountant whose bound has to keep the budget; empty for the tightest
 * @param epsilon the budget's, above 0
 * @param delta the budget's, above 0 and below 1
 * @param sigma the noise multiplier for a contribution of 1; not for {@link Unknown#SIGMA}
 * @param rate the sampling rate, empty for all rows in every step; for {@link Unknown#SIGMA} and
 *     {@link Unknown#STEPS} alone
 * @param steps not for {@link Unknown#STEPS}
 * @param charges what else is charged to the same budget
 */
public record CalibrationQuestion(
    Unknown unknown,
    Optional<Accountant> by,
    Decimal epsilon,
    Decimal delta,
    Adjacency adjacency,
    OptionalDouble sigma,
    OptionalDouble rate,
    OptionalLong steps,
    List<Mechanism> charges) {
  /** The relative distances from the answer at which its other end is searched for. */
  private static final double NEAREST = 1e-10;

  private static final double FARTHEST = 1;
  private static final double STRIDE = 4;

  /** What can be solved for. */
  public enum Unknown {
    /** The smallest noise multiplier. */
    SIGMA("sigma"),
    /** The largest number of steps. */
    STEPS("steps"),
    /** The largest sampling rate. */
    RATE("q"),
    /** The largest ε of one more Gaussian run. */
    FINAL("final");

    private final String key;

    Unknown(String key) {
      this.key = key;
    }

    /** The name in commands and answers. */
    public String key() {
      return key;
    }

    /**
     * The one of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Unknown ofKey(String key) {
      for (Unknown unknown : values()) {
        if (unknown.key.equals(key)) {
          return unknown;
        }
      }
      throw new IllegalArgumentException(
          "what to solve for must be one of sigma, steps, q, final; was '" + key + "'");
    }
  }

  public CalibrationQuestion {
    charges = List.copyOf(charges);
    require(
        unknown, "sigma", sigma.isPresent(), unknown == Unknown.STEPS || unknown == Unknown.RATE);
    require(
        unknown, "steps", steps.isPresent(), unknown == Unknown.SIGMA || unknown == Unknown.RATE);
    boolean sampled = unknown == Unknown.SIGMA || unknown == Unknown.STEPS;
    require(unknown, "q", rate.isPresent(), sampled && rate.isPresent());
  }

  private static void require(Unknown unknown, String name, boolean given, boolean needed) {
    if (given != needed) {
      throw new IllegalArgumentException(
          "solving for %s %s %s".formatted(unknown.key, needed ? "needs" : "takes no", name));
    }
  }

  /**
   * Finds the value and its distance from the best.
   *
   * @throws IllegalArgumentException if nothing keeps the budget
   */
  public CalibrationAnswer answer() {
    return switch (unknown) {
      case SIGMA -> sigma(calibrator());
      case STEPS -> steps(calibrator());
      case RATE -> rate(calibrator());
      case FINAL ->
          finalRun()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "nothing is left for a final run: the parts alone pass epsilon %s at delta %s"
                              .formatted(epsilon.text(), delta.text())));
    };
  }

  private Calibrator calibrator() {
    AccountingMethod method = by.<AccountingMethod>map(a -> a).orElse(CombinedGuarantee.GUARANTEE);
    return new Calibrator(method, budgetEpsilon(), budgetDelta());
  }

  /** Rounded down: never to less privacy. */
  private Epsilon budgetEpsilon() {
    return Epsilon.of(epsilon.positive("epsilon").down());
  }

  private Delta budgetDelta() {
    return Delta.of(delta.positive("delta").delta("delta"));
  }

  private CalibrationAnswer sigma(Calibrator calibrator) {
    DoubleFunction<Releases> study = s -> study(s, rate.orElse(1), steps.orElseThrow());
    double least = calibrator.noise(study).value();
    double lower = least * (1 - passing(r -> passes(study.apply(least * (1 - r)))));
    return calibrated(least, Math.max(0, lower), least, study.apply(least));
  }

  private CalibrationAnswer rate(Calibrator calibrator) {
    DoubleFunction<Releases> study = q -> study(sigma.orElseThrow(), q, steps.orElseThrow());
    double most = calibrator.samplingRate(study);
    double upper =
        most == 1
            ? 1
            : Math.min(
                1, most * (1 + passing(r -> passes(study.apply(Math.min(1, most * (1 + r)))))));
    return calibrated(most, most, upper, study.apply(most));
  }

  private CalibrationAnswer steps(Calibrator calibrator) {
    LongFunction<Releases> study = t -> study(sigma.orElseThrow(), rate.orElse(1), t);
    long most = calibrator.largestCount(study);
    long room = Math.min(Math.max(1, most), Long.MAX_VALUE - most);
    long more = 1;
    while (more <= room && !passes(study.apply(most + more))) {
      more *= 2;
    }
    double upper = more <= room ? whole(most + more - 1) : Double.POSITIVE_INFINITY;
    Releases kept = most == 0 ? new Releases(charges, adjacency) : study.apply(most);
    return calibrated(whole(most), whole(most), upper, kept);
  }

  /** The nearest double that is not above the count. */
  private static double whole(long count) {
    double nearest = (double) count;
    return (long) nearest > count || count == Long.MAX_VALUE ? Math.nextDown(nearest) : nearest;
  }

  /** The largest final run; empty if nothing is left for one. */
  public Optional<CalibrationAnswer> finalRun() {
    Releases before = new Releases(charges, adjacency);
    return calibrator().finalShare(before).map(most -> finalRun(before, most));
  }

  private CalibrationAnswer finalRun(Releases before, Mu most) {
    DoubleFunction<Releases> study = m -> before.plus(new Gaussian(NoiseMultiplier.of(1), m, 1));
    double mu = most.value();
    double above = mu * (1 + passing(r -> passes(study.apply(mu * (1 + r)))));
    return calibrated(
        GaussianDp.of(most).epsilonAtMost(budgetDelta()).value(),
        GaussianDp.of(most).epsilonAtMost(budgetDelta()).value(),
        GaussianDp.of(Mu.of(above)).epsilon(budgetDelta()).value(),
        study.apply(mu));
  }

  /** Beside what was found, the least relative distance that is tried and passes the budget. */
  private static double passing(DoublePredicate passesAt) {
    double distance = NEAREST;
    while (distance < FARTHEST && !passesAt.test(distance)) {
      distance *= STRIDE;
    }
    return Math.min(FARTHEST, distance);
  }

  /** Whether it is certain that these cost more than the budget. */
  private boolean passes(Releases releases) {
    return CombinedGuarantee.GUARANTEE.bound(releases, new EpsilonAt(budgetDelta())).lower()
        > epsilon.up();
  }

  private Releases study(double noise, double sampled, long count) {
    double sensitivity = adjacency.sumSensitivity();
    NoiseMultiplier multiplier = NoiseMultiplier.of(noise);
    List<Mechanism> all = new ArrayList<>(charges);
    all.add(
        sampled == 1
            ? new Gaussian(multiplier, sensitivity, count)
            : new SubsampledGaussian(multiplier, sampled, sensitivity, count));
    return new Releases(all, adjacency);
  }

  private CalibrationAnswer calibrated(double value, double lower, double upper, Releases kept) {
    Cost cost = new CostQuestion(kept, DecimalQuery.epsilonAt(delta), by, false).answer();
    return new CalibrationAnswer(this, value, lower, upper, cost);
  }
}
