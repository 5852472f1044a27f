package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The class that a model predicts. */
public final class LabelType implements ColumnType {
  private static final Setting<List<String>> VALUES =
      Setting.texts("values", 2, CategoryType.MAX_VALUES, "the public list of classes");
  private static final Setting<Map<String, String>> SPELLINGS =
      Setting.textMap("spellings", "other texts of the file, and which class each stands for")
          .usually(Map.of());

  static final ColumnKind KIND =
      new ColumnKind(
          "label", "the class that a model predicts", List.of(VALUES, SPELLINGS), LabelType::read);

  private final List<String> values;
  private final Map<String, String> spellings;
  private final TextIndex index;

  /**
   * @param values the classes, 2 or more, distinct and not empty
   * @param spellings other texts by the class that they stand for
   */
  public LabelType(List<String> values, Map<String, String> spellings) {
    this.values = TextIndex.stripped(values);
    if (values.size() < 2) {
      throw new IllegalArgumentException("there must be at least 2 classes; had " + values.size());
    }
    this.index = new TextIndex(this.values);
    Map<String, String> stripped = new LinkedHashMap<>();
    spellings.forEach(
        (text, name) -> {
          int known = this.values.indexOf(name.strip());
          if (known < 0) {
            throw new IllegalArgumentException(
                "a spelling must stand for one of the classes; '" + name + "' is none");
          }
          index.add(text.strip(), known);
          stripped.put(text.strip(), name.strip());
        });
    this.spellings = Map.copyOf(stripped);
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    Map<String, String> spellings = given.get(SPELLINGS);
    return ColumnKind.required(given, VALUES).map(values -> new LabelType(values, spellings));
  }

  /** The classes, in the order of their indices. */
  public List<String> values() {
    return values;
  }

  /** Other texts by the class that they stand for. */
  public Map<String, String> spellings() {
    return spellings;
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(VALUES, values).with(SPELLINGS, new TreeMap<>(spellings));
  }

  /** The index of its class, or {@link TextIndex#NONE}. */
  int classOf(Cell cell) {
    return index.of(cell);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof LabelType that
        && values.equals(that.values)
        && spellings.equals(that.spellings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values, spellings);
  }

  @Override
  public String toString() {
    Map<String, String> sorted = new TreeMap<>(spellings);
    return "LabelType[values=%s, spellings=%s of %s]"
        .formatted(
            TextIndex.exact(values),
            TextIndex.exact(sorted.keySet()),
            TextIndex.exact(sorted.values()));
  }
}
