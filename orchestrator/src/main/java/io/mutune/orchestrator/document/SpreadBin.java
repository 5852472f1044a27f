package io.mutune.orchestrator.document;

import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.score.TargetSpread;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The targets of public test rows of which the model says about the same, in their own unit. A bin
 * without rows has its middle for all figures, so that what a document has in it follows from no
 * model.
 *
 * @param said the mean of what the model says
 * @param low that a tenth of the targets are below
 * @param high that a tenth of the targets are above
 */
public record SpreadBin(
    double from, double to, long rows, double said, double low, double median, double high) {

  static List<SpreadBin> of(TargetSpread spread, TargetRange range) {
    return IntStream.range(0, TargetSpread.BINS)
        .mapToObj(i -> of(i, spread.bins().get(i), range))
        .toList();
  }

  private static SpreadBin of(int i, TargetSpread.Bin bin, TargetRange range) {
    return new SpreadBin(
        range.target(2.0 * i / TargetSpread.BINS - 1),
        range.target(2.0 * (i + 1) / TargetSpread.BINS - 1),
        bin.rows(),
        range.target(bin.said()),
        range.target(bin.low()),
        range.target(bin.median()),
        range.target(bin.high()));
  }
}
