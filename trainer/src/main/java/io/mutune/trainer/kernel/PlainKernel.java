package io.mutune.trainer.kernel;

/** The kernel in plain Java, for machines and JDKs that have no Vector API to offer. */
final class PlainKernel implements BlockKernel {
  /** Logits are added up in so many parts, which do not wait for each other. */
  private static final int PARTS = 4;

  /** Features of a column that are added up before the next column's, a few lines of the cache. */
  private static final int TOGETHER = 64;

  @Override
  public int lanes() {
    return PARTS;
  }

  @Override
  public int scratch() {
    return 0;
  }

  @Override
  public int partOfSums() {
    return TOGETHER;
  }

  @Override
  public void logits(
      float[] x,
      int from,
      int stride,
      int width,
      int blocks,
      float[] w,
      int w0,
      int columns,
      float[] z,
      float[] scratch) {
    for (int i = 0, at = from; i < blocks * ROWS; i++, at += stride) {
      int first = i / ROWS * columns * ROWS + i % ROWS;
      for (int c = 0; c < columns; c++) {
        z[first + c * ROWS] = dot(x, at, w, w0 + c * width, width);
      }
    }
  }

  private static float dot(float[] x, int x0, float[] w, int w0, int width) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    for (int j = 0; j < width; j += PARTS) {
      a += x[x0 + j] * w[w0 + j];
      b += x[x0 + j + 1] * w[w0 + j + 1];
      c += x[x0 + j + 2] * w[w0 + j + 2];
      d += x[x0 + j + 3] * w[w0 + j + 3];
    }
    return a + b + c + d;
  }

  @Override
  public void softmax(float[] z, int from, int classes, float[] low, float[] high, int row) {
    int end = from + classes * ROWS;
    for (int i = 0; i < ROWS; i++) {
      float greatest = Float.NEGATIVE_INFINITY;
      for (int at = from + i; at < end; at += ROWS) {
        z[at] = z[at] * low[row + i] * high[row + i];
        greatest = Math.max(greatest, z[at]);
      }
      double sum = 0;
      for (int at = from + i; at < end; at += ROWS) {
        z[at] = (float) Math.exp(z[at] - greatest);
        sum += z[at];
      }
      for (int at = from + i; at < end; at += ROWS) {
        z[at] /= (float) sum;
      }
    }
  }

  @Override
  public void logistic(float[] z, int from, float[] y, float[] low, float[] high, int row) {
    for (int i = 0; i < ROWS; i++) {
      double logit = z[from + i] * low[row + i] * high[row + i];
      z[from + i] = (float) (y[i] / (1 + Math.exp(-y[i] * logit)));
    }
  }

  @Override
  public void scale(float[] z, int from, int columns, float[] factors) {
    for (int c = 0, at = from; c < columns; c++) {
      for (int i = 0; i < ROWS; i++, at++) {
        z[at] = factors[i] == 0 ? 0 : z[at] * factors[i];
      }
    }
  }

  @Override
  public void addOuter(
      float[] x,
      int from,
      int stride,
      int width,
      int blocks,
      float[] z,
      int columns,
      long[] g,
      int g0,
      double grid,
      float[] scratch) {
    for (int b = 0; b < blocks; b++) {
      for (int part = 0; part < width; part += TOGETHER) {
        int length = Math.min(TOGETHER, width - part);
        for (int c = 0; c < columns; c++) {
          int residuals = (b * columns + c) * ROWS;
          int to = g0 + part * columns + c * length;
          for (int j = part; j < part + length; j++, to++) {
            float sum = 0;
            for (int i = 0, at = from + b * ROWS * stride + j; i < ROWS; i++, at += stride) {
              sum += z[residuals + i] * x[at];
            }
            g[to] += Double.doubleToRawLongBits(sum + grid) - Double.doubleToRawLongBits(grid);
          }
        }
      }
    }
  }
}
