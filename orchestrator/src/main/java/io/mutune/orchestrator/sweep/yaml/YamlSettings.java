package io.mutune.orchestrator.sweep.yaml;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;

/** Reads described settings from a section. */
class YamlSettings implements SettingsReader {
  private final YamlSection section;

  YamlSettings(YamlSection section) {
    this.section = section;
  }

  @Override
  @SuppressWarnings("unchecked") // what the values are says what T is
  public <T> Optional<T> find(Setting<T> setting) {
    String key = setting.key();
    Setting.Values<T> values = setting.values();
    if (values instanceof Setting.Values.Numbers numbers) {
      return (Optional<T>) section.number(key, numbers.rule());
    }
    if (values instanceof Setting.Values.Counts counts) {
      return (Optional<T>) section.integer(key, counts.least(), counts.most());
    }
    if (values instanceof Setting.Values.Flags) {
      return (Optional<T>) section.flag(key);
    }
    if (values instanceof Setting.Values.Words words) {
      return (Optional<T>) section.word(key, words.words());
    }
    if (values instanceof Setting.Values.TextList list) {
      return (Optional<T>) texts(key, list);
    }
    if (values instanceof Setting.Values.TextMap) {
      return (Optional<T>) section.textMap(key);
    }
    if (values instanceof Setting.Values.Texts) {
      return (Optional<T>) section.text(key);
    }
    throw new IllegalArgumentException(key + " is read in a way of its own");
  }

  private Optional<List<String>> texts(String key, Setting.Values.TextList list) {
    Optional<List<String>> texts = section.texts(key);
    int count = texts.map(List::size).orElse(list.least());
    if (count < list.least() || count > list.most()) {
      section.broken(key, "must have " + list.least() + " to " + list.most() + " entries", count);
      return Optional.empty();
    }
    return texts;
  }

  @Override
  public boolean has(Setting<?> setting) {
    return section.has(setting.key());
  }

  @Override
  public void missing(Setting<?> setting, String why) {
    section.missing(setting.key(), why);
  }

  @Override
  public void broken(Setting<?> setting, String rule) {
    section.broken(setting.key(), rule);
  }

  @Override
  public void broken(Setting<?> setting, String rule, String was) {
    section.broken(setting.key(), rule, was);
  }
}
