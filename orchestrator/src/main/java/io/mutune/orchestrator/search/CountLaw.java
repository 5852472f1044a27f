package io.mutune.orchestrator.search;

import io.mutune.accountant.mechanism.BinomialTrials;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import java.util.function.UnaryOperator;
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
    int k = law instanceof TruncatedNegativeBinomial ? 1 : 0;
    int most = law instanceof BinomialTrials binomial ? binomial.most() : MOST;
    double mean = law.mean();
    UnaryOperator<Dfp> ratio = ratio(law);
    Dfp probability = first(law);
    Dfp sum = probability;
    while (sum.lessThan(u) && k < most && !(k > mean && probability.lessThan(NOTHING))) {
      k++;
      // A divisor that is an int would have to be below 10 000.
      probability = probability.multiply(ratio.apply(FIELD.newDfp(k)));
      sum = sum.add(probability);
    }
    return k;
  }

  /** The probability of the least number. */
  private static Dfp first(TrialCount law) {
    if (law instanceof TruncatedNegativeBinomial tnb) {
      return first(tnb);
    }
    if (law instanceof BinomialTrials binomial) {
      return DfpMath.pow(without(binomial.probability()), binomial.most());
    }
    return DfpMath.exp(FIELD.newDfp(law.mean()).negate());
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
    return without(law.gamma()).divide(divisor);
  }

  /** P(K = k)/P(K = k − 1), of k. */
  private static UnaryOperator<Dfp> ratio(TrialCount law) {
    if (law instanceof TruncatedNegativeBinomial tnb) {
      Dfp rest = without(tnb.gamma());
      Dfp more = FIELD.newDfp(tnb.shape()).subtract(FIELD.getOne());
      return k -> rest.multiply(k.add(more)).divide(k);
    }
    if (law instanceof BinomialTrials binomial) {
      Dfp probability = FIELD.newDfp(binomial.probability());
      Dfp odds = probability.divide(without(binomial.probability()));
      Dfp all = FIELD.newDfp(binomial.most()).add(FIELD.getOne());
      return k -> odds.multiply(all.subtract(k)).divide(k);
    }
    Dfp mean = FIELD.newDfp(law.mean());
    return mean::divide;
  }

  private static Dfp without(double probability) {
    return FIELD.getOne().subtract(FIELD.newDfp(probability));
  }
}
