package io.mutune.orchestrator.reproduce;

import io.mutune.trainer.score.ClassMetrics;
import io.mutune.trainer.score.TargetMetrics;
import io.mutune.trainer.score.TestMetrics;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** What a claim is about, and which way is better. */
public enum ClaimedMetric {
  /** The share of test rows that the model calls right. */
  ACCURACY("accuracy", true),
  /** The share that it does not. */
  ERROR("error", false),
  /** The mean recall of the classes. */
  BALANCED_ACCURACY("balanced-accuracy", true),
  /** The area under the curve of a threshold on the loss that tells private rows from test rows. */
  MEMBERSHIP("membership", false),
  /** The mean of −ln p(class of the row) over the test rows, in nats. */
  LOG_LOSS("log-loss", false),
  /**
   * Of the ε that each private row has cost, the one in the middle: the nearer it is to that of
   * all, the less of the budget lies idle.
   */
  ROW_EPSILON("row-epsilon", true),
  /** The mean squared error of targets that stand from −1 to 1. */
  SQUARED_ERROR("squared-error", false),
  /** The relative error reduction of a strategy; of a comparison alone. */
  ERROR_REDUCTION("error-reduction", true);

  private final String key;
  private final boolean moreIsBetter;

  ClaimedMetric(String key, boolean moreIsBetter) {
    this.key = key;
    this.moreIsBetter = moreIsBetter;
  }

  /** Its name in files of claims. */
  public String key() {
    return key;
  }

  /** Whether it is a share, which people read in percent. */
  public boolean isShare() {
    return this != SQUARED_ERROR && this != LOG_LOSS && this != ROW_EPSILON;
  }

  boolean moreIsBetter() {
    return moreIsBetter;
  }

  /** The one of this name. */
  public static Optional<ClaimedMetric> ofKey(String key) {
    return Arrays.stream(values()).filter(figure -> figure.key.equals(key)).findFirst();
  }

  /**
   * That of a model on public test rows.
   *
   * @param rows what the private rows tell
   */
  double of(Optional<TestMetrics> test, OpenRows rows) throws IOException {
    return switch (this) {
      case ACCURACY -> classes(test).accuracy().value();
      case ERROR -> 1 - classes(test).accuracy().value();
      case BALANCED_ACCURACY -> classes(test).balancedAccuracy();
      case MEMBERSHIP -> rows.membership();
      case LOG_LOSS ->
          classes(test)
              .probabilities()
              .orElseThrow(() -> unknown("log loss: its loss knows no probabilities"))
              .logLoss()
              .value();
      case ROW_EPSILON -> rows.middleEpsilon();
      case SQUARED_ERROR ->
          test.filter(TargetMetrics.class::isInstance)
              .map(metrics -> ((TargetMetrics) metrics).square())
              .orElseThrow(() -> unknown("squared error of real targets"));
      case ERROR_REDUCTION -> throw unknown("error reduction: that is of a comparison");
    };
  }

  /** Figures of private rows, which are declared open: made where they are asked for. */
  interface OpenRows {
    /** The area under the curve of an attack that tells them from test rows. */
    double membership() throws IOException;

    /** Of the ε that each has cost, the one in the middle. */
    double middleEpsilon() throws IOException;
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
