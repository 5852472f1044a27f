package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Nothing is ever removed from a store, so what anybody may add to it has an end. */
class RefusedStudiesTest {
  @Test
  void refusedStudies_areKeptUpToALimit_andOthersStillCome() {
    try (StudyStore store = TestStores.inMemory()) {
      for (int i = 0; i < 1005; i++) {
        StudyRecord record = record(i).with(StudyState.REFUSED, "no room");
        store.create(record, 0, AccountClaim.NONE);
      }
      assertThat(store.studies()).hasSize(1000);
      store.create(record(2000), 1, AccountClaim.NONE);
      assertThat(store.studies()).hasSize(1001);
    }
  }

  private static StudyRecord record(int number) {
    return StoreHarness.record(String.format(Locale.ROOT, "%08x", number), Path.of("/runs"));
  }
}
