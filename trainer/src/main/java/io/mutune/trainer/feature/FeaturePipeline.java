package io.mutune.trainer.feature;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Feature maps in the order in which they are applied.
 *
 * @param maps none leaves rows as they are read
 */
public record FeaturePipeline(List<FeatureMap> maps) implements Serializable {
  public FeaturePipeline {
    maps = List.copyOf(maps);
  }

  public static FeaturePipeline of(FeatureMap... maps) {
    return new FeaturePipeline(List.of(maps));
  }

  /**
   * How many features a row of {@code inputs} values ends up with.
   *
   * @throws IllegalArgumentException if a map is not made for what the ones before it give
   */
  public int outputs(int inputs) {
    int width = inputs;
    for (FeatureMap map : maps) {
      width = map.outputs(width);
    }
    return width;
  }

  /** Finds the mean of public rows. */
  @FunctionalInterface
  public interface PublicMeans {
    /**
     * The mean of their images, one value a feature.
     *
     * @param before what they go through
     */
    double[] of(FeaturePipeline before) throws IOException;
  }

  /** Whether a map waits for the mean of public rows. */
  public boolean needsMeans() {
    return maps.stream().anyMatch(FeaturePipeline::needsMean);
  }

  private static boolean needsMean(FeatureMap map) {
    return map instanceof PublicMean
        || (map instanceof OnPositions some && some.map() instanceof PublicMean);
  }

  /** The maps before the first that waits for the mean of public rows. */
  public FeaturePipeline beforeMeans() {
    return new FeaturePipeline(maps.stream().takeWhile(map -> !needsMean(map)).toList());
  }

  /** The same with these means in their places. */
  public FeaturePipeline withMeans(PublicMeans means) throws IOException {
    List<FeatureMap> known = new ArrayList<>();
    for (FeatureMap map : maps) {
      if (needsMean(map)) {
        double[] mean = means.of(new FeaturePipeline(known));
        known.add(
            map instanceof OnPositions some
                ? new OnPositions(
                    Centre.ofPublic(some.positions().stream().mapToDouble(i -> mean[i]).toArray()),
                    some.positions())
                : Centre.ofPublic(mean));
      } else {
        known.add(map);
      }
    }
    return new FeaturePipeline(known);
  }

  /**
   * Takes down what all of them compute of a row of {@code inputs} values.
   *
   * @throws InexpressibleException if one cannot be
   */
  public void describe(int inputs, RowSteps to) {
    int width = inputs;
    for (FeatureMap map : maps) {
      map.describe(width, to);
      to.round();
      width = map.outputs(width);
    }
  }

  /** Whether every map leaves rows of any width as wide as they are. */
  public boolean keepsWidth() {
    return maps.stream().allMatch(InPlaceMap.class::isInstance);
  }

  /**
   * About how many bytes all of them take, open for rows of {@code inputs} values. Each thread has
   * its own, and how many threads map rows follows from how many rows there are.
   *
   * @throws IllegalArgumentException as {@link #outputs}
   */
  public double bytes(int inputs) {
    double bytes = 0;
    int width = inputs;
    for (FeatureMap map : maps) {
      bytes += map.bytes(width);
      width = map.outputs(width);
    }
    return bytes;
  }

  /**
   * Maps a row of zeros, so that maps that fail whatever the row is do so before any row is read.
   *
   * @throws IllegalArgumentException as {@link #outputs}
   */
  public void tryOut(int inputs) {
    open(inputs).apply(new float[inputs], 0, new float[outputs(inputs)], 0);
  }

  /**
   * All the maps, one after the other, for rows of {@code inputs} values. Another one for each
   * thread.
   *
   * @throws IllegalArgumentException as {@link #outputs}
   */
  public RowMap open(int inputs) {
    List<RowMap> steps = new ArrayList<>();
    List<float[]> between = new ArrayList<>();
    int width = inputs;
    for (FeatureMap map : maps) {
      steps.add(map.open(width));
      width = map.outputs(width);
      between.add(new float[width]);
    }
    if (steps.isEmpty()) {
      return (in, inOffset, out, outOffset) ->
          System.arraycopy(in, inOffset, out, outOffset, inputs);
    }
    int last = steps.size() - 1;
    return (in, inOffset, out, outOffset) -> {
      float[] row = in;
      int offset = inOffset;
      for (int i = 0; i < last; i++) {
        steps.get(i).apply(row, offset, between.get(i), 0);
        row = between.get(i);
        offset = 0;
      }
      steps.get(last).apply(row, offset, out, outOffset);
    };
  }
}
