package io.mutune.trainer.image;

import io.mutune.trainer.feature.Image;

/**
 * A picture in another size: each value is the mean over the part of the stored picture that it
 * covers. Shares of pixels are whole numbers, so a picture that has the size already keeps its
 * values exactly.
 */
final class AreaMean {
  private static final double RED = 0.299;
  private static final double GREEN = 0.587;
  private static final double BLUE = 0.114;

  private final Image size;
  private final Orientation orientation;

  /** Of the picture as it is stored. */
  private final int height;

  private final int width;

  /** [channels, height, width], each a sum over the stored samples times their shares. */
  private final double[][] sums;

  private final double divisor;

  /** Reads all rows, each once. */
  AreaMean(PixelRows rows, Image size, Orientation orientation) {
    this.size = size;
    this.orientation = orientation;
    this.height = orientation.swapped() ? size.width() : size.height();
    this.width = orientation.swapped() ? size.height() : size.width();
    this.sums = new double[size.channels()][height * width];
    this.divisor = (double) rows.height() * rows.width() * rows.most();
    read(rows);
  }

  private void read(PixelRows rows) {
    double[][] read =
        size.channels() == 1
            ? new double[][] {new double[rows.width()]}
            : new double[][] {rows.red, rows.green, rows.blue};
    double[] line = new double[width];
    long from = rows.height();
    for (int y = 0; y < rows.height(); y++) {
      rows.read(y);
      if (size.channels() == 1) {
        toGrey(rows, read[0]);
      }
      for (int channel = 0; channel < read.length; channel++) {
        shrink(read[channel], line);
        for (int out = first(y, height, from); out < height && out * from < end(y, height); out++) {
          double share = share(y, height, out, from);
          double[] sum = sums[channel];
          for (int x = 0; x < width; x++) {
            sum[out * width + x] += share * line[x];
          }
        }
      }
    }
  }

  private static void toGrey(PixelRows rows, double[] grey) {
    for (int x = 0; x < grey.length; x++) {
      double red = rows.red[x];
      double green = rows.green[x];
      double blue = rows.blue[x];
      // What is grey stays as it is, to the last digit.
      grey[x] = red == green && green == blue ? red : RED * red + GREEN * green + BLUE * blue;
    }
  }

  /** Sums of a stored line over the columns that each new one covers. */
  private void shrink(double[] stored, double[] line) {
    long from = stored.length;
    for (int out = 0; out < width; out++) {
      double sum = 0;
      for (int x = (int) (out * from / width);
          x < from && (long) x * width < (out + 1) * from;
          x++) {
        sum += share(x, width, out, from) * stored[x];
      }
      line[out] = sum;
    }
  }

  /** The first of {@code parts} that the stored line touches. */
  private static int first(int line, int parts, long from) {
    return (int) ((long) line * parts / from);
  }

  private static long end(int line, int parts) {
    return (line + 1L) * parts;
  }

  /** How much of {@code from} · {@code parts} equal pieces both have: line × parts, part × from. */
  private static long share(int line, int parts, int part, long from) {
    long start = Math.max((long) line * parts, part * from);
    return Math.min(end(line, parts), (part + 1) * from) - start;
  }

  /**
   * Writes the picture the right way up.
   *
   * @param values [channels, height, width], from 0 to 1
   */
  void writeTo(float[] values) {
    for (int channel = 0; channel < sums.length; channel++) {
      int offset = channel * height * width;
      for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
          int place = orientation.place(row, column, size.height(), size.width());
          values[offset + place] = (float) (sums[channel][row * width + column] / divisor);
        }
      }
    }
  }
}
