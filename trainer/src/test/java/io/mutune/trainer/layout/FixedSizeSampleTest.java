package io.mutune.trainer.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;

class FixedSizeSampleTest {
  private final UniformStream bits = new SecureNoise().bits(new StreamId("sample", 1, 1, 1));

  /** χ² over the ten sets of 2 of 5. Fails by chance 1e-10 of the time. */
  @Test
  void everySetOfTheSize_isAsLikely() {
    int draws = 100_000;
    long[] counts = new long[32];
    for (int i = 0; i < draws; i++) {
      RowSample sample = RowSample.withoutReplacement(2, 5, bits);
      int set = 0;
      for (int row = 0; row < 5; row++) {
        set |= sample.takesNext() ? 1 << row : 0;
      }
      assertThat(Integer.bitCount(set)).isEqualTo(2);
      counts[set]++;
    }
    double expected = draws / 10.0;
    double squares = 0;
    for (int set = 0; set < counts.length; set++) {
      if (Integer.bitCount(set) == 2) {
        squares += (counts[set] - expected) * (counts[set] - expected) / expected;
      }
    }
    assertThat(squares).isLessThan(ChiSquaredDistribution.of(9).inverseSurvivalProbability(1e-10));
  }

  @Test
  void rowsBeyondTheLastPosition_neverTakePart() {
    RowSample sample = RowSample.withoutReplacement(3, 3, bits);
    for (int row = 0; row < 3; row++) {
      assertThat(sample.takesNext()).isTrue();
    }
    assertThat(sample.takesNext()).isFalse();
  }

  @Test
  void aSampleLargerThanThePositions_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowSample.withoutReplacement(6, 5, bits))
        .withMessage("a sample of 5 positions has from 1 to all of them; was 6");
  }

  /** 2^63 mod (2^62 + 1) is 2^62 − 1: draws from 2^62 + 1 on are drawn again. */
  @Test
  void wholeNumbers_areDrawnAgainWhereSomeWouldBeFavoured() {
    long bound = (1L << 62) + 1;
    long[] draws = {-1L, bound << 1, (bound - 1) << 1};
    int[] next = {0};
    UniformStream scripted = () -> draws[next[0]++];
    assertThat(scripted.below(bound)).isEqualTo(bound - 1);
    assertThat(next[0]).isEqualTo(3);
    assertThat(bits.below(1)).isZero();
  }
}
