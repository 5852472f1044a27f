package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.score.TargetMetrics;
import java.util.Arrays;
import java.util.Optional;

/** What a claim is about, and which way is better. */
public enum Figure {
  /** The share of test rows that the model calls right. */
  ACCURACY("accuracy", true),
  /** The share that it does not. */
  ERROR("error", false),
  /** The mean squared error of targets that stand from −1 to 1. */
  SQUARED_ERROR("squared-error", false),
  /** The relative error reduction of a strategy; of a comparison alone. */
  ERROR_REDUCTION("error-reduction", true);

  private final String key;
  private final boolean moreIsBetter;

  Figure(String key, boolean moreIsBetter) {
    this.key = key;
    this.moreIsBetter = moreIsBetter;
  }

  /** Its name in files of claims. */
  public String key() {
    return key;
  }

  boolean moreIsBetter() {
    return moreIsBetter;
  }

  static Optional<Figure> ofKey(String key) {
    return Arrays.stream(values()).filter(figure -> figure.key.equals(key)).findFirst();
  }

  /** That of a study on its public test rows. */
  double of(StudyResult result) {
    return switch (this) {
      case ACCURACY -> accuracy(result);
      case ERROR -> 1 - accuracy(result);
      case SQUARED_ERROR ->
          result
              .test()
              .filter(TargetMetrics.class::isInstance)
              .map(metrics -> ((TargetMetrics) metrics).square())
              .orElseThrow(() -> unknown("squared error of real targets"));
      case ERROR_REDUCTION -> throw unknown("error reduction: that is of a comparison");
    };
  }

  private static double accuracy(StudyResult result) {
    return result.testAccuracy().orElseThrow(() -> unknown("test accuracy"));
  }

  private static ClaimsException unknown(String what) {
    return new ClaimsException("a study has no " + what);
  }
}
