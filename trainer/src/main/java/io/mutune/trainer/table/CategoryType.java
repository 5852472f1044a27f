package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;

/** One of some listed values: a bucket for each, of which one has a 1. */
public final class CategoryType extends ComparedBySettings {
  /** Longer lists are hashed. */
  public static final int MAX_VALUES = 10_000;

  static final Setting<List<String>> VALUES =
      Setting.texts("values", 1, MAX_VALUES, "the public list of values; a longer one is hashed");
  private static final Setting<Boolean> OTHER =
      Setting.flag("other", "whether values outside the list share a bucket; else they do not fit")
          .usually(false);
  static final Setting<Boolean> MISSING =
      Setting.flag("missing", "whether missing values have a bucket; else they do not fit")
          .usually(false);

  static final ColumnKind KIND =
      new ColumnKind(
          "category",
          "one of a public list of values",
          List.of(VALUES, OTHER, MISSING),
          CategoryType::read);

  private final List<String> values;
  private final boolean other;
  private final boolean missing;
  private final TextIndex index;

  /**
   * @param values 1 to {@link #MAX_VALUES}, distinct and not empty
   * @param other whether any other value has a bucket
   * @param missing whether a missing value has a bucket
   */
  public CategoryType(List<String> values, boolean other, boolean missing) {
    this.values = TextIndex.stripped(values);
    this.other = other;
    this.missing = missing;
    if (values.isEmpty() || values.size() > MAX_VALUES) {
      throw new IllegalArgumentException(
          "a category has 1 to " + MAX_VALUES + " values; had " + values.size());
    }
    this.index = new TextIndex(this.values);
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    boolean other = given.get(OTHER);
    boolean missing = given.get(MISSING);
    return given.require(VALUES).map(values -> new CategoryType(values, other, missing));
  }

  /** In the order of their buckets. */
  public List<String> values() {
    return values;
  }

  public boolean other() {
    return other;
  }

  public boolean missing() {
    return missing;
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(VALUES, values).with(OTHER, other).with(MISSING, missing);
  }

  @Override
  public int width() {
    return values.size() + (other ? 1 : 0) + (missing ? 1 : 0);
  }

  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    int bucket = index.of(cell);
    if (bucket == TextIndex.NONE && !other) {
      return CellFit.NOT_LISTED;
    }
    row[at + (bucket == TextIndex.NONE ? values.size() : bucket)] = 1;
    return bucket == TextIndex.NONE ? CellFit.OTHER : CellFit.FITS;
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    return missing ? CellFit.filled(row, at + width() - 1) : CellFit.MISSING;
  }

  @Override
  public void describe(String column, CellSteps to) {
    ListedTexts.Outcome others = other ? new ListedTexts.Outcome(values.size(), 1, false) : null;
    to.listed(column, ListedTexts.of(this, values, others, false));
  }

  @Override
  public String toString() {
    return "CategoryType[values=%s, other=%s, missing=%s]"
        .formatted(TextIndex.exact(values), other, missing);
  }
}
