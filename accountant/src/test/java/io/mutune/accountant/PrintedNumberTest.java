package io.mutune.accountant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintedNumberTest {
  @Property
  void printedUp_readsBackAtLeastAsLargeAndPrintedDownAtMost(
      @ForAll @DoubleRange(min = 1, max = 10) double mantissa,
      @ForAll @IntRange(min = -300, max = 300) int exponent,
      @ForAll @IntRange(min = 1, max = 17) int digits) {
    double value = mantissa / 3 * Math.pow(10, exponent);
    double up = Double.parseDouble(PrintedNumber.up(value, digits));
    double down = Double.parseDouble(PrintedNumber.down(value, digits));
    assertThat(up).isGreaterThanOrEqualTo(value);
    assertThat(down).isLessThanOrEqualTo(value);
    double unit = value * Math.pow(10, 1 - digits);
    assertThat(up - down).isLessThanOrEqualTo(unit + 2 * Math.ulp(value));
  }

  @ParameterizedTest
  @CsvSource({
    "0.99633861, 0.996339, 0.996338",
    "0.1, 0.1, 0.1",
    "1, 1, 1",
    "0, 0, 0",
    "2437.8543767, 2437.86, 2437.85",
    "-2437.8543767, -2437.85, -2437.86",
    "0.9999999, 1, 0.999999",
  })
  void sixDigits_areEnoughForPeople(double value, String up, String down) {
    assertThat(PrintedNumber.up(value, 6)).isEqualTo(up);
    assertThat(PrintedNumber.down(value, 6)).isEqualTo(down);
  }

  @ParameterizedTest
  @CsvSource({
    "0.0001, 0.0001",
    "0.00009, 9e-5",
    "0.00001, 1e-5",
    "1.23456789e-7, 1.23457e-7",
    "123456.1, 123457",
    "900000, 900000",
    "999999.5, 1e6",
    "1000000, 1e6",
    "-1234567, -1.23456e6",
  })
  void onlyNumbersOfEverydaySize_arePlain(double value, String up) {
    assertThat(PrintedNumber.up(value, 6)).isEqualTo(up);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void whatIsNoNumber_isNotPrinted(double value) {
    assertThatIllegalArgumentException().isThrownBy(() -> PrintedNumber.up(value, 6));
  }

  @Test
  void aNumberWithoutDigits_isNotPrinted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrintedNumber.down(1.5, 0))
        .withMessageContaining("was 0");
  }
}
