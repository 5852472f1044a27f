package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.score.Metric;

/** What runs are compared by, in the words of statements and reports. */
public final class MetricWords {
  /** What accuracy is of real targets: 1 − error over the range's width. */
  public static final String CLOSENESS = "closeness";

  private static final String ONE_LESS = "1 - ";

  private MetricWords() {}

  public static boolean isCloseness(SweepDefinition sweep) {
    return sweep.hasRealTargets() && sweep.metric().equals(Metric.ACCURACY);
  }

  /**
   * Whether what is called so is read in percent: shares of rows, or of pairs of them; a mean of
   * errors or losses is not.
   */
  public static boolean inPercent(String words) {
    return !words.equals(CLOSENESS) && !words.startsWith(ONE_LESS);
  }

  /** The metric. */
  public static String of(SweepDefinition sweep) {
    Metric metric = sweep.metric();
    return switch (metric.kind()) {
      case ACCURACY -> "accuracy";
      case BALANCED_ACCURACY -> "balanced accuracy";
      case MACRO_F1 -> "macro F1";
      case RECALL -> "recall of class " + sweep.data().classNames().get(metric.of());
      case F1 -> "F1 of class " + sweep.data().classNames().get(metric.of());
      case AUC ->
          sweep.classes() == 2
              ? "the area under the ROC curve"
              : "the mean area under the ROC curves of the classes";
      case LOG_LOSS -> ONE_LESS + "log loss / 10 bits";
      case SQUARED_ERROR -> ONE_LESS + "squared error / squared width of the range";
    };
  }

  /**
   * What is counted for it on private rows, for any metric but accuracy.
   *
   * @param rows which these are
   */
  static String counted(SweepDefinition sweep, String rows) {
    Metric metric = sweep.metric();
    return switch (metric.kind()) {
      case ACCURACY -> "a noisy count of correct " + rows;
      case BALANCED_ACCURACY -> "noisy counts by class of correct and of wrong " + rows;
      case MACRO_F1 -> "noisy counts of " + rows + " by their class and by what the model says";
      case RECALL, F1 ->
          "four noisy counts of "
              + rows
              + ", by whether they are of class "
              + sweep.data().classNames().get(metric.of())
              + " and are called so";
      case AUC ->
          "noisy counts of "
              + rows
              + " by bins of how sure the model is of "
              + (sweep.classes() == 2 ? "the second class" : "each class")
              + " and by whether they are of it";
      case LOG_LOSS ->
          "a noisy sum over " + rows + " of 1 - log loss / 10 bits, which is held within 0 and 1";
      case SQUARED_ERROR ->
          "a noisy sum over "
              + rows
              + " of 1 - (prediction - target)^2 / (width of the targets' range)^2, which is from 0"
              + " to 1";
    };
  }
}
