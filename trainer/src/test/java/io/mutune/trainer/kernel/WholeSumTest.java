package io.mutune.trainer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeSumTest {
  /** By 2^-59 of the unit an addend, and 2^-53 of the sum at the end. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-30, 0.3, 1, 1.0000000000000002, 8, 1e30})
  void aSum_isTheExactOne_butForItsStatedRounding(double greatest) {
    SplittableRandom random = new SplittableRandom(1);
    WholeSum sum = new WholeSum(greatest, 1);
    BigDecimal exact = BigDecimal.ZERO;
    for (int i = 0; i < 3000; i++) {
      double value = greatest * random.nextDouble(-1, 1) * Math.scalb(1.0, -random.nextInt(60));
      sum.add(0, value);
      exact = exact.add(new BigDecimal(value));
    }
    double rounded = WholeSum.rounded(greatest, sum.numbers())[0];
    assertThat(rounded)
        .isCloseTo(
            exact.doubleValue(),
            within(3000 * greatest * 0x1p-59 + Math.abs(exact.doubleValue()) * 0x1p-51));
  }

  @Test
  void sumsOfParts_inAnyOrder_areThoseOfAll_bitForBit() {
    double[] values = new SplittableRandom(2).doubles(9999, -0.7, 0.7).toArray();
    WholeSum all = new WholeSum(0.7, 1);
    WholeSum[] parts = {new WholeSum(0.7, 1), new WholeSum(0.7, 1)};
    for (int i = 0; i < values.length; i++) {
      all.add(0, values[i]);
      parts[i % 2].add(0, values[values.length - 1 - i]);
    }
    long[] added = parts[0].numbers();
    for (int i = 0; i < added.length; i++) {
      added[i] += parts[1].numbers()[i];
    }
    assertThat(added).containsExactly(all.numbers());
  }

  /** The greatest addend, and the least that counts. */
  @Test
  void whatAnAddendBecomes_isAMultipleOfTheUnit() {
    WholeSum sum = new WholeSum(1, 3);
    sum.add(0, -1);
    sum.add(1, 0x1p-59);
    sum.add(2, 0x1p-61);
    assertThat(WholeSum.rounded(1, sum.numbers())).containsExactly(-1, 0x1p-59, 0);
  }

  @Test
  void moreThanFits_isNoSum() {
    WholeSum sum = new WholeSum(1, 1);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 40; i++) {
                sum.add(0, Math.scalb(1.0, i));
              }
            })
        .isInstanceOf(ArithmeticException.class);
  }
}
