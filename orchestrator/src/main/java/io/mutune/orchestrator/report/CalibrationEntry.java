package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.TestDocument.Figure;
import io.mutune.trainer.score.Reliability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether a model's probabilities are frequencies.
 *
 * @param of what the probabilities are of
 * @param error the expected calibration error
 * @param byChance about what that is of so many rows where every probability is right
 * @param bins every one, those without rows too
 */
record CalibrationEntry(String of, double error, double byChance, List<Bin> bins) {
  /**
   * Rows by the probability that was said of them.
   *
   * @param said its mean; absent without rows, like {@code came}
   * @param came how often the event came true
   */
  record Bin(double from, double to, long rows, OptionalDouble said, Optional<Figure> came) {}

  static CalibrationEntry of(Reliability reliability, String of) {
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < Reliability.BINS; i++) {
      Reliability.Bin bin = reliability.bins().get(i);
      bins.add(
          new Bin(
              (double) i / Reliability.BINS,
              (i + 1.0) / Reliability.BINS,
              bin.rows(),
              bin.rows() == 0
                  ? OptionalDouble.empty()
                  : OptionalDouble.of(TestDocument.round(bin.said())),
              bin.rows() == 0 ? Optional.empty() : Optional.of(Figure.of(bin.frequency()))));
    }
    return new CalibrationEntry(
        of,
        TestDocument.round(reliability.error()),
        TestDocument.round(reliability.errorByChance()),
        bins);
  }
}
