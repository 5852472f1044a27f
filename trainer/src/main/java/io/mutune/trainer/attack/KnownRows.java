package io.mutune.trainer.attack;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows that an attacker knows whole, one by one: public or simulated ones, or made up, and whose
 * they are. Immutable; callers must not write to the arrays.
 */
public final class KnownRows {
  private final int columns;
  private final float[][] values;
  private final int[] labels;
  private final RowUnits people;
  private final boolean clipsPeople;

  /**
   * Each row of somebody else.
   *
   * @param columns of each row
   * @param values {@code [rows][columns]}
   * @param labels class indices, one a row
   */
  KnownRows(int columns, float[][] values, int[] labels) {
    this(columns, values, labels, RowUnits.single(labels.length), false);
  }

  private KnownRows(
      int columns, float[][] values, int[] labels, RowUnits people, boolean clipsPeople) {
    if (values.length != labels.length
        || people.rows() != labels.length
        || Arrays.stream(values).anyMatch(row -> row.length != columns)) {
      throw new IllegalArgumentException("rows of another width, or without a label each");
    }
    this.columns = columns;
    this.values = values;
    this.labels = labels;
    this.people = people;
    this.clipsPeople = clipsPeople;
  }

  /** In their order, and with whom they belong to where they belong to people. */
  public static KnownRows of(PublicRows rows) {
    int columns = rows.blocks().columns();
    List<float[]> values = new ArrayList<>();
    IntStream.Builder labels = IntStream.builder();
    for (RowBlocks.Block block : rows.blocks().blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        values.add(Arrays.copyOfRange(block.features(), i * columns, (i + 1) * columns));
        labels.add(block.labels()[i]);
      }
    }
    return new KnownRows(
        columns,
        values.toArray(float[][]::new),
        labels.build().toArray(),
        rows.blocks().units().orElseGet(() -> RowUnits.single(values.size())),
        rows.blocks().units().isPresent());
  }

  /**
   * Each of these rows so many times, all of one person.
   *
   * @param rows of a person
   * @param clipped whether training clips the sum of a person's gradients, and not each row's
   */
  public KnownRows asPeople(int rows, boolean clipped) {
    int[] all = IntStream.range(0, count() * rows).map(i -> i / rows).toArray();
    return with(all, RowUnits.runs(count(), rows), clipped);
  }

  /** Whose they are: each row is somebody's, or nobody's where it adds nothing. */
  public RowUnits people() {
    return people;
  }

  /** Whether training clips the sum of a person's gradients, and not each row's. */
  public boolean clipsPeople() {
    return clipsPeople;
  }

  public int count() {
    return labels.length;
  }

  /** The number of features of every row. */
  public int columns() {
    return columns;
  }

  float[] row(int row) {
    return values[row];
  }

  int label(int row) {
    return labels[row];
  }

  /** The mean of something over each person's rows. */
  double[] means(IntToDoubleFunction ofRow) {
    double[] means = new double[people.count()];
    for (int person = 0; person < means.length; person++) {
      double sum = 0;
      for (int i = 0; i < people.size(person); i++) {
        sum += ofRow.applyAsDouble(people.row(person, i));
      }
      means[person] = sum / people.size(person);
    }
    return means;
  }

  /** All rows of the people for whom {@code kept} is {@code value}. */
  public KnownRows where(boolean[] kept, boolean value) {
    return only(IntStream.range(0, people.count()).filter(i -> kept[i] == value).toArray());
  }

  /** All rows of some people, one person after the other. */
  public KnownRows only(int... some) {
    IntStream.Builder rows = IntStream.builder();
    IntStream.Builder owners = IntStream.builder();
    for (int i = 0; i < some.length; i++) {
      for (int j = 0; j < people.size(some[i]); j++) {
        rows.add(people.row(some[i], j));
        owners.add(i);
      }
    }
    return with(rows.build().toArray(), RowUnits.of(owners.build().toArray()), clipsPeople);
  }

  private KnownRows with(int[] rows, RowUnits owners, boolean clipped) {
    return new KnownRows(
        columns,
        Arrays.stream(rows).mapToObj(i -> values[i]).toArray(float[][]::new),
        Arrays.stream(rows).map(i -> labels[i]).toArray(),
        owners,
        clipped);
  }

  /**
   * These, then the others, who are other people.
   *
   * @throws IllegalArgumentException if training clips the two otherwise
   */
  public KnownRows and(KnownRows others) {
    if (others.clipsPeople != clipsPeople) {
      throw new IllegalArgumentException("people who are clipped, and rows that are");
    }
    return new KnownRows(
        columns,
        Stream.concat(Arrays.stream(values), Arrays.stream(others.values)).toArray(float[][]::new),
        IntStream.concat(Arrays.stream(labels), Arrays.stream(others.labels)).toArray(),
        people.and(others.people),
        clipsPeople);
  }

  /**
   * Their images.
   *
   * @throws IllegalArgumentException if a map is not made for such rows
   */
  public KnownRows mapped(FeaturePipeline maps) {
    int outputs = maps.outputs(columns);
    RowMap map = maps.open(columns);
    float[][] images = new float[count()][outputs];
    for (int i = 0; i < images.length; i++) {
      map.apply(values[i], 0, images[i], 0);
    }
    return new KnownRows(outputs, images, labels, people, clipsPeople);
  }

  /**
   * Writes them as {@code npz} rows with labels {@code 0, 1, …}, a form that every sweep reads.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(Path file) throws IOException {
    double[] all = new double[Math.multiplyExact(count(), columns)];
    for (int i = 0; i < count(); i++) {
      for (int j = 0; j < columns; j++) {
        all[i * columns + j] = values[i][j];
      }
    }
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    arrays.put("features", new NpyArray(new int[] {count(), columns}, all));
    arrays.put(
        "labels",
        new NpyArray(new int[] {count()}, Arrays.stream(labels).asDoubleStream().toArray()));
    NpzFile.write(file, arrays);
  }

  /** The same rows, every value times this. */
  public KnownRows times(double factor) {
    float[][] scaled = new float[count()][columns];
    for (int i = 0; i < scaled.length; i++) {
      for (int j = 0; j < columns; j++) {
        scaled[i][j] = (float) (factor * values[i][j]);
      }
    }
    return new KnownRows(columns, scaled, labels, people, clipsPeople);
  }

  /**
   * One row of zeros, under the second class: its gradient is zero, and a model that has no opinion
   * says the first class, so that no count of right answers moves either.
   */
  public KnownRows silent() {
    return new KnownRows(columns, new float[1][columns], new int[] {1});
  }

  /** Whether every value is 0. */
  public boolean isZero() {
    return Arrays.stream(values)
        .allMatch(row -> IntStream.range(0, columns).allMatch(j -> row[j] == 0));
  }

  /** The greatest magnitude of a value; 1 where all are 0. */
  float greatest() {
    float greatest = 0;
    for (float[] row : values) {
      for (float value : row) {
        greatest = Math.max(greatest, Math.abs(value));
      }
    }
    return greatest == 0 ? 1 : greatest;
  }

  /** The features by how little the rows have in them, the least first. */
  int[] quietest() {
    double[] squares = new double[columns];
    for (float[] row : values) {
      for (int j = 0; j < columns; j++) {
        squares[j] += (double) row[j] * row[j];
      }
    }
    return IntStream.range(0, columns)
        .boxed()
        .sorted(Comparator.comparingDouble(j -> squares[j]))
        .mapToInt(j -> j)
        .toArray();
  }

  /**
   * A linear model that says of these rows, as they then are, what a model says of them.
   *
   * @throws IOException if its trainer has to be asked, and fails
   */
  public TrainedModel.Evaluated<KnownRows> on(TrainedModel model) throws IOException {
    if (model instanceof LinearModel linear) {
      return new TrainedModel.Evaluated<>(linear, this);
    }
    TrainedModel.Evaluated<PublicRows> evaluated = model.on(asPublic());
    KnownRows scored = of(evaluated.rows());
    return new TrainedModel.Evaluated<>(
        evaluated.model(),
        new KnownRows(scored.columns, scored.values, labels, people, clipsPeople));
  }

  /** For whoever reads rows without a charge. */
  public PublicRows asPublic() {
    return new PublicRows(blocks());
  }

  /** For sums over them; they need no charge. */
  PrivateRows open() {
    return new PrivateRows(blocks());
  }

  private RowBlocks blocks() {
    List<RowBlocks.Block> blocks = new ArrayList<>();
    for (int from = 0; from < count(); from += RowBlocks.BLOCK_ROWS) {
      int rows = Math.min(RowBlocks.BLOCK_ROWS, count() - from);
      float[] features = new float[rows * columns];
      for (int i = 0; i < rows; i++) {
        System.arraycopy(values[from + i], 0, features, i * columns, columns);
      }
      blocks.add(new RowBlocks.Block(features, Arrays.copyOfRange(labels, from, from + rows)));
    }
    RowBlocks all = new RowBlocks(columns, blocks);
    return clipsPeople ? all.withUnits(people) : all;
  }
}
