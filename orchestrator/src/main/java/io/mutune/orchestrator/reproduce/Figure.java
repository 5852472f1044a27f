package io.mutune.orchestrator.reproduce;

import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.TargetMetrics;
import io.mutune.trainer.score.TestMetrics;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** What a claim is about, and which way is better. */
public enum Figure {
  /** The share of test rows that the model calls right. */
  ACCURACY("accuracy", true),
  /** The share that it does not. */
  ERROR("error", false),
  /** The mean recall of the classes. */
  BALANCED_ACCURACY("balanced-accuracy", true),
  /** The area under the curve of a threshold on the loss that tells private rows from test rows. */
  MEMBERSHIP("membership", false),
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

  /**
   * That of a model on public test rows.
   *
   * @param membership the area under the curve of the attack on the model
   */
  double of(Optional<TestMetrics> test, Membership membership) throws IOException {
    return switch (this) {
      case ACCURACY -> classes(test).accuracy().value();
      case ERROR -> 1 - classes(test).accuracy().value();
      case BALANCED_ACCURACY -> classes(test).balancedAccuracy();
      case MEMBERSHIP -> membership.area();
      case SQUARED_ERROR ->
          test.filter(TargetMetrics.class::isInstance)
              .map(metrics -> ((TargetMetrics) metrics).square())
              .orElseThrow(() -> unknown("squared error of real targets"));
      case ERROR_REDUCTION -> throw unknown("error reduction: that is of a comparison");
    };
  }

  /** An attack that tells private rows from test rows, run where it is the figure. */
  interface Membership {
    double area() throws IOException;
  }

  private static ClassMetrics classes(Optional<TestMetrics> test) {
    return test.filter(ClassMetrics.class::isInstance)
        .map(ClassMetrics.class::cast)
        .orElseThrow(() -> unknown("test accuracy"));
  }

  private static ClaimsException unknown(String what) {
    return new ClaimsException("a study has no " + what);
  }
}
