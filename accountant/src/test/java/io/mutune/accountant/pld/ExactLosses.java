package io.mutune.accountant.pld;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Losses with few values, composed by brute force in 60 digits: the slow reference of what grids
 * and transforms do. Nothing here knows of tilts, cells or rounding.
 */
record ExactLosses(List<Atom> atoms, BigDecimal infinite) {
  private static final MathContext DIGITS = Digits.FIFTY;

  /** A loss with its mass under P. */
  record Atom(BigDecimal loss, BigDecimal mass) {}

  static final ExactLosses NONE =
      new ExactLosses(List.of(new Atom(BigDecimal.ZERO, BigDecimal.ONE)), BigDecimal.ZERO);

  /** Randomised response with odds e^ε₀ that tells all with probability δ₀. */
  static ExactLosses response(double epsilon, double delta) {
    BigDecimal all = new BigDecimal(delta);
    BigDecimal finite = BigDecimal.ONE.subtract(all);
    BigDecimal lie = finite.divide(BigDecimal.ONE.add(Digits.exp(epsilon)), DIGITS);
    BigDecimal loss = new BigDecimal(epsilon);
    return new ExactLosses(
        List.of(new Atom(loss.negate(), lie), new Atom(loss, finite.subtract(lie))), all);
  }

  /** The same, {@code count} times: by the binomial distribution. */
  static ExactLosses responses(double epsilon, double delta, int count) {
    ExactLosses one = response(epsilon, delta);
    BigDecimal lie = one.atoms.get(0).mass();
    BigDecimal truth = one.atoms.get(1).mass();
    List<Atom> sums = new ArrayList<>();
    BigDecimal ways = BigDecimal.ONE;
    for (int k = 0; k <= count; k++) {
      BigDecimal mass =
          ways.multiply(truth.pow(k, DIGITS), DIGITS).multiply(lie.pow(count - k, DIGITS), DIGITS);
      sums.add(
          new Atom(new BigDecimal(epsilon).multiply(BigDecimal.valueOf(2L * k - count)), mass));
      ways = ways.multiply(BigDecimal.valueOf(count - k)).divide(BigDecimal.valueOf(k + 1));
    }
    BigDecimal finite = BigDecimal.ONE.subtract(new BigDecimal(delta)).pow(count, DIGITS);
    return new ExactLosses(sums, BigDecimal.ONE.subtract(finite));
  }

  /** What a measure on a grid stands for. */
  static ExactLosses of(LossMeasure measure) {
    List<Atom> atoms = new ArrayList<>();
    for (int i = 0; i < measure.masses().length; i++) {
      BigDecimal loss =
          BigDecimal.valueOf(measure.first() + i)
              .multiply(new BigDecimal(measure.spacing()))
              .add(new BigDecimal(measure.shift()));
      atoms.add(new Atom(loss, new BigDecimal(measure.masses()[i])));
    }
    return new ExactLosses(atoms, new BigDecimal(measure.infinite()));
  }

  /** Σ mass, with that of the infinite loss. */
  BigDecimal total() {
    return atoms.stream().map(Atom::mass).reduce(infinite, BigDecimal::add);
  }

  ExactLosses compose(ExactLosses other) {
    // By value: equal sums are one atom, whatever their scales.
    TreeMap<BigDecimal, BigDecimal> masses = new TreeMap<>();
    for (Atom one : atoms) {
      for (Atom two : other.atoms) {
        BigDecimal mass = one.mass.multiply(two.mass, DIGITS);
        masses.merge(one.loss.add(two.loss), mass, BigDecimal::add);
      }
    }
    List<Atom> sums = new ArrayList<>();
    masses.forEach((loss, mass) -> sums.add(new Atom(loss, mass)));
    // What is infinite in either is infinite in both: t·t′ − (t − i)(t′ − i′).
    BigDecimal one = infinite.multiply(other.total());
    BigDecimal two = other.infinite.multiply(total().subtract(infinite));
    return new ExactLosses(sums, one.add(two, DIGITS));
  }

  /** δ(ε) = Σ m·(1 − e^(ε − ℓ)) over the losses above ε, and the mass of infinite ones. */
  BigDecimal delta(double epsilon) {
    BigDecimal place = new BigDecimal(epsilon);
    BigDecimal sum = infinite;
    for (Atom atom : atoms) {
      BigDecimal over = atom.loss.subtract(place);
      if (over.signum() > 0 && atom.mass.signum() != 0) {
        sum = sum.add(atom.mass.multiply(riseOf(over), DIGITS));
      }
    }
    return sum;
  }

  /** 1 − e^(−x) for x above 0, to many digits however small x is. */
  private static BigDecimal riseOf(BigDecimal x) {
    if (x.compareTo(new BigDecimal("1e-20")) < 0) {
      return x.subtract(x.multiply(x).divide(BigDecimal.valueOf(2)), DIGITS);
    }
    return BigDecimal.ONE.subtract(Digits.exp(x.negate()));
  }

  /**
   * δ(ε) of these losses beside a Gaussian release of {@code mu}: Φ(−x/μ + μ/2) − e^x·Φ(−x/μ − μ/2)
   * at x = ε − ℓ, by tails of 50 digits. Places are rounded to doubles, at which any event is no
   * more than δ.
   */
  BigDecimal deltaBesides(double mu, double epsilon) {
    BigDecimal sum = infinite;
    for (Atom atom : atoms) {
      BigDecimal rest = new BigDecimal(epsilon).subtract(atom.loss);
      double y = rest.doubleValue() / mu - mu / 2;
      BigDecimal p = Digits.tailAbove(new BigDecimal(y));
      BigDecimal q = Digits.tailAbove(new BigDecimal(y).add(new BigDecimal(mu)));
      BigDecimal least = p.subtract(Digits.exp(rest).multiply(q, DIGITS));
      sum = sum.add(atom.mass.multiply(least.max(BigDecimal.ZERO), DIGITS));
    }
    return sum;
  }
}
