package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DataKeysTest {
  private static final Path HOME = Path.of("/home/somebody");
  private static final Path UNKNOWN = Path.of("?");

  /** It would be another key in each folder that its user works in. */
  @Test
  void aUserWithoutAHome_hasAKeyOnlyWhereOneIsNamed() {
    assertThat(DataKeys.of(Map.of(), HOME)).isPresent();
    assertThat(DataKeys.of(Map.of(), UNKNOWN)).isEmpty();
    assertThat(DataKeys.of(Map.of(DataKeys.VARIABLE, " "), UNKNOWN)).isEmpty();
    assertThat(DataKeys.of(Map.of(DataKeys.VARIABLE, "/keys/data"), UNKNOWN)).isPresent();
    assertThat(DataKeys.of(Map.of(DataKeys.VARIABLE, "none"), HOME)).isEmpty();
  }
}
