package io.mutune.orchestrator.study;

import io.mutune.trainer.data.DataKey;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where whoever runs studies keeps the key of private files' seals. */
public final class DataKeys {
  /** Names the key's file; {@code none} for no seals. */
  public static final String VARIABLE = "MUTUNE_DATA_KEY";

  private DataKeys() {}

  /** The key of whoever runs this process. */
  public static Optional<DataKey> here() {
    return of(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  static Optional<DataKey> of(Map<String, String> environment, Path home) {
    String named = environment.getOrDefault(VARIABLE, "");
    // Whose home is not known would have another key in each folder that he works in.
    if (named.equals("none") || (named.isBlank() && !home.isAbsolute())) {
      return Optional.empty();
    }
    return Optional.of(
        new DataKey(named.isBlank() ? home.resolve(".config/mutune/data-key") : Path.of(named)));
  }
}
