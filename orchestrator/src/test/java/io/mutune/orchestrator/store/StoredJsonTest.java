package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.CardText;
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
    SweepContext ofSet = NEW.with(new CardText("rows", 3, "people", "name: rows\n", NEW));

    assertThat(StoredJson.readContext(StoredJson.write(NEW))).isEqualTo(NEW);
    assertThat(StoredJson.readContext(StoredJson.write(ofSet))).isEqualTo(ofSet);
  }

  /** What the queries of accounts look for. */
  @Test
  void aCard_isThereOrItIsNot() {
    SweepContext ofSet = NEW.with(new CardText("rows", 3, "people", "name: rows\n", NEW));

    assertThat(StoredJson.write(ofSet))
        .contains(",\"card\":{\"name\":\"rows\",\"version\":3,\"account\":\"people\",\"text\":");
    assertThat(StoredJson.write(NEW)).doesNotContain("card");
  }

  @Test
  void aStudyThatSaysNothingOfItsDefaults_isPlannedByThoseOfItsTime() {
    String latest = ",\"defaults\":\"" + SweepDefaults.latest() + '"';
    String older = StoredJson.write(NEW).replace(latest, "");

    assertThat(older).doesNotContain("defaults");
    SweepContext read = StoredJson.readContext(older);
    assertThat(read.defaults()).isEqualTo(SweepDefaults.HUNDRED_STEPS);
    assertThat(read.checked(5).later().usedBy("${DATA}").defaults())
        .isEqualTo(SweepDefaults.HUNDRED_STEPS);
  }
}
