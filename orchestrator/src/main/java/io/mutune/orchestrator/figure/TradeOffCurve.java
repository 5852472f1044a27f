package io.mutune.orchestrator.figure;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.PrivacyProfile.Errors;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import java.util.List;

/**
 * The trade-off curve: the least rate of missed detections that a test for one row's presence can
 * have at each rate of false alarms (Dong, Roth and Su 2022, Definition 2.1). A line below the true
 * curve, and on it for Gaussian releases.
 */
public final class TradeOffCurve {
  private TradeOffCurve() {}

  /**
   * What such a test tries to tell.
   *
   * @param one what is protected, in a word
   */
  public static String title(Adjacency adjacency, String one) {
    return switch (adjacency) {
      case ADD_REMOVE -> "Telling whether a " + one + " took part";
      case REPLACE_ONE -> "Telling which " + one + " of two took part";
    };
  }

  /**
   * The curve beside that of guessing.
   *
   * @param name what it is the curve of
   */
  public static Plot.Xy plot(String name, List<Errors> curve) {
    return new Plot.Xy(
        Axis.upTo("false alarms (type I error)", 1).inPercent(),
        Axis.upTo("missed, at least (type II error)", 1).inPercent(),
        List.of(
            new Series(
                name,
                Mark.SOLID,
                curve.stream().map(point -> Dot.at(point.falseAlarms(), point.misses())).toList()),
            new Series("guessing", Mark.DASHED, List.of(Dot.at(0, 1), Dot.at(1, 0)))));
  }
}
