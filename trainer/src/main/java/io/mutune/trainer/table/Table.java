package io.mutune.trainer.table;

import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a data set by name and type: a public statement of its owner. A row's features
 * follow from it and from that row alone.
 *
 * @param columns in the order of a file that does not name them; at least one is a feature, at most
 *     one a label or a target
 * @param missing texts that mean a missing value, beside the empty one; such as {@code ?}
 * @param unit the column, of type id, whose rows of equal text are one unit's; null where each row
 *     is a unit
 * @param unitRows how many rows of a unit count at most; of no meaning without one
 */
public record Table(List<Column> columns, List<String> missing, @Nullable String unit, int unitRows)
    implements Serializable {
  /** How many rows of a unit can count. */
  public static final int MOST_UNIT_ROWS = 64;

  /** Of a table in a card. */
  public static final Setting<List<String>> MISSING =
      Setting.texts(
              "missing", 0, 100, "texts that mean a missing value, beside the empty one; such as ?")
          .usually(List.of());

  private static final String COLUMNS = "columns";
  private static final Setting<String> NAME = Setting.text("name", "the column's name");
  private static final Setting<String> UNIT =
      Setting.text("unit", "the column whose rows of equal text are one unit's");

  public Table {
    missing = TextIndex.stripped(missing);
    new TextIndex(missing);
    columns = withMissing(columns, missing);
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      if (!names.add(column.name())) {
        throw new IllegalArgumentException("two columns have the name '" + column.name() + "'");
      }
    }
    if (columns.stream().filter(column -> isLabel(column.type())).count() > 1) {
      throw new IllegalArgumentException("a table has one label or target, not several");
    }
    if (columns.stream().allMatch(column -> column.type().width() == 0)) {
      throw new IllegalArgumentException("a table needs a column that is a feature");
    }
    if (unitRows < 1 || unitRows > MOST_UNIT_ROWS) {
      throw new IllegalArgumentException(
          "the rows of a unit must be limited to 1 to " + MOST_UNIT_ROWS + "; was " + unitRows);
    }
    if (unit != null && !(columns.get(position(columns, unit)).type() instanceof IdType)) {
      throw new IllegalArgumentException(
          "the column that names a row's unit must be of type id; '" + unit + "' is not");
    }
  }

  private static List<Column> withMissing(List<Column> columns, List<String> missing) {
    return columns.stream()
        .map(
            column ->
                column.type() instanceof DateType days
                    ? new Column(column.name(), days.withMissing(missing))
                    : column)
        .toList();
  }

  /** Without a limit of its own to the rows of a unit. */
  public Table(List<Column> columns, List<String> missing, @Nullable String unit) {
    this(columns, missing, unit, MOST_UNIT_ROWS);
  }

  /** Each row a unit, no text beside the empty one missing. */
  public static Table of(Column... columns) {
    return new Table(List.of(columns), List.of(), null);
  }

  /** Of rows that need no protection, and so are nobody's in particular. */
  public Table withoutUnit() {
    return new Table(columns, missing, null);
  }

  /**
   * The table that {@link #settings} wrote down.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Table ofSettings(Map<String, ?> settings) {
    SettingsMap given = SettingsMap.of(settings);
    List<Column> columns = new ArrayList<>();
    if (settings.get(COLUMNS) instanceof List<?> described) {
      for (Object column : described) {
        columns.add(column(column));
      }
    }
    return new Table(columns, given.get(MISSING), given.find(UNIT).orElse(null));
  }

  private static Column column(Object described) {
    Map<String, Object> settings = new LinkedHashMap<>();
    if (described instanceof Map<?, ?> map) {
      map.forEach((key, value) -> settings.put(String.valueOf(key), value));
    }
    SettingsMap given = SettingsMap.of(settings);
    String name = given.require(NAME, "a column has a name").orElse("");
    return ColumnKinds.read(given)
        .map(type -> new Column(name, type))
        .orElseThrow(() -> new IllegalArgumentException("the column '" + name + "' has no type"));
  }

  /**
   * The columns in order, each a mapping of its name, its type and the settings of a card, which
   * are written out where a card leaves them to what is usual.
   */
  public List<Map<String, Object>> columnSettings() {
    return columns.stream()
        .map(
            column -> {
              Map<String, Object> settings =
                  new SettingsMap()
                      .with(NAME, column.name())
                      .with(ColumnKinds.TYPE, column.type().kind().name())
                      .asMap();
              settings.putAll(column.type().settings().asMap());
              return settings;
            })
        .toList();
  }

  /** All of it as plain settings, for a document. */
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put(COLUMNS, columnSettings());
    settings.putAll(new SettingsMap().with(MISSING, missing).with(UNIT, unit).asMap());
    return settings;
  }

  private Object writeReplace() {
    return new Written(new LinkedHashMap<>(settings()), unitRows);
  }

  /** As it is written to a stream. */
  private record Written(LinkedHashMap<String, Object> settings, int unitRows)
      implements Serializable {
    private Object readResolve() {
      Table read = ofSettings(settings);
      return new Table(read.columns, read.missing, read.unit, unitRows);
    }
  }

  static boolean isLabel(ColumnType type) {
    return type instanceof LabelType || type instanceof TargetType;
  }

  static int position(List<Column> columns, String name) {
    return IntStream.range(0, columns.size())
        .filter(i -> columns.get(i).name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no column with the name '" + name + "'"));
  }

  /** Part of the names of kept features: no other table is written in the same way. */
  @Override
  public String toString() {
    return "Table[names=%s, types=%s, missing=%s, unit=%s]"
        .formatted(
            TextIndex.exact(columns.stream().map(Column::name).toList()),
            columns.stream().map(Column::type).toList(),
            TextIndex.exact(missing),
            unit);
  }

  /** How many numbers a row becomes. */
  public int width() {
    return Math.toIntExact(columns.stream().mapToLong(column -> column.type().width()).sum());
  }

  /** The positions of the columns of type text, from 0. */
  public List<Integer> texts() {
    return IntStream.range(0, columns.size())
        .filter(i -> columns.get(i).type() instanceof TextType)
        .boxed()
        .toList();
  }

  /** The encoders of these columns, in their order. */
  public List<EncoderReference> encoders() {
    return texts().stream().map(i -> ((TextType) columns.get(i).type()).encoder()).toList();
  }

  /** The column of type label or target. */
  public Optional<Column> label() {
    return columns.stream().filter(column -> isLabel(column.type())).findFirst();
  }

  /** Takes down which numbers a row becomes. */
  public void describe(CellSteps to) {
    columns.forEach(column -> column.type().describe(column.name(), to));
  }

  /**
   * Which of a row's numbers come from these columns, in the order of the names.
   *
   * @throws IllegalArgumentException if there is no column of a name, or it is no feature
   */
  public int[] positions(List<String> names) {
    List<Integer> positions = new ArrayList<>();
    for (String name : names) {
      int at = position(columns, name);
      int from = columns.subList(0, at).stream().mapToInt(column -> column.type().width()).sum();
      int width = columns.get(at).type().width();
      if (width == 0) {
        throw new IllegalArgumentException("the column '" + name + "' is no feature");
      }
      IntStream.range(from, from + width).forEach(positions::add);
    }
    return positions.stream().mapToInt(Integer::intValue).toArray();
  }
}
