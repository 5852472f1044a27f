package io.mutune.trainer.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/** Numbers units in the order in which their first rows come; told apart by their whole text. */
final class UnitNames {
  /** Not secret: who knows it can choose which rows of their own count, and none of others'. */
  private static final byte[] LIMIT_KEY =
      "mutune rows of a unit".getBytes(StandardCharsets.US_ASCII);

  private final Map<String, Integer> numbers = new HashMap<>();

  /** The number of the unit that has this name; {@link RowUnits#NONE} for no name. */
  int number(@Nullable String name) {
    return name == null ? RowUnits.NONE : numbers.computeIfAbsent(name, unit -> numbers.size());
  }

  /**
   * The units of the rows that count, numbered in the order of these rows.
   *
   * @param unitOf what {@link #number} gave for each row
   * @param most rows of a unit
   */
  RowUnits kept(int[] unitOf, int most) {
    List<String> ids = new ArrayList<>(Collections.nCopies(numbers.size(), ""));
    numbers.forEach((name, unit) -> ids.set(unit, name));
    int[] kept = new UnitLimit(most, LIMIT_KEY).kept(unitOf, ids);
    Map<Integer, Integer> counted = new HashMap<>();
    long[] names = new long[ids.size()];
    for (int row = 0; row < kept.length; row++) {
      if (kept[row] != RowUnits.NONE) {
        String id = ids.get(kept[row]);
        kept[row] = counted.computeIfAbsent(kept[row], unit -> counted.size());
        if (names[kept[row]] == RowUnits.UNNAMED) {
          names[kept[row]] = name(id);
        }
      }
    }
    return RowUnits.named(kept, names);
  }

  /** The first 64 bits of the SHA-256 of a unit's name; two units that share them may do so. */
  static long name(String id) {
    long bits = ByteBuffer.wrap(DigestUtils.sha256(id.getBytes(StandardCharsets.UTF_8))).getLong();
    return bits == RowUnits.UNNAMED ? 1 : bits;
  }
}
