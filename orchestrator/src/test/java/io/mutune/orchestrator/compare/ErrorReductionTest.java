package io.mutune.orchestrator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.compare.StrategyComparison.Interval95;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorReductionTest {
  private static Sample of(double... values) {
    return new Sample(Arrays.stream(values).boxed().toList());
  }

  @Test
  void theValue_isThePapersRatioOfMeans() {
    ErrorReduction reduction = new ErrorReduction(of(0.6, 0.8), of(0.9, 0.9));

    // (0.85 − 0.7)/(0.9 − 0.7), to a few roundings.
    assertThat(reduction.of(of(0.8, 0.9)).orElseThrow().value()).isCloseTo(0.75, within(1e-12));
  }

  @Test
  void anOracleThatIsNoBetter_leavesNoError() {
    assertThat(new ErrorReduction(of(0.9), of(0.9)).of(of(0.9))).isEmpty();
  }

  /** With a fixed oracle and a fixed random search it is Student's for a mean, scaled. */
  @Test
  void oneSpreadAlone_hasStudentsInterval() {
    Interval95 interval =
        new ErrorReduction(of(0.5, 0.5, 0.5), of(0.9, 0.9, 0.9))
            .of(of(0.7, 0.8, 0.9))
            .orElseThrow();

    // t of 2 degrees of freedom is 4.302653, from any table; the ends have its digits.
    double half = 4.302653 * 0.1 / Math.sqrt(3) / 0.4;
    assertThat(interval.low()).hasValueCloseTo(0.75 - half, within(1e-6));
    assertThat(interval.high()).hasValueCloseTo(0.75 + half, within(1e-6));
  }

  @Test
  void oneRepeat_boundsNothing() {
    Interval95 interval = new ErrorReduction(of(0.5), of(0.9)).of(of(0.8)).orElseThrow();

    assertThat(interval.low()).isEmpty();
    assertThat(interval.high()).isEmpty();
  }

  @Test
  void anOracleThatIsNotToldFromRandomSearch_boundsNothing() {
    Interval95 interval =
        new ErrorReduction(of(0.5, 0.9), of(0.6, 0.95)).of(of(0.8, 0.8)).orElseThrow();

    assertThat(interval.low()).isEmpty();
    assertThat(interval.high()).isEmpty();
  }

  @Test
  void withoutSpread_theIntervalIsTheValue() {
    assertThat(new ErrorReduction(of(0.5, 0.5), of(1, 1)).of(of(0.75, 0.75)))
        .hasValue(Interval95.of(0.5, 0.5, 0.5));
  }

  /**
   * How often 95% intervals hold the true ratio, by 4000 comparisons of normal accuracies: no fewer
   * than 95%, and where one of three spreads counts alone no more either. The standard deviation of
   * such a share is at most 0.00345, so seven of them, 0.0242, are passed by chance less than once
   * in 1e11; the generator is the JDK's, with a seed.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 0.02, 0.02, 0.02, 1",
    "2, 0.1, 0.001, 0.001, 0.951",
    "3, 0.1, 0.001, 0.001, 0.951",
    "10, 0.05, 0.05, 0.05, 0.966",
    "10, 0.1, 0.001, 0.001, 0.951"
  })
  void noFewerThan95Percent_holdTheTrueRatio(
      int repeats, double ours, double random, double oracle, double most) {
    int comparisons = 4000;
    double ratio = 0.9;
    Random draws = new Random(5);
    int held = 0;
    for (int i = 0; i < comparisons; i++) {
      Interval95 interval =
          new ErrorReduction(sample(draws, repeats, 0, random), sample(draws, repeats, 1, oracle))
              .of(sample(draws, repeats, ratio, ours))
              .orElseThrow();
      boolean holds =
          interval.low().orElse(ratio) <= ratio && ratio <= interval.high().orElse(ratio);
      held += holds ? 1 : 0;
    }

    assertThat((double) held / comparisons).isBetween(0.95 - 0.0242, most + 0.0242);
  }

  private static Sample sample(Random draws, int size, double mean, double spread) {
    return of(
        DoubleStream.generate(() -> mean + spread * draws.nextGaussian()).limit(size).toArray());
  }
}
