package io.mutune.trainer.gradient;

import io.mutune.trainer.data.ClusterRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.file.ScratchFile;
import io.mutune.trainer.layout.RowLayout;
import io.mutune.trainer.noise.RowBuckets;

/**
 * Puts the rows of whole buckets in order where they are.
 *
 * @param lanes of the kernel that will read them
 */
record PartLayout(RowBuckets buckets, int lanes) implements ClusterRows.Making<RowPart> {
  @Override
  public RowPart of(RowBlocks rows) {
    return new RowPart(RowLayout.of(rows, buckets, lanes, ScratchFile.usualFolder()));
  }
}
