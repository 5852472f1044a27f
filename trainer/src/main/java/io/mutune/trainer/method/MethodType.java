package io.mutune.trainer.method;

import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind of training method.
 *
 * @param name in sweeps and results
 * @param settings that a sweep may give it, in the order in which they are asked for
 * @param reader makes a method of them
 */
public record MethodType(
    String name, List<Setting<?>> settings, Function<MethodSettings, TrainingMethod> reader) {
  public MethodType {
    settings = List.copyOf(settings);
  }

  /** The keys of what a search may choose. */
  public Set<String> searchable() {
    return settings.stream()
        .filter(Setting::searchable)
        .map(Setting::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The method that a sweep describes. */
  public TrainingMethod read(MethodSettings given) {
    return reader.apply(given);
  }
}
