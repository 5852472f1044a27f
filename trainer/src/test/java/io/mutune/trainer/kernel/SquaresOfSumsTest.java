package io.mutune.trainer.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The squares of which the norms of sums of a person's gradients are made. */
class SquaresOfSumsTest {
  private static final int ROWS = BlockKernel.ROWS;

  /** Against the definition, bit for bit, for units of up to a whole block. */
  @ParameterizedTest
  @MethodSource("io.mutune.trainer.kernel.BlockKernelTest#kernels")
  void squaresOfSums_areAddedUpLagByLag_andAScaleOfZeroMakesZeroOfAnything(BlockKernel kernel) {
    SplittableRandom random = new SplittableRandom(7);
    int columns = 3;
    float[] z = new float[5 + columns * ROWS];
    for (int at = 0; at < z.length; at++) {
      z[at] = (float) random.nextDouble(-1, 1);
    }
    z[5 + 4] = Float.NaN;
    z[5 + ROWS + 9] = Float.POSITIVE_INFINITY;
    double[] scales = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      scales[i] = i == 4 || i == 9 ? 0 : Math.scalb(1.0, random.nextInt(-20, 20));
    }
    double[] scaled = new double[(columns + 1) * ROWS];
    kernel.unscale(z, 5, columns, scales, scaled);
    for (int at = 0; at < columns * ROWS; at++) {
      double scale = scales[at % ROWS];
      assertThat(scaled[at]).isEqualTo(scale == 0 ? 0 : scale * z[5 + at]);
    }
    for (int size = 1; size <= ROWS; size++) {
      double[] pairs = new double[size * ROWS];
      for (int lag = 0; lag < size; lag++) {
        for (int i = 0; i + lag < ROWS; i++) {
          pairs[lag * ROWS + i] = random.nextDouble(-1, 1);
        }
      }
      double[] squares = new double[ROWS];
      kernel.squaresOfSums(scaled, columns, pairs, squares);
      for (int i = 0; i < ROWS; i++) {
        double square = 0;
        for (int lag = 0; lag < size && i + lag < ROWS; lag++) {
          double product = 0;
          for (int c = 0; c < columns; c++) {
            product += scaled[c * ROWS + i] * scaled[c * ROWS + i + lag];
          }
          square += pairs[lag * ROWS + i] * product;
        }
        assertThat(squares[i]).isEqualTo(square);
      }
    }
  }
}
