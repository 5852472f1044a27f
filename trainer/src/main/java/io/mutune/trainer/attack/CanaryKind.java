package io.mutune.trainer.attack;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What kind of rows are put in to be found again. */
public enum CanaryKind {
  /** A row with a single feature: its clipped gradient lies where hardly any other row's does. */
  GRADIENT("gradient"),
  /** A row of the data under a label that is not its own. */
  MISLABELLED("mislabelled"),
  /** A row whose gradient points where momentum still carries the model after the last step. */
  AMPLIFIED("amplified");

  private final String key;

  CanaryKind(String key) {
    this.key = key;
  }

  public String key() {
    return key;
  }

  public static List<String> keys() {
    return Arrays.stream(values()).map(CanaryKind::key).toList();
  }

  public static Optional<CanaryKind> ofKey(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key.equals(key)).findFirst();
  }
}
