package io.mutune.trainer.data;

import io.mutune.trainer.table.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import org.jspecify.annotations.Nullable;

/**
 * Keeps at most so many rows of a person. Which ones follows from the key, the person's id and how
 * many rows the person has in which files, by HMAC-SHA256: what others contributed has no say in
 * it, and a file's rows have tags that follow from that file. A row that comes to be kept takes the
 * place of one that no longer is, so that rows that do not count take no memory, however many there
 * are.
 *
 * <p>Units are numbered in the order in which their first rows come; told apart by their whole
 * text.
 */
public final class UnitLimit {
  /** Not secret: who knows it can choose which rows of their own count, and none of others'. */
  private static final byte[] USUAL_KEY =
      "mutune rows of a unit".getBytes(StandardCharsets.US_ASCII);

  /** In place of the place of a row that is not kept. */
  public static final int NOWHERE = -1;

  private static final int FIRST_PLACES = 64;

  private final int rows;
  private final HmacUtils hmac;
  private final Map<String, Own> units = new HashMap<>();
  private int[] unitOf = {};
  private int[] rowOf = {};
  private int places;
  private int passed;
  private int file;

  /** The rows of one unit that are kept, so far. */
  private static final class Own {
    private final int number;
    private long[] tags = {0};
    private int[] places = {0};
    private int kept;

    /** How many rows the file that was read last has so far. */
    private int seen;

    private int file;

    Own(int number) {
      this.number = number;
    }

    void add(long tag, int place) {
      if (kept == tags.length) {
        tags = Arrays.copyOf(tags, 2 * kept);
        places = Arrays.copyOf(places, 2 * kept);
      }
      tags[kept] = tag;
      places[kept++] = place;
    }

    int last() {
      int last = 0;
      for (int i = 1; i < kept; i++) {
        last = Long.compareUnsigned(tags[i], tags[last]) > 0 ? i : last;
      }
      return last;
    }
  }

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

  /** Under the key of all data sets; null where a table has no units. */
  static @Nullable UnitLimit of(@Nullable Table table) {
    return table == null || table.unit() == null
        ? null
        : new UnitLimit(table.unitRows(), USUAL_KEY);
  }

  /**
   * Says which file the next rows are of.
   *
   * @param number its place in the data set, from 0
   */
  void file(int number) {
    file = number;
  }

  /**
   * Where the next row goes: to the next new place, counted from 0, to that of a row of the same
   * unit that is no longer kept, or {@link #NOWHERE}.
   *
   * @param id whose row it is; null of one that counts for nobody
   */
  public int place(@Nullable String id) {
    if (id == null) {
      passed++;
      return NOWHERE;
    }
    return place(id, tag(id));
  }

  /**
   * What decides between the next row and others of its person.
   *
   * @param id whose row it is
   */
  long tag(String id) {
    Own own = own(id);
    if (own.file != file) {
      own.file = file;
      own.seen = 0;
    }
    return tag(own.seen++, id);
  }

  private Own own(String id) {
    return units.computeIfAbsent(id, unit -> new Own(units.size()));
  }

  /** The same as of {@link #place(String)} for a row that has its tag. */
  int place(String id, long tag) {
    int row = passed++;
    Own own = own(id);
    if (own.kept < rows) {
      if (places == unitOf.length) {
        unitOf = Arrays.copyOf(unitOf, Math.max(FIRST_PLACES, 2 * places));
        rowOf = Arrays.copyOf(rowOf, unitOf.length);
      }
      unitOf[places] = own.number;
      rowOf[places] = row;
      own.add(tag, places);
      return places++;
    }
    int last = own.last();
    if (Long.compareUnsigned(tag, own.tags[last]) >= 0) {
      return NOWHERE;
    }
    own.tags[last] = tag;
    rowOf[own.places[last]] = row;
    return own.places[last];
  }

  /** The start of a hash, of which no two are equal but by a chance that does not matter. */
  private long tag(int ordinal, String id) {
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    byte[] hash =
        hmac.hmac(
            ByteBuffer.allocate(2 * Integer.BYTES + text.length)
                .putInt(file)
                .putInt(ordinal)
                .put(text)
                .array());
    return ByteBuffer.wrap(hash).getLong();
  }

  /** Whose the rows in their places are. */
  RowUnits units() {
    int[] firstRows = new int[units.size()];
    Arrays.fill(firstRows, Integer.MAX_VALUE);
    for (int place = 0; place < places; place++) {
      firstRows[unitOf[place]] = Math.min(firstRows[unitOf[place]], rowOf[place]);
    }
    return RowUnits.named(Arrays.copyOf(unitOf, places), names()).from(firstRows);
  }

  /** Whose all rows are that came here, those that are not kept being nobody's. */
  RowUnits unitsOfAll() {
    int[] all = new int[passed];
    Arrays.fill(all, RowUnits.NONE);
    for (int place = 0; place < places; place++) {
      all[rowOf[place]] = unitOf[place];
    }
    long[] names = names();
    long[] inOrder = new long[names.length];
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int row = 0; row < passed; row++) {
      if (all[row] != RowUnits.NONE) {
        long name = names[all[row]];
        all[row] = numbers.computeIfAbsent(all[row], unit -> numbers.size());
        inOrder[all[row]] = name;
      }
    }
    return RowUnits.named(all, inOrder);
  }

  private long[] names() {
    long[] names = new long[units.size()];
    units.forEach((id, own) -> names[own.number] = name(id));
    return names;
  }

  /** The first 64 bits of the SHA-256 of a unit's name; two units that share them may do so. */
  static long name(String id) {
    long bits = ByteBuffer.wrap(DigestUtils.sha256(id.getBytes(StandardCharsets.UTF_8))).getLong();
    return bits == RowUnits.UNNAMED ? 1 : bits;
  }
}
