package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of some values that have an order: the k-th of n, from 0, becomes k/(n − 1). */
public final class OrdinalType extends ComparedBySettings {
  private static final Setting<List<String>> VALUES =
      Setting.texts("values", 2, CategoryType.MAX_VALUES, "the public list of values, in order");
  private static final Setting<String> FILL =
      Setting.text(
          "fill", "one of the values: stands for a missing one, and a flag is added that tells");

  static final ColumnKind KIND =
      new ColumnKind(
          "ordinal",
          "one of a public list of values in order",
          List.of(VALUES, FILL),
          OrdinalType::read);

  private final List<String> values;
  private final @Nullable String fill;
  private final TextIndex index;

  /**
   * @param values 2 or more, distinct and not empty
   * @param fill one of them, or null where a row without a value does not fit
   */
  public OrdinalType(List<String> values, @Nullable String fill) {
    this.values = TextIndex.stripped(values);
    this.fill = fill;
    this.index = new TextIndex(this.values);
    if (values.size() < 2 || values.size() > CategoryType.MAX_VALUES) {
      throw new IllegalArgumentException(
          "an order has 2 to " + CategoryType.MAX_VALUES + " values; had " + values.size());
    }
    if (fill != null && index.of(fill) == TextIndex.NONE) {
      throw new IllegalArgumentException("fill must be one of the values; was " + fill);
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    Optional<String> fill = given.find(FILL);
    return given.require(VALUES).map(values -> new OrdinalType(values, fill.orElse(null)));
  }

  /** In order. */
  public List<String> values() {
    return values;
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(VALUES, values).with(FILL, fill);
  }

  @Override
  public int width() {
    return fill == null ? 1 : 2;
  }

  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    int rank = index.of(cell);
    if (rank == TextIndex.NONE) {
      return CellFit.NOT_LISTED;
    }
    row[at] = share(rank);
    return CellFit.FITS;
  }

  private float share(int rank) {
    return (float) ((double) rank / (values.size() - 1));
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    if (fill == null) {
      return CellFit.MISSING;
    }
    row[at] = share(index.of(fill));
    return CellFit.filled(row, at + 1);
  }

  @Override
  public void describe(String column, CellSteps to) {
    to.listed(column, ListedTexts.of(this, values, null, false));
  }

  @Override
  public String toString() {
    return "OrdinalType[values=%s, fill=%s]".formatted(TextIndex.exact(values), fill);
  }
}
