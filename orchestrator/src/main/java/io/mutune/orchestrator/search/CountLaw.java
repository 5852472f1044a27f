package io.mutune.orchestrator.search;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import org.apache.commons.math3.dfp.Dfp;
import org.apache.commons.math3.dfp.DfpField;
import org.apache.commons.math3.dfp.DfpMath;

/**
 * The number of runs that 128 uniform bits stand for. What is drawn is the law but for {@link
 * #ERROR} in total variation: each of its probabilities is a multiple of 2^−128, of which there are
 * a million at most, and is reckoned with 60 digits. With doubles the error would be 1e-12 for a
 * mean of 500, which times e^ε is no small part of a small δ.
 */
final class CountLaw {
  /** How far the law of what is drawn is from the law that is charged, at most. */
  static final double ERROR = 1e-32;

  /** No law whose mean is allowed in a sweep comes near it. */
  private static final int MOST = 1_000_000;

  private static final DfpField FIELD = new DfpField(60);

  /** Where less than this is left of a law it ends. */
  private static final Dfp NOTHING = DfpMath.pow(FIELD.getTwo(), -150);

  private CountLaw() {}

  /**
   * The number in (0, 1) that these bits stand for, the middle of its 2^−128.
   *
   * @param high the first 64 bits
   * @param low the others
   */
  static Dfp share(long high, long low) {
    Dfp unit = DfpMath.pow(FIELD.getTwo(), 64);
    Dfp below = unsigned(low).add(share(0.5)).divide(unit);
    return unsigned(high).add(below).divide(unit);
  }

  /** The same by a double. */
  static Dfp share(double u) {
    return FIELD.newDfp(u);
  }

  private static Dfp unsigned(long bits) {
    return FIELD.newDfp(Long.toUnsignedString(bits));
  }

  /**
   * The least k with P(K ≤ k) ≥ u.
   *
   * @param u in (0, 1), by {@link #share}
   */
  static int quantile(TrialCount law, Dfp u) {
    int k;
    int most = MOST;
    Dfp probability;
    if (law instanceof TruncatedNegativeBinomial tnb) {
      k = 1;
      probability = first(tnb);
    } else if (law instanceof PoissonTrials poisson) {
      k = 0;
      probability = DfpMath.exp(FIELD.newDfp(poisson.mean()).negate());
    } else {
      BinomialTrials binomial = (BinomialTrials) law;
      k = 0;
      probability = DfpMath.pow(without(binomial), binomial.most());
      most = binomial.most();
    }
    Dfp sum = probability;
    while (sum.lessThan(u) && k < most && !(k > law.mean() && probability.lessThan(NOTHING))) {
      probability = probability.multiply(ratio(law, k));
      k++;
      sum = sum.add(probability);
    }
    return k;
  }

  /** P(K = 1): η(1 − γ)/(γ^−η − 1), and (1 − γ)/ln(1/γ) for η = 0. */
  private static Dfp first(TruncatedNegativeBinomial law) {
    Dfp gamma = FIELD.newDfp(law.gamma());
    Dfp shape = FIELD.newDfp(law.shape());
    Dfp logInverse = DfpMath.log(gamma).negate();
    Dfp divisor =
        law.shape() == 0
            ? logInverse
            : DfpMath.exp(shape.multiply(logInverse)).subtract(FIELD.getOne()).divide(shape);
    return FIELD.getOne().subtract(gamma).divide(divisor);
  }

  /** P(K = k + 1)/P(K = k). */
  private static Dfp ratio(TrialCount law, int k) {
    if (law instanceof TruncatedNegativeBinomial tnb) {
      return FIELD
          .getOne()
          .subtract(FIELD.newDfp(tnb.gamma()))
          .multiply(FIELD.newDfp(tnb.shape()).add(FIELD.newDfp(k)))
          .divide(k + 1);
    }
    if (law instanceof BinomialTrials binomial) {
      return FIELD
          .newDfp(binomial.probability())
          .divide(without(binomial))
          .multiply(binomial.most() - k)
          .divide(k + 1);
    }
    return FIELD.newDfp(law.mean()).divide(k + 1);
  }

  /** 1 − p. */
  private static Dfp without(BinomialTrials law) {
    return FIELD.getOne().subtract(FIELD.newDfp(law.probability()));
  }
}
