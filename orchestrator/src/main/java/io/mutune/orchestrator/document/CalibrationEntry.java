package io.mutune.orchestrator.document;

import io.mutune.orchestrator.document.TestDocument.Figure;
import io.mutune.trainer.score.Reliability;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a model's probabilities are frequencies.
 *
 * @param of what the probabilities are of
 * @param error the expected calibration error
 * @param byChance about what that is of so many rows where every probability is right
 * @param bins every one, those without rows too
 */
public record CalibrationEntry(String of, double error, double byChance, List<Bin> bins) {
  /**
   * Rows by the probability that was said of them.
   *
   * <p>A bin without rows has both figures too, so that what a document has in it follows from no
   * model.
   *
   * @param said its mean; the middle of the bin where there are no rows
   * @param came how often the event came true; anything from 0 to 1 where there are no rows
   */
  public record Bin(double from, double to, long rows, double said, Figure came) {}

  static CalibrationEntry of(Reliability reliability, String of) {
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < Reliability.BINS; i++) {
      Reliability.Bin bin = reliability.bins().get(i);
      bins.add(
          new Bin(
              (double) i / Reliability.BINS,
              (i + 1.0) / Reliability.BINS,
              bin.rows(),
              TestDocument.round(bin.rows() == 0 ? (i + 0.5) / Reliability.BINS : bin.said()),
              Figure.of(bin.frequency())));
    }
    return new CalibrationEntry(
        of,
        TestDocument.round(reliability.error()),
        TestDocument.round(reliability.errorByChance()),
        bins);
  }
}
