package io.mutune.trainer.table;

import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The class that a model predicts. */
public final class LabelType extends ComparedBySettings {
  private static final Setting<List<String>> VALUES =
      Setting.texts("values", 2, CategoryType.MAX_VALUES, "the public list of classes");
  private static final Setting<Map<String, String>> SPELLINGS =
      Setting.textMap("spellings", "other texts of the file, and which class each stands for")
          .usually(Map.of());

  private static final Setting<Map<String, String>> WEIGHTS =
      Setting.textMap(
              "weights", "how much a row of each class counts in training: public, ratios alone")
          .usually(Map.of());

  static final ColumnKind KIND =
      new ColumnKind(
          "label",
          "the class that a model predicts",
          List.of(VALUES, SPELLINGS, WEIGHTS),
          LabelType::read);

  private final List<String> values;
  private final Map<String, String> spellings;
  private final List<Double> weights;
  private final TextIndex index;

  /**
   * @param values the classes, 2 or more, distinct and not empty
   * @param spellings other texts by the class that they stand for
   * @param weights of the classes, as {@link NumberRule#CLASS_WEIGHT} has them; none where they
   *     count alike
   */
  public LabelType(List<String> values, Map<String, String> spellings, List<Double> weights) {
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
    this.weights = List.copyOf(weights);
    if ((!weights.isEmpty() && weights.size() != values.size())
        || !weights.stream().allMatch(NumberRule.CLASS_WEIGHT::holds)) {
      throw new IllegalArgumentException(
          "there must be a weight for each class, " + NumberRule.CLASS_WEIGHT.text());
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    Map<String, String> spellings = given.get(SPELLINGS);
    Map<String, String> weights = given.get(WEIGHTS);
    return given
        .require(VALUES)
        .map(values -> new LabelType(values, spellings, weights(given, values, weights)));
  }

  /** Those of the classes; what is wrong with them is noted, and then there are none. */
  private static List<Double> weights(
      SettingsReader given, List<String> values, Map<String, String> written) {
    List<Double> weights = new ArrayList<>();
    for (String value : written.isEmpty() ? List.<String>of() : TextIndex.stripped(values)) {
      String text = written.get(value);
      if (text == null) {
        given.broken(WEIGHTS, "must have one for each class", "none for " + value);
        return List.of();
      }
      Optional<Double> number = NumberRule.CLASS_WEIGHT.read(text);
      if (number.isEmpty()) {
        given.broken(WEIGHTS, "must be " + NumberRule.CLASS_WEIGHT.text(), value + ": " + text);
        return List.of();
      }
      weights.add(number.get());
    }
    for (String name : written.keySet()) {
      if (!TextIndex.stripped(values).contains(name)) {
        given.broken(WEIGHTS, "must be of classes: " + String.join(", ", values), name);
        return List.of();
      }
    }
    return weights;
  }

  /** The classes, in the order of their indices. */
  public List<String> values() {
    return values;
  }

  /** How much a row of each class counts, in their order; empty where they count alike. */
  public List<Double> weights() {
    return weights;
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    Map<String, String> written = new LinkedHashMap<>();
    for (int i = 0; i < weights.size(); i++) {
      written.put(values.get(i), weights.get(i).toString());
    }
    return new SettingsMap()
        .with(VALUES, values)
        .with(SPELLINGS, new TreeMap<>(spellings))
        .with(WEIGHTS, written.isEmpty() ? null : written);
  }

  /** The index of its class, or {@link TextIndex#NONE}. */
  int classOf(Cell cell) {
    return index.of(cell);
  }

  /** Without the weights, which change no row: this is part of the names of kept features. */
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
