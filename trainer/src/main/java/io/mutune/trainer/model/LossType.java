package io.mutune.trainer.model;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A kind of loss.
 *
 * @param key in sweeps and statements
 * @param settings that a sweep may give it
 * @param reader makes a loss of them, and of whether targets are real
 */
public record LossType(
    String key, List<Setting<Double>> settings, BiFunction<SettingsReader, Boolean, Loss> reader) {
  public LossType {
    settings = List.copyOf(settings);
  }

  /** Without settings, and the same for all targets. */
  LossType(String key, Loss loss) {
    this(key, List.of(), (given, real) -> loss);
  }

  /** The loss that a sweep describes. */
  public Loss read(SettingsReader given, boolean realTargets) {
    return reader.apply(given, realTargets);
  }
}
