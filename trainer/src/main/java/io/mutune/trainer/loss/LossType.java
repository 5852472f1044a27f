package io.mutune.trainer.loss;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A kind of loss.
 *
 * @param key in sweeps and statements
 * @param settings that a sweep may give it
 * @param link how the scores of a model that it has trained tell of probabilities
 * @param reader makes a loss of them, and of whether targets are real
 */
public record LossType(
    String key,
    List<Setting<Double>> settings,
    Link link,
    BiFunction<SettingsReader, Boolean, Loss> reader) {
  public LossType {
    settings = List.copyOf(settings);
  }

  /** Without settings, and the same for all targets. */
  LossType(String key, Link link, Loss loss) {
    this(key, List.of(), link, (given, real) -> loss);
  }

  /** How scores tell of probabilities after training with the loss of that key. */
  public static Link linkOf(String key) {
    return Loss.all().stream()
        .filter(type -> type.key().equals(key))
        .map(LossType::link)
        .findFirst()
        .orElse(Link.NONE);
  }

  /** The loss that a sweep describes. */
  public Loss read(SettingsReader given, boolean realTargets) {
    return reader.apply(given, realTargets);
  }
}
