package io.mutune.trainer.data;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.file.FileContent;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.NpyFile;
import io.mutune.trainer.format.RowRange;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A data set that the sweep's author declares public: read when it is first asked for, and kept.
 */
public final class PublicData {
  private final DataSpec spec;
  private final FeaturePipeline features;
  private final FeaturePipeline then;
  private final @Nullable FeatureCache cache;
  private final UnfitRows unfit;
  private @Nullable PublicRows rows;

  public PublicData(DataSpec spec, FeaturePipeline features) {
    this(spec, features, FeaturePipeline.of(), null);
  }

  /**
   * @param then maps after those, whose images are not kept, since they are another study's others
   * @param cache where computed features are kept; null to compute them anew in each process
   */
  public PublicData(
      DataSpec spec, FeaturePipeline features, FeaturePipeline then, @Nullable FeatureCache cache) {
    this(spec, features, then, cache, UnfitRows.REFUSED);
  }

  private PublicData(
      DataSpec spec,
      FeaturePipeline features,
      FeaturePipeline then,
      @Nullable FeatureCache cache,
      UnfitRows unfit) {
    this.unfit = unfit;
    this.then = then;
    this.spec = spec;
    this.features = features;
    this.cache = cache;
  }

  /** The same, where somebody hears of each row that is encoded or decoded. */
  public PublicData heardBy(RowListener listener) {
    return new PublicData(spec, features, then, cache, unfit.heardBy(listener));
  }

  /**
   * The rows, at least one, and all of the range where there is one.
   *
   * @throws DataFormatException if a file is not what its description says; the next call reads it
   *     again
   */
  public synchronized PublicRows rows() throws IOException {
    if (rows == null) {
      // A range may stand in a file with protected rows, whose number decides nothing.
      RowRange range = spec.range();
      RowStorage storage = RowStorage.of(range == null ? count() : range.size());
      RowBlocks all = FeatureCache.read(cache, spec, features, storage, unfit);
      rows = new PublicRows(checked(all).mapped(then));
    }
    return rows;
  }

  /** How many rows its files say they have, where that decides anything. */
  private long count() throws IOException {
    long count = 0;
    if (spec.format() == DataFormat.NPY) {
      spec.checkReadable();
      for (DataSpec.Part part : spec.parts()) {
        try (NpyFile file = NpyFile.open(part.file())) {
          count += file.records();
        }
      }
    }
    return count;
  }

  private RowBlocks checked(RowBlocks blocks) throws DataFormatException {
    RowRange range = spec.range();
    if (range != null && blocks.rows() < range.size()) {
      throw DataFormatException.in(spec.file(), "ends before the last of the rows " + range);
    }
    if (blocks.rows() == 0) {
      throw DataFormatException.in(spec.file(), "has no rows");
    }
    return blocks;
  }

  /** Returns the SHA-256 of a file or folder whose rows are all public: it is known again by it. */
  public static String digest(Path file) throws IOException {
    return FileContent.sha256(file);
  }

  @Override
  public String toString() {
    return "PublicData[" + spec.file().getFileName() + "]";
  }
}
