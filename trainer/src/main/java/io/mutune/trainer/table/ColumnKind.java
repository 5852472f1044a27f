package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of column as cards, the schema and the reference know it: its word, its settings and how a
 * {@link ColumnType} is made of them.
 *
 * @param name the {@code type} of a column in a card
 * @param meaning for the schema and the reference
 * @param settings all beside the column's name and type
 * @param maker notes what is wrong, and then may make none; {@link #read} asks it
 */
public record ColumnKind(
    String name,
    String meaning,
    List<Setting<?>> settings,
    Function<SettingsReader, Optional<ColumnType>> maker) {

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
}
