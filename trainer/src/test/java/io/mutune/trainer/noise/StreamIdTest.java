package io.mutune.trainer.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class StreamIdTest {
  /** What can be read back from its encoding shares it with nothing else. */
  @Property
  void everyId_canBeReadBackFromItsEncoding(
      @ForAll String study, @ForAll int trial, @ForAll int attempt, @ForAll int step) {
    StreamId id = new StreamId(study, trial, attempt, step);
    assertThat(decoded(id.encoded())).isEqualTo(id);
  }

  @Test
  void studiesThatUtf8WouldConfuse_encodeApart() {
    StreamId high = new StreamId("\ud800", 0, 0, 0);
    StreamId low = new StreamId("\udc00", 0, 0, 0);
    assertThat(high.encoded()).isNotEqualTo(low.encoded());
    assertThat(decoded(high.encoded())).isEqualTo(high);
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
    StreamId id = new StreamId(study.toString(), bytes.getInt(), bytes.getInt(), bytes.getInt());
    assertThat(bytes.hasRemaining()).isFalse();
    return id;
  }
}
