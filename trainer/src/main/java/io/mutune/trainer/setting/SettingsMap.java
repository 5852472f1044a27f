package io.mutune.trainer.setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings by their keys as a JSON document has them: texts, numbers, flags, and lists and maps of
 * texts. What is wrong with one throws {@link IllegalArgumentException}.
 */
public final class SettingsMap implements SettingsReader {
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Of a document. */
  public static SettingsMap of(Map<String, ?> values) {
    SettingsMap settings = new SettingsMap();
    settings.values.putAll(values);
    return settings;
  }

  /** Adds a value; null for one that is not given. */
  public <T> SettingsMap with(Setting<T> setting, @Nullable T value) {
    if (value != null) {
      values.put(setting.key(), value);
    }
    return this;
  }

  /** In the order in which they were added. */
  public Map<String, Object> asMap() {
    return new LinkedHashMap<>(values);
  }

  @Override
  @SuppressWarnings("unchecked") // what the values are says what T is
  public <T> Optional<T> find(Setting<T> setting) {
    Object value = values.get(setting.key());
    if (value == null) {
      return Optional.empty();
    }
    Object read = read(setting.values(), value);
    if (read == null) {
      broken(setting, "is not one of the values that it may have");
    }
    return Optional.ofNullable((T) read);
  }

  private static @Nullable Object read(Setting.Values<?> rule, Object value) {
    if (rule instanceof Setting.Values.Numbers numbers) {
      return value instanceof Number n && numbers.rule().holds(n.doubleValue())
          ? (Double) n.doubleValue()
          : null;
    }
    if (rule instanceof Setting.Values.Counts counts) {
      return value instanceof Number n
              && NumberRule.whole(counts.least(), counts.most()).holds(n.doubleValue())
          ? (Long) n.longValue()
          : null;
    }
    if (rule instanceof Setting.Values.Flags) {
      return value instanceof Boolean ? value : null;
    }
    if (rule instanceof Setting.Values.Words words) {
      return value instanceof String text && words.words().contains(text) ? text : null;
    }
    if (rule instanceof Setting.Values.TextList list) {
      return value instanceof List<?> texts
              && texts.size() >= list.least()
              && texts.size() <= list.most()
              && texts.stream().allMatch(String.class::isInstance)
          ? texts
          : null;
    }
    if (rule instanceof Setting.Values.TextMap) {
      return value instanceof Map<?, ?> texts
              && texts.keySet().stream().allMatch(String.class::isInstance)
              && texts.values().stream().allMatch(String.class::isInstance)
          ? texts
          : null;
    }
    return rule instanceof Setting.Values.Texts && value instanceof String ? value : null;
  }

  @Override
  public boolean has(Setting<?> setting) {
    return values.containsKey(setting.key());
  }

  @Override
  public void missing(Setting<?> setting, String why) {
    throw new IllegalArgumentException("'" + setting.key() + "' is missing; " + why);
  }

  @Override
  public void broken(Setting<?> setting, String rule) {
    throw new IllegalArgumentException("'" + setting.key() + "' " + rule);
  }

  @Override
  public void broken(Setting<?> setting, String rule, String was) {
    broken(setting, rule + "; was " + was);
  }
}
