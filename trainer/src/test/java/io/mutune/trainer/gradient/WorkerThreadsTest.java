package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class WorkerThreadsTest {
  @Test
  void noThreads_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WorkerThreads(0));
  }

  @Test
  void ofFreeProcessors_leaveWhatOthersHaveAndGiveItBack() {
    int alone;
    try (WorkerThreads first = WorkerThreads.ofFreeProcessors()) {
      alone = first.threads();
      try (WorkerThreads second = WorkerThreads.ofFreeProcessors()) {
        assertThat(second.threads()).isOne();
      }
      try (WorkerThreads third = WorkerThreads.ofFreeProcessors()) {
        assertThat(third.threads()).isOne();
      }
    }
    WorkerThreads again = WorkerThreads.ofFreeProcessors();
    assertThat(again.threads()).isEqualTo(alone);
    again.close();
    again.close();
    try (WorkerThreads after = WorkerThreads.ofFreeProcessors()) {
      assertThat(after.threads()).isEqualTo(alone);
    }
  }
}
