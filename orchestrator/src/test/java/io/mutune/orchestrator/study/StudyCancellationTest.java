package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class StudyCancellationTest {
  @Test
  void anInterruption_waitsForWhatWouldBeLost_alsoIfThatFails() throws IOException {
    StudyCancellation interrupted = new StudyCancellation(() -> false, () -> true);

    assertThat(interrupted.isCancelled()).isTrue();
    assertThat(interrupted.uninterrupted(interrupted::isCancelled)).isFalse();
    assertThat(interrupted.isCancelled()).isTrue();
    assertThatThrownBy(
            () ->
                interrupted.uninterrupted(
                    () -> {
                      throw new IOException("lost");
                    }))
        .hasMessage("lost");
    assertThatThrownBy(interrupted::check).isInstanceOf(StudyInterruptedException.class);
  }

  @Test
  void aCancellation_doesNotWait_norDoesARunThatFailed() throws IOException {
    StudyCancellation cancelled = new StudyCancellation(() -> true, () -> false);
    assertThat(cancelled.uninterrupted(cancelled::isCancelled)).isTrue();

    StudyCancellation failed = new StudyCancellation(() -> false, () -> false);
    failed.cancel();
    assertThat(failed.uninterrupted(failed::isCancelled)).isTrue();
  }
}
