package io.mutune.trainer.layout;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.noise.RowBuckets;
import io.mutune.trainer.noise.RowOrders;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows as the kernel reads them: in a secret random order, each scaled by a power of two to a norm
 * in [0.5, 1), padded with zeros to whole vectors and the last block with zero rows. Immutable.
 *
 * <p>The scaling is exact (but for the subnormal part of a value, which is rounded), keeps rows of
 * any size in float32's range and is taken back in double. A row of zeros, or one that is not
 * finite, adds nothing and is left out before the order is drawn, so that it is exactly its own
 * absence. Where rows belong to units, it is the units that are put in order, each with its rows.
 */
public final class RowLayout implements Serializable {
  private static final long serialVersionUID = 1;

  /** Floats a cache line. */
  private static final int LINE = 16;

  private final int features;
  private final int width;
  private final int stride;
  private final int blocks;
  private final RowStore store;
  private final Described described;
  private final int[] firstSlots;
  private final int[] sizes;
  private final int[] buckets;
  private final boolean ofUnits;
  private final RowPairs pairs;

  /**
   * Lays rows out in a new order.
   *
   * @param buckets of the units that have a row that is not left out, and the orders of these: in
   *     one bucket without others, the first is of the rows, and slot i holds row {@code order[i]}
   *     of these
   * @param scratch where rows that are not in memory are put in order
   */
  public static RowLayout of(RowBlocks rows, RowBuckets buckets, int lanes, Path scratch) {
    RowSurvey survey = RowSurvey.of(rows, buckets);
    double[] norms = survey.norms();
    UnitPlaces places =
        UnitPlaces.of(survey.sizes(), survey.buckets(), buckets.count(), buckets::orders);
    int[] slotOf = slots(norms, RowSurvey.units(rows), places);
    int width = roundUp(rows.columns(), lanes);
    int stride = strideOf(width);
    RowStore.Filled store =
        rows.inMemory()
            ? new HeapRows(places.blocks(), stride)
            : new ScratchRows(places.blocks(), stride, scratch);
    int slots = Math.multiplyExact(places.blocks(), BlockKernel.ROWS);
    Described described = new Described(slots);
    float[] scaled = new float[stride];
    int row = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++, row++) {
        if (slotOf[row] != UnitPlaces.NOWHERE && isAsSurveyed(rows, block, i, norms[row])) {
          described.set(slotOf[row], norms[row], block.labels()[i]);
          scale(block.features(), i * rows.columns(), rows.columns(), norms[row], scaled);
          store.put(slotOf[row], scaled);
        }
      }
    }
    store.finish();
    RowPairs pairs = RowPairs.of(places, store, width, stride);
    return new RowLayout(
        rows.columns(),
        width,
        places.blocks(),
        store,
        described,
        places.firstSlots(),
        survey.sizes(),
        survey.buckets(),
        rows.units().isPresent(),
        pairs);
  }

  /** A row whose file was written to since would not be clipped by its own norm. */
  private static boolean isAsSurveyed(RowBlocks rows, RowBlocks.Block block, int row, double norm) {
    int columns = rows.columns();
    return rows.inMemory() || EuclideanNorm.of(block.features(), row * columns, columns) == norm;
  }

  private RowLayout(
      int features,
      int width,
      int blocks,
      RowStore store,
      Described described,
      int[] firstSlots,
      int[] sizes,
      int[] buckets,
      boolean ofUnits,
      RowPairs pairs) {
    this.features = features;
    this.width = width;
    this.stride = strideOf(width);
    this.blocks = blocks;
    this.store = store;
    this.described = described;
    this.firstSlots = firstSlots;
    this.sizes = sizes;
    this.buckets = buckets;
    this.ofUnits = ofUnits;
    this.pairs = pairs;
  }

  private static int[] slots(double[] norms, RowUnits units, UnitPlaces places) {
    int[] slotOf = new int[norms.length];
    Arrays.fill(slotOf, UnitPlaces.NOWHERE);
    for (int unit = 0; unit < units.count(); unit++) {
      int slot = places.firstSlots()[unit];
      for (int i = 0; i < units.size(unit); i++) {
        int row = units.row(unit, i);
        if (norms[row] > 0) {
          slotOf[row] = slot++;
        }
      }
    }
    return slotOf;
  }

  /**
   * The units that a sample takes in an order of their own, as if there were no others: a Poisson
   * sample of several buckets in each by itself, all others of all units.
   *
   * @param sample asked once for every unit of the data set, in their order, or by bucket
   * @param orders of the units that are taken, where no buckets are asked
   */
  public RowLayout sampled(RowSample sample, RowOrders orders) {
    requireUnits();
    if (buckets.length > 0 && sample instanceof PoissonSample poisson) {
      return sampled(poisson.byBucket());
    }
    int[] units =
        IntStream.range(0, firstSlots.length)
            .filter(unit -> sample.takesNext() && firstSlots[unit] != UnitPlaces.NOWHERE)
            .toArray();
    return chosen(units, UnitPlaces.of(picked(units, sizes), orders));
  }

  /**
   * The units that a sample takes of each bucket, in an order of their own. Those without a place
   * have no coin.
   */
  public RowLayout sampled(BucketSample sample) {
    requireUnits();
    int count = IntStream.of(buckets).max().orElse(0) + 1;
    RowSample[] samples = new RowSample[count];
    int[] units =
        IntStream.range(0, firstSlots.length)
            .filter(unit -> firstSlots[unit] != UnitPlaces.NOWHERE)
            .filter(unit -> ofBucket(bucket(unit), samples, sample).takesNext())
            .toArray();
    int[] bucketOf = IntStream.of(units).map(this::bucket).toArray();
    return chosen(
        units, UnitPlaces.of(picked(units, sizes), bucketOf, count, sample.keys()::orders));
  }

  private void requireUnits() {
    if (blocks > 0 && firstSlots.length == 0) {
      throw new IllegalStateException("these rows are nobody's: no sample can be drawn of them");
    }
  }

  private int bucket(int unit) {
    return buckets.length == 0 ? 0 : buckets[unit];
  }

  private static RowSample ofBucket(int bucket, RowSample[] samples, BucketSample sample) {
    if (samples[bucket] == null) {
      samples[bucket] = sample.of(bucket);
    }
    return samples[bucket];
  }

  private static int[] picked(int[] units, int[] values) {
    return IntStream.of(units).map(unit -> values[unit]).toArray();
  }

  /** Some units at other places, without buckets: of a sample none is drawn. */
  private RowLayout chosen(int[] units, UnitPlaces places) {
    int[] from = picked(units, firstSlots);
    int[] ofTaken = picked(units, sizes);
    int[] chosen = new int[Math.multiplyExact(places.blocks(), BlockKernel.ROWS)];
    Arrays.fill(chosen, UnitPlaces.NOWHERE);
    Described picked = new Described(chosen.length);
    for (int unit = 0; unit < units.length; unit++) {
      for (int i = 0; i < ofTaken[unit]; i++) {
        int slot = places.firstSlots()[unit] + i;
        chosen[slot] = from[unit] + i;
        picked.copy(slot, described, chosen[slot]);
      }
    }
    RowStore rows = new ChosenRows(store, chosen, stride);
    return new RowLayout(
        features,
        width,
        places.blocks(),
        rows,
        picked,
        places.firstSlots(),
        ofTaken,
        new int[0],
        ofUnits,
        pairs.moved(from, places));
  }

  /**
   * A copy of some of the blocks, in memory, of which all have a norm and a label but no unit: for
   * sums over all rows.
   *
   * @param number from 0
   * @param of how many parts all blocks are cut into, each as large as any other but for one block
   */
  public RowLayout part(int number, int of) {
    int first = (int) ((long) blocks * number / of);
    int end = (int) ((long) blocks * (number + 1) / of);
    int from = first * BlockKernel.ROWS;
    Described copied = new Described((end - first) * BlockKernel.ROWS);
    HeapRows rows = new HeapRows(end - first, stride);
    float[] row = new float[stride];
    for (int slot = 0; slot < copied.labels.length; slot++) {
      copied.copy(slot, described, from + slot);
      store.copy(from + slot, row, 0);
      rows.put(slot, row);
    }
    int[] noUnits = {};
    return new RowLayout(
        features,
        width,
        end - first,
        rows,
        copied,
        noUnits,
        noUnits,
        noUnits,
        ofUnits,
        pairs.range(first, end));
  }

  private static int roundUp(int value, int multiple) {
    return Math.multiplyExact((value - 1) / multiple + 1, multiple);
  }

  /** Rows a multiple of 16 lines apart would share few sets of the cache. */
  private static int strideOf(int width) {
    return width % (16 * LINE) == 0 ? width + LINE : width;
  }

  /** What is known of each slot's row; padding has norm 0 and label −1. */
  private static final class Described implements Serializable {
    private static final long serialVersionUID = 1;

    private final double[] norms;
    private final float[] low;
    private final float[] high;
    private final int[] labels;

    Described(int slots) {
      norms = new double[slots];
      low = new float[slots];
      high = new float[slots];
      labels = new int[slots];
      Arrays.fill(labels, -1);
    }

    void set(int slot, double norm, int label) {
      int exponent = exponent(norm);
      labels[slot] = label;
      norms[slot] = norm;
      low[slot] = (float) Math.scalb(1.0, exponent / 2);
      high[slot] = (float) Math.scalb(1.0, exponent - exponent / 2);
    }

    void copy(int slot, Described from, int of) {
      labels[slot] = from.labels[of];
      norms[slot] = from.norms[of];
      low[slot] = from.low[of];
      high[slot] = from.high[of];
    }
  }

  private static int exponent(double norm) {
    return Math.getExponent(norm) + 1;
  }

  private static void scale(float[] from, int start, int features, double norm, float[] to) {
    int exponent = exponent(norm);
    for (int j = 0; j < features; j++) {
      to[j] = (float) Math.scalb((double) from[start + j], -exponent);
    }
  }

  public int features() {
    return features;
  }

  /** Floats of a row that count: the features, and zeros up to whole vectors. */
  public int width() {
    return width;
  }

  /** Floats from one row to the next. */
  public int stride() {
    return stride;
  }

  /** How many blocks of {@link BlockKernel#ROWS} rows there are. */
  public int blocks() {
    return blocks;
  }

  /** The rows themselves. */
  public RowStore store() {
    return store;
  }

  /** ‖x‖ a row; 0 for padding. */
  public double[] norms() {
    return described.norms;
  }

  /** With {@link #high} as a factor, what a row was divided by, which may be no float itself. */
  public float[] low() {
    return described.low;
  }

  /** With {@link #low} as a factor, what a row was divided by. */
  public float[] high() {
    return described.high;
  }

  /** The label a row, −1 for those that are padding. */
  public int[] labels() {
    return described.labels;
  }

  /** Whether rows belong to units, which are clipped as one. */
  public boolean ofUnits() {
    return ofUnits;
  }

  /** Whether these are some units of another layout. */
  public boolean isSample() {
    return store instanceof ChosenRows;
  }

  /**
   * Products of the rows of a block's units: {@code [size, ROWS]}, at lag l and slot i the product
   * of slots i and i + l, twice for l above 0. Null where its units have one row each.
   */
  public double @Nullable [] pairs(int block) {
    return pairs.of(block);
  }
}
