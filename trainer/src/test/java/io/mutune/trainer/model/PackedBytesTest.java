package io.mutune.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedBytesTest {
  @Property
  void bytes_areTheSameAgain(@ForAll byte[] bytes, @ForAll @IntRange(min = 1) int head) {
    double[] numbers = PackedBytes.numbers(head, bytes);
    assertThat(PackedBytes.bytes(numbers)).isEqualTo(bytes);
    assertThat(PackedBytes.head(numbers)).isEqualTo(head);
    // What any store of numbers keeps: whole ones below 2^48.
    assertThat(numbers).doesNotContain(Double.NaN);
    for (double number : numbers) {
      assertThat(number).isEqualTo(Math.rint(number)).isBetween(0.0, 0x1p48);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0.5, 7, Double.NaN, 1e300})
  void numbersOfNoBytes_areRefused(double length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PackedBytes.bytes(new double[] {length, 1, 2}));
  }
}
