package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.Gaussian;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;

/**
 * How much noise a budget asks for, and how many releases, how large samples or how large a final
 * run it allows, by any accountant or the guarantee. Each answer keeps the budget: it is found on
 * that side of the edge, and evaluated again before it is returned.
 *
 * @param method by which the budget is to be kept
 * @param epsilon above 0
 * @param delta above 0 and below 1
 */
public record Calibrator(AccountingMethod method, Epsilon epsilon, Delta delta) {
  private static final double MOST_NOISE = 0x1p60;
  private static final double LEAST_NOISE = 0x1p-30;
  private static final double LEAST_RATE = 0x1p-60;
  private static final double LEAST_MU = 0x1p-60;
  private static final double MOST_MU = 0x1p60;

  public Calibrator {
    if (!(epsilon.value() > 0)) {
      throw new IllegalArgumentException(
          "a budget's epsilon must be above 0; was " + epsilon.value());
    }
    if (!(delta.value() > 0 && delta.value() < 1)) {
      throw new IllegalArgumentException(
          "a budget's delta must be above 0 and below 1; was " + delta.value());
    }
  }

  /**
   * The smallest σ that keeps the budget, to 1e-12 relatively; 2⁻³⁰ if that does.
   *
   * @param releases the whole study with a noise multiplier σ; must cost less the larger σ is
   * @throws IllegalArgumentException if no σ up to 2⁶⁰ does
   */
  public NoiseMultiplier noise(DoubleFunction<Releases> releases) {
    OptionalDouble sigma =
        Search.smallest(LEAST_NOISE, 1, MOST_NOISE, s -> excess(releases.apply(s)));
    if (sigma.isEmpty()) {
      throw refused("no noise multiplier up to " + MOST_NOISE, releases.apply(MOST_NOISE));
    }
    requireKept(releases.apply(sigma.getAsDouble()));
    return NoiseMultiplier.of(sigma.getAsDouble());
  }

  /**
   * The largest T that keeps the budget; 0 if not even 1 does, and {@link Long#MAX_VALUE} if all
   * do.
   *
   * @param releases the whole study with a count T
   */
  public long largestCount(LongFunction<Releases> releases) {
    long count = Search.largestWhole(t -> keeps(releases.apply(t)));
    if (count > 0) {
      requireKept(releases.apply(count));
    }
    return count;
  }

  /**
   * The largest sampling rate q that keeps the budget, to 1e-12 relatively; at most 1.
   *
   * @param releases the whole study with a rate q; must cost more the larger q is
   * @throws IllegalArgumentException if no q down to 2⁻⁶⁰ does
   */
  public double samplingRate(DoubleFunction<Releases> releases) {
    OptionalDouble rate = Search.largest(LEAST_RATE, 1, 1, q -> excess(releases.apply(q)));
    if (rate.isEmpty()) {
      throw refused("no sampling rate down to " + LEAST_RATE, releases.apply(LEAST_RATE));
    }
    requireKept(releases.apply(rate.getAsDouble()));
    return rate.getAsDouble();
  }

  /**
   * The largest μ that one further Gaussian run may have beside the charges, to 1e-12 relatively;
   * empty if they leave nothing.
   *
   * @param charges all others, of any kind
   */
  public Optional<Mu> finalShare(Releases charges) {
    OptionalDouble mu =
        Search.largest(LEAST_MU, 1, MOST_MU, m -> excess(charges.plus(finalRun(m))));
    if (mu.isEmpty()) {
      return Optional.empty();
    }
    requireKept(charges.plus(finalRun(mu.getAsDouble())));
    return Optional.of(Mu.of(mu.getAsDouble()));
  }

  private static Gaussian finalRun(double mu) {
    return new Gaussian(NoiseMultiplier.of(1), mu, 1);
  }

  private double excess(Releases releases) {
    return method.excess(releases, epsilon, delta);
  }

  private boolean keeps(Releases releases) {
    return method.keeps(releases, epsilon, delta);
  }

  private IllegalArgumentException refused(String what, Releases easiest) {
    String why =
        method.answer(easiest, new EpsilonAt(delta)) instanceof NotApplicable none
            ? ": " + none.reason()
            : "";
    return new IllegalArgumentException(
        "%s keeps epsilon %s at delta %s by %s%s"
            .formatted(what, epsilon.value(), delta.value(), method.key(), why));
  }

  private void requireKept(Releases releases) {
    if (!keeps(releases)) {
      throw new IllegalStateException(
          "the calibrated study does not keep epsilon %s at delta %s"
              .formatted(epsilon.value(), delta.value()));
    }
  }
}
