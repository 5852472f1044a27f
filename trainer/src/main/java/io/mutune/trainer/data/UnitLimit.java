package io.mutune.trainer.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;

/**
 * Keeps at most so many rows of a person. Which ones follows from the key, the person's id and how
 * many rows the person has, by HMAC-SHA256: what others contributed has no say in it.
 */
public final class UnitLimit {
  private final int rows;
  private final HmacUtils hmac;

  /**
   * @param rows of a unit at most, from 1 to {@link RowUnits#MOST_ROWS}
   * @param key at least one byte; it need not be secret for privacy
   * @throws IllegalArgumentException if the limit is out of range or the key is empty
   */
  public UnitLimit(int rows, byte[] key) {
    if (rows < 1 || rows > RowUnits.MOST_ROWS) {
      throw new IllegalArgumentException(
          "the rows of a unit must be limited to 1 to %d; was %d"
              .formatted(RowUnits.MOST_ROWS, rows));
    }
    this.rows = rows;
    this.hmac = new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key.clone());
  }

  /**
   * The units of the rows that are kept, and {@link RowUnits#NONE} for the others.
   *
   * @param unitOf the unit of each row, counted from 0, or {@link RowUnits#NONE}
   * @param ids of the units, as the data set has them
   */
  public int[] kept(int[] unitOf, List<String> ids) {
    List<List<Integer>> rowsOf = new ArrayList<>();
    ids.forEach(id -> rowsOf.add(new ArrayList<>()));
    for (int row = 0; row < unitOf.length; row++) {
      if (unitOf[row] != RowUnits.NONE) {
        rowsOf.get(unitOf[row]).add(row);
      }
    }
    int[] kept = unitOf.clone();
    for (int unit = 0; unit < rowsOf.size(); unit++) {
      List<Integer> own = rowsOf.get(unit);
      for (int ordinal : leftOut(own.size(), ids.get(unit))) {
        kept[own.get(ordinal)] = RowUnits.NONE;
      }
    }
    return kept;
  }

  private List<Integer> leftOut(int count, String id) {
    if (count <= rows) {
      return List.of();
    }
    List<Map.Entry<Integer, byte[]>> tagged = new ArrayList<>();
    for (int ordinal = 0; ordinal < count; ordinal++) {
      tagged.add(Map.entry(ordinal, tag(ordinal, id)));
    }
    tagged.sort(Map.Entry.comparingByValue(Arrays::compareUnsigned));
    return tagged.stream().skip(rows).map(Map.Entry::getKey).toList();
  }

  private byte[] tag(int ordinal, String id) {
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    return hmac.hmac(
        ByteBuffer.allocate(Integer.BYTES + text.length).putInt(ordinal).put(text).array());
  }
}
