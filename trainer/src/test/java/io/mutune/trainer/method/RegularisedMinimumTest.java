package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LogisticLoss;
import io.mutune.trainer.model.Problem;
import io.mutune.trainer.model.SquaredLoss;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What rounding may hide from the solver, and what is refused for it. */
class RegularisedMinimumTest {
  private static final int ROWS = 1500;

  /** The least τ that passes does, and what is a little below it is refused, by either rule. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1_000_000})
  void aDistanceThatRoundingMayHide_isRefused(int features) {
    long rows = 100_000;
    double lambda = 10;
    double enough = 1;
    while (passes(rows, features, lambda, enough / 1.001)) {
      enough /= 1.001;
    }
    // By hand, L = 1, κ = ¼, u = 2^-53: 4N²u beside 2N·u·d·(2N/Λ)/4, and little else.
    double sums = 4 * 1e10 * 0x1p-53;
    double logits = 2e5 * 0x1p-53 * features * (2e5 / lambda) / 4;
    assertThat(enough * lambda / 2).isBetween(sums + logits, 1.02 * (sums + logits));
    double refused = enough / 1.01;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> minimum(lambda, refused).provedFor(rows, features, 0))
        .withMessageContaining("distance to the minimum of so many rows and features");
    // A linear term takes the minimum further out, where logits are longer.
    double kept = enough * 1.01;
    assertThatCode(() -> minimum(lambda, kept).provedFor(rows, features, 0))
        .doesNotThrowAnyException();
    assertThat(minimum(lambda, kept).roundingOfGradient(rows, features, 1e9))
        .isGreaterThan(minimum(lambda, kept).roundingOfGradient(rows, features, 0));
  }

  @Test
  void theSumsAlone_areRefusedBeforeFeaturesAreKnown() {
    // Λτ = 2^-50 N²L: 8.88e-6 for N = 1e5.
    assertThatCode(() -> minimum(10, 8.9e-7).provedFor(100_000)).doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> minimum(10, 8.8e-7).provedFor(100_000))
        .withMessageContaining("distance to the minimum of so many rows");
  }

  private static RegularisedMinimum minimum(double lambda, double distance) {
    return new RegularisedMinimum(new LogisticLoss(), 2, lambda, distance);
  }

  private static boolean passes(long rows, int features, double lambda, double distance) {
    try {
      minimum(lambda, distance).provedFor(rows, features, 0);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Of the squared loss, whose gradient decimals have exactly. Weights are as long as the bound
   * takes them to be; rows are alike, so that neither logits nor sums cancel.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 60})
  void aGradientInDouble_isWithinTheBoundOfTheExactOne(int features) {
    SquaredLoss loss = new SquaredLoss(2, false);
    double lambda = 100;
    double distance = 1e-3;
    long publicRows = ROWS / 2;
    double slope = Smoothness.of(loss, 2).lipschitz();
    RegularisedMinimum minimum = new RegularisedMinimum(loss, 2, lambda, distance);
    double length = ROWS * slope / lambda + distance;
    SplittableRandom random = new SplittableRandom(6);
    float[][] rows = new float[ROWS][features];
    for (float[] row : rows) {
      for (int j = 0; j < features; j++) {
        row[j] = (float) ((0.5 + random.nextDouble() / 2) / Math.sqrt(features));
      }
    }
    double[] weights = new double[features];
    for (int j = 0; j < features; j++) {
      weights[j] = (0.01 + random.nextDouble() / 100) * length / Math.sqrt(features);
    }
    double[] computed = new double[features];
    PrivateRows asRows = new PrivateRows(Problem.blocks(rows, new int[ROWS]));
    try (ClippedSum sum = Engine.REFERENCE.open(asRows, loss, 2, ClipNorm.of(1e9))) {
      sum.compute(weights, computed);
    }
    double error = 0;
    BigDecimal[] exact = exactSum(rows, weights);
    for (int j = 0; j < features; j++) {
      double off = new BigDecimal(computed[j]).subtract(exact[j]).doubleValue();
      error += off * off;
    }
    double bound = minimum.roundingOfGradient(publicRows, features, 0);
    // Roundings are of either sign: the bound is not reached, but is not out of sight.
    assertThat(Math.sqrt(error)).isPositive().isLessThan(bound).isGreaterThan(bound * 1e-5);
  }

  /** Class 0 has the target −1; predictions are held within ±2. */
  private static BigDecimal[] exactSum(float[][] rows, double[] weights) {
    BigDecimal[] sum = new BigDecimal[weights.length];
    Arrays.fill(sum, BigDecimal.ZERO);
    for (float[] row : rows) {
      BigDecimal logit = BigDecimal.ZERO;
      for (int j = 0; j < weights.length; j++) {
        logit = logit.add(new BigDecimal(row[j]).multiply(new BigDecimal(weights[j])));
      }
      assertThat(logit.doubleValue()).isBetween(-2.0, 2.0);
      BigDecimal residual = logit.add(BigDecimal.ONE);
      for (int j = 0; j < weights.length; j++) {
        sum[j] = sum[j].add(residual.multiply(new BigDecimal(row[j])));
      }
    }
    return sum;
  }
}
