package io.mutune.trainer.feature;

import java.util.List;

/**
 * Feature maps in the order in which they are applied.
 *
 * @param maps none leaves rows as they are read
 */
public record FeaturePipeline(List<FeatureMap> maps) {
  public FeaturePipeline {
    maps = List.copyOf(maps);
  }

  public static FeaturePipeline of(FeatureMap... maps) {
    return new FeaturePipeline(List.of(maps));
  }

  /** Changes one row in place. */
  public void apply(float[] values, int offset, int length) {
    for (FeatureMap map : maps) {
      map.apply(values, offset, length);
    }
  }
}
