package io.mutune.trainer.loss;

import io.mutune.trainer.setting.NumberRule;
import java.io.Serializable;
import java.util.List;

/**
 * How much a row counts by its class: public numbers, of which only the ratios matter. They are
 * kept as factors of which the greatest is 1, so that whatever bounds a row's loss and its
 * gradients bounds them with weights too.
 *
 * @param factors by class index, each above 0, the greatest 1
 */
public record ClassWeights(List<Double> factors) implements Serializable {
  public ClassWeights {
    factors = List.copyOf(factors);
    double heaviest = 0;
    for (double factor : factors) {
      if (!(factor > 0)) {
        throw new IllegalArgumentException("a class weight must be above 0; was " + factor);
      }
      heaviest = Math.max(heaviest, factor);
    }
    if (heaviest != 1) {
      throw new IllegalArgumentException("the heaviest class must have 1; was " + heaviest);
    }
  }

  /**
   * Divides by the heaviest.
   *
   * @param weights by class index, as {@link NumberRule#CLASS_WEIGHT} has them
   */
  public static ClassWeights of(List<Double> weights) {
    double heaviest = 0;
    for (double weight : weights) {
      if (!NumberRule.CLASS_WEIGHT.holds(weight)) {
        throw new IllegalArgumentException(
            "a class weight must be %s; was %s".formatted(NumberRule.CLASS_WEIGHT.text(), weight));
      }
      heaviest = Math.max(heaviest, weight);
    }
    double most = heaviest;
    return new ClassWeights(weights.stream().map(weight -> weight / most).toList());
  }

  /** Whether all classes count alike. */
  public boolean areEqual() {
    return factors.stream().allMatch(factor -> factor == 1);
  }
}
