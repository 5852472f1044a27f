package io.mutune.orchestrator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairedDifferenceTest {
  private static Sample sample(Double... values) {
    return new Sample(List.of(values));
  }

  /** Differences of 0.1, 0.2 and 0.3: a deviation of 0.1, over √3. */
  @Test
  void whatAllRepeatsShare_isNoError() {
    PairedDifference difference =
        PairedDifference.of(sample(0.2, 0.5, 0.9), sample(0.1, 0.3, 0.6)).orElseThrow();

    assertThat(difference.value()).isEqualTo(0.2, within(1e-12));
    assertThat(difference.standardError()).isEqualTo(0.1 / Math.sqrt(3), within(1e-12));
  }

  @Test
  void oneRepeat_saysNothingOfItsError() {
    assertThat(PairedDifference.of(sample(0.2), sample(0.1))).isEmpty();
  }

  @Test
  void otherRepeats_areNoPairs() {
    Sample two = sample(0.2, 0.3);
    assertThatThrownBy(() -> PairedDifference.of(two, sample(0.1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
