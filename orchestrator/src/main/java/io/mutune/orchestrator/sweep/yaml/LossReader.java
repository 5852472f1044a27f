package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.model.HuberHingeLoss;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.SquaredLoss;
import io.mutune.trainer.setting.NumberRule;
import java.util.Optional;

/** Reads which loss a sweep trains on, with its parameters. */
final class LossReader {
  private static final String SQUARED = "squared";
  private static final String HUBER_HINGE = "huber-hinge";
  private static final int REAL = 0;

  private LossReader() {}

  /** What is trained on where the sweep does not say: softmax, or squared for real targets. */
  private static Loss usual(Optional<Integer> classes) {
    return isReal(classes) ? Loss.ofKey(SQUARED, REAL) : Loss.ofKey("softmax", 2);
  }

  /**
   * @param classes 0 for real targets; empty where the data section does not tell
   */
  static Loss read(YamlSection train, Optional<Integer> classes) {
    Optional<String> key = train.word("loss", Loss.KEYS);
    Optional<Double> bound = train.number("predictionBound", NumberRule.fromTo(1, 1e6));
    Optional<Double> width = train.number("huberWidth", NumberRule.above(0, 1));
    String loss = key.orElse(usual(classes).key());
    refuseParameter(train, "predictionBound", SQUARED, loss);
    refuseParameter(train, "huberWidth", HUBER_HINGE, loss);
    if (isReal(classes) && !loss.equals(SQUARED)) {
      train.broken("loss", "must be squared where targets are real", loss);
      return usual(classes);
    }
    if (loss.equals("logistic") && classes.isPresent() && classes.get() != 2) {
      train.broken("loss", "logistic needs 2 classes", classes.get() + " classes");
      return usual(classes);
    }
    return switch (loss) {
      case SQUARED -> new SquaredLoss(bound.orElse(SquaredLoss.USUAL_BOUND), isReal(classes));
      case HUBER_HINGE -> new HuberHingeLoss(width.orElse(HuberHingeLoss.USUAL_WIDTH));
      default -> Loss.ofKey(loss, 2);
    };
  }

  private static boolean isReal(Optional<Integer> classes) {
    return classes.filter(count -> count == REAL).isPresent();
  }

  private static void refuseParameter(YamlSection train, String key, String owner, String loss) {
    if (!loss.equals(owner) && train.has(key)) {
      train.broken(key, "is for " + owner + " only", "given with " + loss);
    }
  }
}
