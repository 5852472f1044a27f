package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefaults;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredJsonTest {
  private static final SweepContext NEW =
      new SweepContext(Path.of("/sweeps"), Path.of("/work"), Map.of("DATA", "data"));

  @Test
  void aContext_isReadAsItWasWritten() {
    assertThat(StoredJson.readContext(StoredJson.writeContext(NEW))).isEqualTo(NEW);
  }

  @Test
  void aStudyThatSaysNothingOfItsDefaults_isPlannedByThoseOfItsTime() {
    String latest = ",\"defaults\":\"" + SweepDefaults.latest() + '"';
    String older = StoredJson.writeContext(NEW).replace(latest, "");

    assertThat(older).doesNotContain("defaults");
    SweepContext read = StoredJson.readContext(older);
    assertThat(read.defaults()).isEqualTo(SweepDefaults.HUNDRED_STEPS);
    assertThat(read.checked(5).later().usedBy("${DATA}").defaults())
        .isEqualTo(SweepDefaults.HUNDRED_STEPS);
  }
}
