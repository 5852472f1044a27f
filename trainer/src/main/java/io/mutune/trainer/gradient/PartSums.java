package io.mutune.trainer.gradient;

import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.layout.BucketSample;
import io.mutune.trainer.layout.RowLayout;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One step of some trials, to be asked of every {@link RowPart} of the rows, on whichever machine
 * it is. What the parts answer is added up exactly: in any order, and no part twice.
 */
public final class PartSums implements Serializable {
  private static final long serialVersionUID = 1;

  private final List<Asked> asked;

  /**
   * Sums that are asked together.
   *
   * @param step asked as it is when this is written to a stream
   * @param sample which units of each bucket are asked; null for all
   */
  record Asked(Step step, @Nullable BucketSample sample) implements Serializable {
    private long[] of(RowLayout all) {
      RowLayout rows = sample == null ? all : all.sampled(sample);
      BlockSums sums =
          new BlockSums(
              rows,
              Kernels.fastest(),
              KernelResiduals.scales(rows, step.loss(), step.classes()),
              step.loss(),
              step.classes(),
              step.clips().length);
      sums.add(step, 0, rows.blocks());
      return Arrays.copyOf(sums.sums(), sums.length(step));
    }
  }

  PartSums(List<Asked> asked) {
    this.asked = List.copyOf(asked);
  }

  /** What a part adds, in whole numbers: of one sum after the other. */
  public long[] of(RowPart part) {
    if (asked.size() == 1) {
      return asked.get(0).of(part.rows());
    }
    return asked.stream().flatMapToLong(one -> LongStream.of(one.of(part.rows()))).toArray();
  }
}
