package io.mutune.orchestrator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorReductionTest {
  private static Sample of(double... values) {
    return new Sample(Arrays.stream(values).boxed().toList());
  }

  @Test
  void theValue_isThePapersRatioOfMeans() {
    ErrorReduction reduction = new ErrorReduction(of(0.6, 0.8), of(0.9, 0.9), 1);

    // (0.85 − 0.7)/(0.9 − 0.7), to a few roundings.
    assertThat(reduction.of(of(0.8, 0.9)).orElseThrow().value()).isCloseTo(0.75, within(1e-12));
  }

  @Test
  void anOracleThatIsNoBetter_leavesNoError() {
    assertThat(new ErrorReduction(of(0.9), of(0.9), 1).of(of(0.9))).isEmpty();
  }

  @Test
  void theInterval_holdsTheValue_andRepeats() {
    ErrorReduction reduction =
        new ErrorReduction(of(0.5, 0.7, 0.6, 0.65), of(0.9, 0.91, 0.89, 0.9), 7);
    Interval95 interval = reduction.of(of(0.85, 0.8, 0.88, 0.84)).orElseThrow();

    assertThat(interval.value()).isBetween(interval.low(), interval.high());
    assertThat(interval.low()).isLessThan(interval.high());
    assertThat(reduction.of(of(0.85, 0.8, 0.88, 0.84)).orElseThrow()).isEqualTo(interval);
  }

  @Test
  void withoutSpread_theIntervalIsTheValue() {
    Interval95 interval =
        new ErrorReduction(of(0.5, 0.5), of(1, 1), 3).of(of(0.75, 0.75)).orElseThrow();

    assertThat(List.of(interval.low(), interval.high())).containsOnly(0.5);
  }
}
