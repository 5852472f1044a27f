package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.SquaredLoss;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What rounding may hide from the solver, and what is refused for it. */
class RegularisedMinimumTest {
  private static final int ROWS = 1500;

  /** The least τ that passes does, and what is a little below it is refused. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1000})
  void aDistanceThatRoundingMayHide_isRefused(int features) {
    double lambda = 10;
    double enough = 1;
    while (passes(features, lambda, enough / 1.001)) {
      enough /= 1.001;
    }
    // By hand, for n = 2^31, L = 1, K = ¼ and u = 2^-53: the rows, and the last sum.
    double rows = 0x1p31 * (0.25 + 8 * 3 + 2) * 0x1p-53;
    double last = 8 * 0x1p31 * 0x1p-53;
    double least = rows + last;
    assertThat(enough * lambda / 2).isBetween(least, 1.02 * least);
    double refused = enough / 1.01;
    double named = named(minimum(lambda, refused).whyNotProved(features, 0), refused);
    assertThat(named).isBetween(enough / 1.002, enough * 1.002);
    assertThat(passes(features, lambda, named)).isTrue();
    double kept = enough * 1.01;
    assertThat(passes(features, lambda, kept)).isTrue();
    assertThat(minimum(lambda, kept).roundingOfGradient(features, 1e9))
        .isGreaterThan(minimum(lambda, kept).roundingOfGradient(features, 0));
  }

  /** Rules know of no number of rows: neither of the public one, nor of that in the file. */
  @Test
  void whatTheRowsAloneHide_isRefusedBeforeFeaturesAreKnown() {
    assertThat(passes(1, 10, 1.7e-6)).isTrue();
    assertThat(passes(1, 10, 1.6e-6)).isFalse();
    assertThat(named(minimum(10, 1e-15).whyNotProved(1, 0), 1e-15)).isBetween(1.6e-6, 1.7e-6);
  }

  /** At weights so long that a logit's digits are lost before the distance is. */
  @Test
  void whereNoDistanceIsProved_theMessageAsksForAnotherWeightDecay() {
    assertThat(minimum(1e-12, 1).whyNotProved(100_000, 0))
        .hasValue("weightDecay must be larger: rounding may hide any solverDistance");
  }

  /** The least distance that a message asks for. */
  private static double named(Optional<String> why, double was) {
    Matcher message =
        Pattern.compile(
                "solverDistance must be at least (\\S+), below which rounding may hide it; was "
                    + was)
            .matcher(why.orElseThrow());
    assertThat(message.matches()).as(why.get()).isTrue();
    return Double.parseDouble(message.group(1));
  }

  private static RegularisedMinimum minimum(double lambda, double distance) {
    return new RegularisedMinimum(new LogisticLoss(), 2, lambda, distance);
  }

  private static boolean passes(int features, double lambda, double distance) {
    return minimum(lambda, distance).whyNotProved(features, 0).isEmpty();
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
    PrivateRows asRows = new PrivateRows(TestRows.blocks(rows, new int[ROWS]));
    try (ClippedSum sum = Engine.REFERENCE.open(asRows, loss, 2, ClipNorm.of(1e9))) {
      sum.compute(weights, computed);
    }
    double error = 0;
    BigDecimal[] exact = exactSum(rows, weights);
    for (int j = 0; j < features; j++) {
      double off = new BigDecimal(computed[j]).subtract(exact[j]).doubleValue();
      error += off * off;
    }
    // The bound is for 2^31 rows, of which these are few.
    double bound = minimum.roundingOfGradient(features, 0) * ROWS / 0x1p31;
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
