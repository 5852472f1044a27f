package io.mutune.trainer.feature;

/** A map that holds more than a few rows while it is open. */
interface LargeMap extends FeatureMap {
  /**
   * About how many bytes it holds, open for rows of {@code inputs} values.
   *
   * @throws IllegalArgumentException if the map is not made for such rows
   */
  double held(int inputs);

  /** What any map holds, with the rows before and after it. */
  static double bytes(FeatureMap map, int inputs) {
    double rows = (double) Double.BYTES * ((double) inputs + map.outputs(inputs));
    return map instanceof LargeMap large ? rows + large.held(inputs) : rows;
  }
}
