package io.mutune.trainer.setting;

import java.util.Optional;

/**
 * The settings that a sweep gives. What is wrong with one is noted where it stands and read as
 * absent, so that one mistake does not hide the next.
 */
public interface SettingsReader {
  /** The value that is given; empty where there is none that fits. */
  <T> Optional<T> find(Setting<T> setting);

  /** The value that is given, or the usual one. */
  default <T> T get(Setting<T> setting) {
    return find(setting).or(setting::usual).orElseThrow();
  }

  /** The same as an int. */
  default int getInt(Setting<Long> setting) {
    return Math.toIntExact(get(setting));
  }

  /** The value of a setting that has to be given; that it is not is noted, by its meaning. */
  default <T> Optional<T> require(Setting<T> setting) {
    return require(setting, setting.meaning());
  }

  /**
   * The same.
   *
   * @param why completes "… is missing; "
   */
  default <T> Optional<T> require(Setting<T> setting, String why) {
    if (!has(setting)) {
      missing(setting, why);
    }
    return find(setting);
  }

  /** Whether a value is given, be it right or wrong. */
  boolean has(Setting<?> setting);

  /** Notes that a setting is not given, and why it has to be. */
  void missing(Setting<?> setting, String why);

  /** Notes that a value breaks a rule, and shows it as it is written. */
  void broken(Setting<?> setting, String rule);

  /** Notes that a value breaks a rule, and shows it in these words. */
  void broken(Setting<?> setting, String rule, String was);
}
