package io.mutune.trainer.feature;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Histograms of oriented gradients (Dalal and Triggs, CVPR 2005). Central differences [−1, 0, 1], 0
 * at the border; of several channels each pixel takes the strongest gradient. Each pixel votes with
 * its gradient's length for the two nearest of the orientations from 0 to 180 degrees, in its cell.
 * Blocks of cells overlap by all but one cell, and each is scaled to L2 norm 1, cut at 0.2 and
 * scaled again (L2-Hys). All from the row itself.
 *
 * @param image how a row is an image
 * @param cell side of a cell in pixels; pixels beyond the last whole cell do not vote
 * @param orientations from 2 to 36
 * @param block side of a block in cells
 */
public record Hog(Image image, int cell, int orientations, int block) implements FeatureMap {
  static final FeatureType TYPE =
      new FeatureType(
          "hog",
          Image.settings(
              List.of(
                  FeatureType.whole("cell", 1, Image.MAX_SIDE).usually(4.0),
                  FeatureType.whole("orientations", 2, Hog.MAX_ORIENTATIONS).usually(9.0),
                  FeatureType.whole("block", 1, Image.MAX_SIDE).usually(2.0))),
          read ->
              new Hog(
                  Image.of(read),
                  read.count("cell"),
                  read.count("orientations"),
                  read.count("block")));

  private static final int MAX_ORIENTATIONS = 36;

  /** No component of a block may be more than this of its norm, so that one edge does not rule. */
  private static final double CUT = 0.2;

  /** Keeps a flat block from being divided by 0; small against gradients of values in [0, 1]. */
  private static final double EPSILON = 1e-3;

  public Hog {
    if (orientations < 2 || orientations > MAX_ORIENTATIONS || cell < 1 || block < 1) {
      throw new IllegalArgumentException(
          "hog needs cells and blocks of at least 1 and 2 to %d orientations; had %d, %d and %d"
              .formatted(MAX_ORIENTATIONS, cell, block, orientations));
    }
    if (image.height() / cell < block || image.width() / cell < block) {
      throw new IllegalArgumentException("hog: the image is smaller than one block of cells");
    }
  }

  private int cellRows() {
    return image.height() / cell;
  }

  private int cellColumns() {
    return image.width() / cell;
  }

  @Override
  public int outputs(int inputs) {
    image.requireSize(TYPE.name(), inputs);
    long blocks = (cellRows() - block + 1L) * (cellColumns() - block + 1L);
    return FeatureMap.outputs(TYPE.name(), (double) blocks * block * block * orientations);
  }

  @Override
  public RowMap open(int inputs) {
    image.requireSize(TYPE.name(), inputs);
    double[] cells = new double[cellRows() * cellColumns() * orientations];
    double[] one = new double[block * block * orientations];
    return (in, inOffset, out, outOffset) -> {
      vote(in, inOffset, cells);
      int at = outOffset;
      for (int row = 0; row + block <= cellRows(); row++) {
        for (int column = 0; column + block <= cellColumns(); column++) {
          gather(cells, row, column, one);
          normalize(one);
          for (double value : one) {
            out[at++] = (float) value;
          }
        }
      }
    };
  }

  private void vote(float[] in, int offset, double[] cells) {
    Arrays.fill(cells, 0);
    int plane = image.height() * image.width();
    for (int y = 0; y < cellRows() * cell; y++) {
      for (int x = 0; x < cellColumns() * cell; x++) {
        double dx = 0;
        double dy = 0;
        double length = -1;
        for (int c = 0; c < image.channels(); c++) {
          int start = offset + c * plane;
          double cx = x == 0 || x == image.width() - 1 ? 0 : difference(in, start, y, x, 1, 0);
          double cy = y == 0 || y == image.height() - 1 ? 0 : difference(in, start, y, x, 0, 1);
          double strength = Math.hypot(cx, cy);
          if (strength > length) {
            length = strength;
            dx = cx;
            dy = cy;
          }
        }
        if (length > 0) {
          int first = (y / cell * cellColumns() + x / cell) * orientations;
          share(cells, first, dx, dy, length);
        }
      }
    }
  }

  private double difference(float[] in, int start, int y, int x, int right, int down) {
    int width = image.width();
    return (double) in[start + (y + down) * width + x + right]
        - in[start + (y - down) * width + x - right];
  }

  /** Bin b is about the angle (b + ½)·180°/orientations; bins are in a circle. */
  private void share(double[] cells, int first, double dx, double dy, double length) {
    double angle = Math.atan2(dy, dx) / Math.PI;
    double place = (angle < 0 ? angle + 1 : angle) * orientations - 0.5;
    double floor = Math.floor(place);
    double upper = place - floor;
    int bin = Math.floorMod((int) floor, orientations);
    cells[first + bin] += length * (1 - upper);
    cells[first + (bin + 1) % orientations] += length * upper;
  }

  private void gather(double[] cells, int row, int column, double[] one) {
    int part = block * orientations;
    for (int r = 0; r < block; r++) {
      int from = ((row + r) * cellColumns() + column) * orientations;
      System.arraycopy(cells, from, one, r * part, part);
    }
  }

  private static void normalize(double[] one) {
    divideByNorm(one);
    for (int i = 0; i < one.length; i++) {
      one[i] = Math.min(CUT, one[i]);
    }
    divideByNorm(one);
  }

  private static void divideByNorm(double[] one) {
    double squares = EPSILON * EPSILON;
    for (double value : one) {
      squares += value * value;
    }
    double norm = Math.sqrt(squares);
    for (int i = 0; i < one.length; i++) {
      one[i] /= norm;
    }
  }

  @Override
  public String name() {
    return TYPE.name();
  }

  @Override
  public Map<String, Double> parameters() {
    return TYPE.write(image.height(), image.width(), image.channels(), cell, orientations, block);
  }
}
