package io.mutune.testing;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.ExponentialMechanism;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RandomizedResponse;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.List;
import java.util.function.LongFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Mechanisms of every kind for properties, and what makes each of them dearer. */
public final class Mechanisms {
  private Mechanisms() {}

  /** Ranges from which a mechanism's numbers are drawn, as powers of ten. */
  private record Ranges(
      double lowSigma,
      double highSigma,
      double lowRate,
      double lowEpsilon,
      double highEpsilon,
      double lowDelta,
      double highDelta,
      double highCount) {
    Arbitrary<Double> sigmas() {
      return powersOfTen(lowSigma, highSigma);
    }

    /** Sometimes exactly 1, where a sample is all rows. */
    Arbitrary<Double> rates() {
      return Arbitraries.oneOf(
          powersOfTen(lowRate, 0).map(q -> Math.min(1, q)), Arbitraries.just(1.0));
    }

    Arbitrary<Epsilon> epsilons() {
      return powersOfTen(lowEpsilon, highEpsilon).map(Epsilon::of);
    }

    Arbitrary<Long> counts() {
      return powersOfTen(0, highCount).map(Math::round);
    }
  }

  /** What studies charge: noise from 0.7, rates from 1e-3, counts to 300. */
  private static final Ranges USUAL = new Ranges(-0.15, 3, -3, -3, 0.3, -12, -7, 2.5);

  /** Noise to 1e8, counts to 1e9, ε to 1e6, rates to 1e-12. */
  private static final Ranges EXTREME = new Ranges(-3, 8, -12, -8, 6, -300, -1, 9);

  public static Arbitrary<Mechanism> usual() {
    return Arbitraries.oneOf(unselected(USUAL), selections(USUAL));
  }

  /** Those that all accountants but GDP and zCDP take, so that each is compared with others. */
  public static Arbitrary<Mechanism> usualWithoutSelections() {
    return unselected(USUAL);
  }

  public static Arbitrary<Mechanism> extreme() {
    return Arbitraries.oneOf(unselected(EXTREME), selections(EXTREME));
  }

  public static Arbitrary<Delta> deltas(double low, double high) {
    return powersOfTen(low, high).map(Delta::of);
  }

  public static Arbitrary<Double> powersOfTen(double low, double high) {
    return Arbitraries.doubles().between(low, high).ofScale(6).map(x -> Math.pow(10, x));
  }

  /** Each kind that has a count, by its count; cheap enough for hundreds of releases. */
  public static List<LongFunction<Mechanism>> counted() {
    Epsilon epsilon = Epsilon.of(0.05);
    NoiseMultiplier sigma = NoiseMultiplier.of(8);
    return List.of(
        n -> new Gaussian(sigma, 1, n),
        n -> new SubsampledGaussian(sigma, 0.1, 1, n),
        n -> new SubsampledGaussian(sigma, 1, 1, n),
        n -> new Laplace(20, 1, n),
        n -> new SubsampledLaplace(4, 0.1, 1, n),
        n -> new SubsampledLaplace(20, 1, 1, n),
        n -> new ExponentialMechanism(epsilon, n),
        n -> new RandomizedResponse(epsilon, n),
        n -> new PureDp(epsilon, n),
        n -> new TruncatedConcentrated(1e-3, 50, n),
        n -> TruncatedConcentrated.ofZeroConcentrated(1e-3, n),
        n -> new ApproximateDp(epsilon, Delta.of(1e-9), n),
        n -> new ApproximateDp(Epsilon.of(0), Delta.of(1e-9), n));
  }

  private static Arbitrary<Mechanism> unselected(Ranges r) {
    Arbitrary<Double> sensitivities = powersOfTen(-1, 1);
    Arbitrary<Double> omegas =
        Arbitraries.oneOf(
            powersOfTen(0, 3).map(w -> 1 + w), Arbitraries.just(Double.POSITIVE_INFINITY));
    return Arbitraries.oneOf(
        Combinators.combine(r.sigmas(), sensitivities, r.counts())
            .as((s, c, n) -> new Gaussian(NoiseMultiplier.of(s * c), c, n)),
        Combinators.combine(r.sigmas(), r.rates(), sensitivities, r.counts())
            .as((s, q, c, n) -> new SubsampledGaussian(NoiseMultiplier.of(s * c), q, c, n)),
        Combinators.combine(r.epsilons(), sensitivities, r.counts())
            .as((e, c, n) -> new Laplace(c / e.value(), c, n)),
        Combinators.combine(r.epsilons(), r.rates(), sensitivities, r.counts())
            .as((e, q, c, n) -> new SubsampledLaplace(c / e.value(), q, c, n)),
        Combinators.combine(r.epsilons(), r.counts()).as(ExponentialMechanism::new),
        Combinators.combine(r.epsilons(), r.counts()).as(RandomizedResponse::new),
        Combinators.combine(r.epsilons(), r.counts()).as(PureDp::new),
        Combinators.combine(r.epsilons(), deltas(r.lowDelta(), r.highDelta()), r.counts())
            .as(ApproximateDp::new),
        Combinators.combine(r.epsilons(), omegas, r.counts())
            .as((e, w, n) -> new TruncatedConcentrated(e.value() * e.value() / 2, w, n)));
  }

  private static Arbitrary<Mechanism> selections(Ranges r) {
    Arbitrary<TrialCount> laws =
        Arbitraries.oneOf(
            powersOfTen(-1, 3).map(PoissonTrials::new),
            Combinators.combine(
                    Arbitraries.integers().between(1, 100),
                    Arbitraries.doubles().between(0.01, 0.99))
                .as(BinomialTrials::new),
            Combinators.combine(
                    Arbitraries.doubles().between(-0.9, 3).ofScale(2), powersOfTen(-4, -0.1))
                .as(TruncatedNegativeBinomial::new));
    return Combinators.combine(unselected(r), laws).as(RepeatAndSelect::new);
  }

  /** Each parameter in turn a tenth worse; those that are at their end already are left out. */
  public static List<Mechanism> dearer(Mechanism mechanism) {
    if (mechanism instanceof Gaussian m) {
      return List.of(
          new Gaussian(less(m.sigma()), m.sensitivity(), m.count()),
          new Gaussian(m.sigma(), m.sensitivity() * 1.1, m.count()),
          new Gaussian(m.sigma(), m.sensitivity(), m.count() + 1));
    }
    if (mechanism instanceof SubsampledGaussian m) {
      double q = m.samplingRate();
      return List.of(
          new SubsampledGaussian(less(m.sigma()), q, m.sensitivity(), m.count()),
          new SubsampledGaussian(m.sigma(), Math.min(1, q * 1.1), m.sensitivity(), m.count()),
          new SubsampledGaussian(m.sigma(), q, m.sensitivity() * 1.1, m.count()),
          new SubsampledGaussian(m.sigma(), q, m.sensitivity(), m.count() + 1));
    }
    if (mechanism instanceof Laplace m) {
      return List.of(
          new Laplace(m.scale() * 0.9, m.sensitivity(), m.count()),
          new Laplace(m.scale(), m.sensitivity() * 1.1, m.count()),
          new Laplace(m.scale(), m.sensitivity(), m.count() + 1));
    }
    if (mechanism instanceof SubsampledLaplace m) {
      double q = m.samplingRate();
      return List.of(
          new SubsampledLaplace(m.scale() * 0.9, q, m.sensitivity(), m.count()),
          new SubsampledLaplace(m.scale(), Math.min(1, q * 1.1), m.sensitivity(), m.count()),
          new SubsampledLaplace(m.scale(), q, m.sensitivity() * 1.1, m.count()),
          new SubsampledLaplace(m.scale(), q, m.sensitivity(), m.count() + 1));
    }
    if (mechanism instanceof ExponentialMechanism m) {
      return List.of(
          new ExponentialMechanism(more(m.epsilon()), m.count()),
          new ExponentialMechanism(m.epsilon(), m.count() + 1));
    }
    if (mechanism instanceof RandomizedResponse m) {
      return List.of(
          new RandomizedResponse(more(m.epsilon()), m.count()),
          new RandomizedResponse(m.epsilon(), m.count() + 1));
    }
    if (mechanism instanceof PureDp m) {
      return List.of(
          new PureDp(more(m.epsilon()), m.count()), new PureDp(m.epsilon(), m.count() + 1));
    }
    if (mechanism instanceof ApproximateDp m) {
      return List.of(
          new ApproximateDp(more(m.epsilon()), m.delta(), m.count()),
          new ApproximateDp(m.epsilon(), Delta.of(m.delta().value() * 1.1), m.count()),
          new ApproximateDp(m.epsilon(), m.delta(), m.count() + 1));
    }
    if (mechanism instanceof TruncatedConcentrated m) {
      return List.of(
          new TruncatedConcentrated(m.rho() * 1.1, m.omega(), m.count()),
          new TruncatedConcentrated(m.rho(), 1 + (m.omega() - 1) * 0.9, m.count()),
          new TruncatedConcentrated(m.rho(), m.omega(), m.count() + 1));
    }
    RepeatAndSelect m = (RepeatAndSelect) mechanism;
    List<Mechanism> runs = dearer(m.run());
    TrialCount trials =
        m.trials() instanceof TruncatedNegativeBinomial law
            ? new TruncatedNegativeBinomial(law.shape(), law.gamma() * 0.9)
            : m.trials() instanceof BinomialTrials law
                ? new BinomialTrials(law.most() + 1, law.probability())
                : new PoissonTrials(m.trials().mean() * 1.1);
    return List.of(
        new RepeatAndSelect(runs.get(0), m.trials()),
        new RepeatAndSelect(runs.get(runs.size() - 1), m.trials()),
        new RepeatAndSelect(m.run(), trials));
  }

  private static NoiseMultiplier less(NoiseMultiplier sigma) {
    return NoiseMultiplier.of(sigma.value() * 0.9);
  }

  private static Epsilon more(Epsilon epsilon) {
    return Epsilon.of(epsilon.value() * 1.1);
  }
}
