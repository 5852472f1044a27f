package io.mutune.trainer.table;

import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.setting.SettingsReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * One of values that nobody lists: its bucket is the hash of its text (MurmurHash3 of its UTF-8, 32
 * bits, no seed, as a whole number from 0 on, modulo the buckets). Numbers hash as numbers.
 *
 * @param buckets from 2 to {@value #MAX_BUCKETS}
 * @param missing whether a missing value has a bucket
 */
public record HashedType(int buckets, boolean missing) implements ColumnType {
  static final int MAX_BUCKETS = 1 << 16;

  private static final Setting<Long> BUCKETS =
      Setting.count("buckets", 2, MAX_BUCKETS, "the public number of buckets, which values share");

  static final ColumnKind KIND =
      new ColumnKind(
          "hashed",
          "one of many values, hashed into buckets",
          List.of(BUCKETS, CategoryType.MISSING),
          HashedType::read);

  public HashedType {
    if (buckets < 2 || buckets > MAX_BUCKETS) {
      throw new IllegalArgumentException(
          "buckets must be from 2 to " + MAX_BUCKETS + "; was " + buckets);
    }
  }

  private static Optional<ColumnType> read(SettingsReader given) {
    boolean missing = given.get(CategoryType.MISSING);
    return given.require(BUCKETS).map(buckets -> new HashedType(Math.toIntExact(buckets), missing));
  }

  @Override
  public ColumnKind kind() {
    return KIND;
  }

  @Override
  public SettingsMap settings() {
    return new SettingsMap().with(BUCKETS, (long) buckets).with(CategoryType.MISSING, missing);
  }

  @Override
  public int width() {
    return buckets + (missing ? 1 : 0);
  }

  @Override
  public CellFit encode(Cell cell, float[] row, int at) {
    double number = cell.number();
    String text = Double.isNaN(number) ? cell.text() : Cell.written(number);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int hash = MurmurHash3.hash32x86(bytes, 0, bytes.length, 0);
    row[at + Integer.remainderUnsigned(hash, buckets)] = 1;
    return CellFit.FITS;
  }

  @Override
  public CellFit encodeMissing(float[] row, int at) {
    return missing ? CellFit.filled(row, at + buckets) : CellFit.MISSING;
  }

  @Override
  public void describe(String column, CellSteps to) {
    to.hashed(column, buckets, missing);
  }
}
