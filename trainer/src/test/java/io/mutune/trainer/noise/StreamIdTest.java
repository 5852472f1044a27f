package io.mutune.trainer.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class StreamIdTest {
  /** What can be read back from its encoding shares it with nothing else. */
  @Property
  void everyId_canBeReadBackFromItsEncoding(
      @ForAll String study,
      @ForAll int trial,
      @ForAll int attempt,
      @ForAll int step,
      @ForAll Purpose purpose) {
    StreamId id = new StreamId(study, trial, attempt, step, purpose);
    assertThat(decoded(id.encoded())).isEqualTo(id);
  }

  @Test
  void studiesThatUtf8WouldConfuse_encodeApart() {
    StreamId high = new StreamId("\ud800", 0, 0, 0);
    StreamId low = new StreamId("\udc00", 0, 0, 0);
    assertThat(high.encoded()).isNotEqualTo(low.encoded());
    assertThat(decoded(high.encoded())).isEqualTo(high);
  }

  /** Studies with a seed repeat by these bytes: 4 of length, 2 a unit, then the three numbers. */
  @Test
  void theIdOfNoise_isWhatItWasBeforeThereWereOtherPurposes() {
    assertThat(new AttemptStreams("s", 2, 3).step(4).encoded())
        .containsExactly(0, 0, 0, 1, 0, 's', 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4);
  }

  @Test
  void trainingSteps_countFromOne_soThatNoneSharesTheScoresId() {
    AttemptStreams streams = new AttemptStreams("study", 1, 1);
    assertThat(streams.step(1)).isNotEqualTo(streams.score());
    assertThatIllegalArgumentException().isThrownBy(() -> streams.step(0));
  }

  private static StreamId decoded(byte[] encoding) {
    ByteBuffer bytes = ByteBuffer.wrap(encoding);
    StringBuilder study = new StringBuilder();
    for (int left = bytes.getInt(); left > 0; left--) {
      study.append(bytes.getChar());
    }
    int trial = bytes.getInt();
    int attempt = bytes.getInt();
    int step = bytes.getInt();
    int code = bytes.hasRemaining() ? bytes.getInt() : Purpose.NOISE.code();
    assertThat(bytes.hasRemaining()).isFalse();
    Purpose purpose =
        Arrays.stream(Purpose.values()).filter(p -> p.code() == code).findFirst().orElseThrow();
    return new StreamId(study.toString(), trial, attempt, step, purpose);
  }
}
