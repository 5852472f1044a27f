package io.mutune.trainer.table;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Groups of rows by the value of one column, as public as the table.
 *
 * @param names of the groups: the listed values, or no and yes; then the bucket of other values and
 *     that of missing ones where the column has them
 */
public record ColumnGroups(String column, List<String> names) implements Serializable {
  /** More groups than these are nothing to compare. */
  public static final int MOST = 50;

  private static final String OTHER = "(other)";
  private static final String MISSING = "(missing)";

  public ColumnGroups {
    names = List.copyOf(names);
  }

  /** The names of the columns of a table that make groups. */
  public static List<String> columns(Table table) {
    return table.columns().stream()
        .map(Column::name)
        .filter(name -> of(table, name).isPresent())
        .toList();
  }

  /** Empty where the column is missing, or of a type other than category and boolean. */
  public static Optional<ColumnGroups> of(Table table, String column) {
    return table.columns().stream()
        .filter(one -> one.name().equals(column))
        .findFirst()
        .flatMap(one -> names(one.type()))
        .map(names -> new ColumnGroups(column, names));
  }

  private static Optional<List<String>> names(ColumnType type) {
    if (type instanceof CategoryType category) {
      Stream<String> listed = category.values().stream();
      Stream<String> other = category.other() ? Stream.of(OTHER) : Stream.of();
      Stream<String> missing = category.missing() ? Stream.of(MISSING) : Stream.of();
      return Optional.of(Stream.of(listed, other, missing).flatMap(names -> names).toList());
    }
    if (type instanceof BooleanType yesNo) {
      return Optional.of(yesNo.width() == 1 ? List.of("no", "yes") : List.of("no", "yes", MISSING));
    }
    return Optional.empty();
  }

  /** The table with no other feature than this column, so that a row is {@link #group}'s. */
  public Table alone(Table table) {
    return new Table(
        table.columns().stream()
            .map(
                one ->
                    one.name().equals(column) || Table.isLabel(one.type())
                        ? one
                        : new Column(one.name(), new IgnoredType()))
            .toList(),
        table.missing(),
        null);
  }

  /**
   * The group of a row of {@link #alone}, by the index of its name.
   *
   * @param rows row-major rows of {@code width} numbers
   * @param width that the column has
   * @param at where the row starts
   */
  public int group(float[] rows, int width, int at) {
    if (width == names.size()) {
      int group = 0;
      while (group < width - 1 && rows[at + group] == 0) {
        group++;
      }
      return group;
    }
    // A boolean: its value, then whether that stands for a missing one.
    return width == 2 && rows[at + 1] == 1 ? 2 : rows[at] == 1 ? 1 : 0;
  }
}
