package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of column as cards, the schema and the reference know it: its word, its settings and how a
 * {@link ColumnType} is made of them.
 */
public final class ColumnKind {
  private final String name;
  private final String meaning;
  private final List<Setting<?>> settings;
  private final Function<SettingsReader, Optional<ColumnType>> maker;

  ColumnKind(
      String name,
      String meaning,
      List<Setting<?>> settings,
      Function<SettingsReader, Optional<ColumnType>> maker) {
    this.name = name;
    this.meaning = meaning;
    this.settings = List.copyOf(settings);
    this.maker = maker;
  }

  /** A word for what is in no table. */
  static ColumnKind ofNoTable(String name, String meaning, String instead) {
    return new ColumnKind(
        name,
        meaning,
        List.of(),
        given -> {
          given.broken(ColumnKinds.TYPE, "must be another type: " + instead, name);
          return Optional.empty();
        });
  }

  /** The {@code type} of a column in a card. */
  public String name() {
    return name;
  }

  /** For the schema and the reference. */
  public String meaning() {
    return meaning;
  }

  /** Every setting beside the column's name and type. */
  public List<Setting<?>> settings() {
    return settings;
  }

  /** The type that a card describes; what is wrong with it is noted, and then there may be none. */
  public Optional<ColumnType> read(SettingsReader given) {
    try {
      return maker.apply(given);
    } catch (IllegalArgumentException e) {
      given.broken(
          ColumnKinds.TYPE, "has settings that do not go together: " + e.getMessage(), name);
      return Optional.empty();
    }
  }

  /** The value of a setting that has to be there; that it is not is noted. */
  static <T> Optional<T> required(SettingsReader given, Setting<T> setting) {
    if (!given.has(setting)) {
      given.missing(setting, setting.meaning());
    }
    return given.find(setting);
  }
}
