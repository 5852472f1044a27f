package io.mutune.trainer.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndependentStreamsTest {
  private static final StreamId ID = new StreamId("study", 1, 1, 1);
  private static final int DRAWS = 1_000_000;

  /**
   * Of independent streams √n · r is N(0, 1): beyond 6.8 by chance 1e-11 of the time. The same
   * holds for secret and seeded noise.
   */
  @ParameterizedTest
  @CsvSource({"study,2,1,1", "study,1,2,1", "study,1,1,2", "study2,1,1,1"})
  void streamsOfTwoIds_areIndependent(String study, int trial, int attempt, int step) {
    StreamId other = new StreamId(study, trial, attempt, step);
    for (NoiseSource source : List.of(new SecureNoise(), new SeededNoise(7))) {
      assertIndependent(source.stream(ID), source.stream(other));
    }
  }

  /** Fails by chance 1e-11 of the time. */
  @Test
  void twoInstances_giveTheSameIdIndependentNoise() {
    assertIndependent(new SecureNoise().stream(ID), new SecureNoise().stream(ID));
  }

  /** Fails by chance 1e-11 of the time. */
  @Test
  void twoSeeds_giveTheSameIdIndependentNoise() {
    assertIndependent(new SeededNoise(1).stream(ID), new SeededNoise(2).stream(ID));
  }

  /** A draw has over 2⁵² values, so two of 64 pairs agree by chance below 1e-13 of the time. */
  @Test
  void twoProcesses_neverShareAStream() throws IOException, InterruptedException {
    List<String> first = SecondJvm.run(List.of(), PrintNoise.class);
    List<String> second = SecondJvm.run(List.of(), PrintNoise.class);
    assertThat(first).hasSize(PrintNoise.DRAWS).doesNotContainAnyElementsOf(second);
  }

  /** The bits of a sample are no part of the same step's noise; equal by chance 2^-52 a pair. */
  @Test
  void aStepsSample_sharesNothingWithItsNoise() {
    StreamId sample = new StreamId("study", 1, 1, 1, Purpose.SAMPLE);
    SeededNoise noise = new SeededNoise(7);
    UniformStream ofSample = noise.bits(sample);
    UniformStream ofNoise = new SeededNoise(7).bits(ID);
    Set<Long> drawn = new HashSet<>();
    for (int i = 0; i < 64; i++) {
      assertThat(drawn.add(ofSample.next())).isTrue();
      assertThat(drawn.add(ofNoise.next())).isTrue();
    }
    assertThatIllegalStateException().isThrownBy(() -> noise.bits(sample));
    assertThatIllegalStateException().isThrownBy(() -> noise.stream(sample));
  }

  @Test
  void aStream_isHandedOutOnce() {
    SecureNoise noise = new SecureNoise();
    noise.stream(ID);
    assertThatIllegalStateException()
        .isThrownBy(() -> noise.stream(new StreamId("study", 1, 1, 1)))
        .withMessageContaining("never reused");
  }

  @Test
  void seededNoise_repeatsBitForBitAndSaysThatItIsNotSecret() {
    NormalStream once = new SeededNoise(7).stream(ID);
    NormalStream again = new SeededNoise(7).stream(ID);
    for (int i = 0; i < 10_000; i++) {
      assertThat(once.next()).isEqualTo(again.next());
    }
  }

  private static void assertIndependent(NormalStream a, NormalStream b) {
    double products = 0;
    for (int i = 0; i < DRAWS; i++) {
      products += a.next() * b.next();
    }
    assertThat(Math.abs(products) / Math.sqrt(DRAWS)).isLessThan(6.8);
  }

  /** Prints what a fresh process draws for {@link #ID}. */
  static final class PrintNoise {
    static final int DRAWS = 64;

    private PrintNoise() {}

    public static void main(String[] args) {
      NormalStream noise = new SecureNoise().stream(ID);
      for (int i = 0; i < DRAWS; i++) {
        System.out.println(noise.next());
      }
    }
  }
}
