package io.mutune.trainer.gradient;

import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.kernel.DoubleDoubleSum;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.layout.RowSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.concurrency.AffinityManager;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Rows in float32, arithmetic in double: three matrix products by BLAS a piece of rows, and the
 * pieces added up in twice its precision.
 *
 * <p>A row x is held as its direction u = x/‖x‖ in float32 and its norm in double, so rows of any
 * size stay in float32's range: the logits are ‖x‖·(u·W), and the row adds u ⊗ s with s = ‖x‖ times
 * the clipped residual, of norm at most C. Where logits that overflow even so make a residual that
 * is no number, the row adds nothing. A step over all rows in memory allocates no array memory; of
 * rows that stay in their file a step reads and prepares one piece at a time.
 *
 * <p>The products are not in float32 because a row that is taken out moves all later ones, so that
 * every partial sum is rounded otherwise: in float32 two neighbours' sums were measured to be up to
 * 1.01·C apart. In double the products of a piece of m rows are off by at most m²·2^−53·C, so that
 * n rows move neighbours' sums apart by at most n·2.3e-13·C, which {@link ClipNorm} has room for up
 * to a thousand million rows.
 *
 * <p>Logits are exact, whatever order BLAS adds in, so that those of a row follow from this row
 * alone: which others stand beside it, and how many, decides how BLAS goes about a product. For
 * that u is rounded to multiples of 2^−24, and the weights of a column to the sum of two whole
 * numbers, each times a unit; by Cauchy's inequality no partial sum of their products needs more
 * than 53 bits. So u may be √d·2^−25 too long for d features, and a feature that is small beside
 * its row's norm loses digits.
 */
final class Nd4jClippedSum implements ClippedSum {
  /** Measured at 784 and 1024 features: up to a tenth less time than pieces of 512 or 4096 rows. */
  private static final int PIECE_ROWS = 1024;

  private static final double GRID = 0x1p24;

  /** Rows of a sample that are worked on together; small, since samples are. */
  private static final int SAMPLED_ROWS = 256;

  /**
   * Some rows as ND4J has them.
   *
   * @param directions u in float32, {@code [rows, features]}, 'c'
   * @param wide u in double while the piece is worked on; shared by the pieces of one length
   * @param logits Z transposed, {@code [columns, rows]}, 'f'; shared by the pieces of one length
   * @param norms ‖x‖ a row; 0 for a row that is not finite, which then adds what a zero row does
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Piece(
      INDArray directions, INDArray wide, INDArray logits, double[] norms, int[] labels) {}

  private final int features;
  private final int columns;
  private final ClippedResidual clipped;
  private final RowBlocks rows;
  private final List<Piece> pieces = new ArrayList<>();
  private @Nullable Piece sampled;
  private final Map<Integer, INDArray> logits = new HashMap<>();
  private final Map<Integer, INDArray> wide = new HashMap<>();
  private final Map<Integer, INDArray> narrow = new HashMap<>();
  private final float[] scratch;
  private final List<INDArray> arrays = new ArrayList<>();

  /** Of a whole number, without its sign. */
  private final int bits;

  /** By which the first whole numbers are multiplied, a column; the second by 2^−bits of it. */
  private final double[] units;

  private final INDArray firstArray;
  private final INDArray secondArray;
  private final INDArray sumArray;
  private final double[] transposed;
  private final double[] transposedRest;
  private final double[] pieceLogits;
  private final double[] pieceRest;
  private final double[] residual;
  private final DoubleDoubleSum total;

  Nd4jClippedSum(RowBlocks rows, int columns, ClippedResidual clipped) {
    this.rows = rows;
    this.features = rows.columns();
    this.columns = columns;
    this.clipped = clipped;
    bits = 28 - (Integer.SIZE - Integer.numberOfLeadingZeros(features)) / 2;
    units = new double[columns];
    firstArray = array(DataType.DOUBLE, 'f', features, columns);
    secondArray = array(DataType.DOUBLE, 'f', features, columns);
    sumArray = array(DataType.DOUBLE, 'f', features, columns);
    transposed = new double[Math.multiplyExact(features, columns)];
    transposedRest = new double[transposed.length];
    pieceLogits = new double[Math.multiplyExact(PIECE_ROWS, columns)];
    pieceRest = new double[pieceLogits.length];
    residual = new double[columns];
    total = new DoubleDoubleSum(transposed.length);
    scratch = new float[Math.multiplyExact(PIECE_ROWS, features)];
    if (rows.inMemory()) {
      forEachPiece(n -> array(DataType.FLOAT, 'c', n, features), pieces::add);
    }
  }

  /** Makes the pieces of all rows, one after the other. */
  private void forEachPiece(IntFunction<INDArray> directions, Consumer<Piece> taker) {
    for (RowBlocks.Block block : rows.blocks()) {
      for (int from = 0; from < block.rows(); from += PIECE_ROWS) {
        int to = Math.min(block.rows(), from + PIECE_ROWS);
        taker.accept(prepared(block, from, to, directions.apply(to - from)));
      }
    }
  }

  private Piece prepared(RowBlocks.Block block, int from, int to, INDArray directions) {
    double[] norms = new double[to - from];
    for (int i = 0; i < norms.length; i++) {
      norms[i] = toDirection(block, from + i, scratch, i);
    }
    ((FloatPointer) directions.data().pointer()).put(scratch, 0, norms.length * features);
    written(directions);
    return new Piece(
        directions,
        wide.computeIfAbsent(to - from, n -> array(DataType.DOUBLE, 'c', n, features)),
        logits.computeIfAbsent(to - from, n -> array(DataType.DOUBLE, 'f', columns, n)),
        norms,
        Arrays.copyOfRange(block.labels(), from, to));
  }

  /** Writes a row's direction as row {@code to} of the scratch and returns its norm. */
  private double toDirection(RowBlocks.Block block, int row, float[] scratch, int to) {
    float[] values = block.features();
    int start = row * features;
    double norm = EuclideanNorm.of(values, start, features);
    double kept = Double.isFinite(norm) ? norm : 0;
    for (int j = 0; j < features; j++) {
      scratch[to * features + j] =
          kept > 0 ? (float) (Math.rint(values[start + j] / kept * GRID) / GRID) : 0;
    }
    return kept;
  }

  @Override
  public void compute(double[] weights, double[] sum) {
    compute(weights, clipped.clip(), RowSample.ALL, sum);
  }

  @Override
  public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
    split(weights);
    total.clear();
    ClippedResidual atClip = clipped.at(clip);
    if (sample != RowSample.ALL) {
      addSample(sample, atClip);
    } else if (rows.inMemory()) {
      pieces.forEach(piece -> addPiece(piece, atClip));
    } else {
      forEachPiece(
          n -> narrow.computeIfAbsent(n, m -> array(DataType.FLOAT, 'c', m, features)),
          piece -> addPiece(piece, atClip));
    }
    System.arraycopy(total.rounded(), 0, sum, 0, sum.length);
  }

  /** Writes the weights as whole numbers. */
  private void split(double[] weights) {
    for (int c = 0; c < columns; c++) {
      double largest = 0;
      for (int j = 0; j < features; j++) {
        largest = Math.max(largest, Math.abs(weights[j * columns + c]));
      }
      units[c] = Math.max(Double.MIN_NORMAL, Math.scalb(1.0, Math.getExponent(largest) + 1 - bits));
      for (int j = 0; j < features; j++) {
        double count = weights[j * columns + c] / units[c];
        double whole = Math.rint(count);
        transposed[c * features + j] = whole;
        transposedRest[c * features + j] = Math.rint(Math.scalb(count - whole, bits));
      }
    }
    pointer(firstArray).put(transposed);
    written(firstArray);
    pointer(secondArray).put(transposedRest);
    written(secondArray);
  }

  /** Gathers the sampled rows into one piece, again and again; what stays empty is zero rows. */
  private void addSample(RowSample sample, ClippedResidual atClip) {
    Piece piece = samplePiece();
    float[] gathered = new float[Math.multiplyExact(SAMPLED_ROWS, features)];
    int filled = 0;
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        if (!sample.takesNext()) {
          continue;
        }
        piece.norms()[filled] = toDirection(block, i, gathered, filled);
        piece.labels()[filled] = block.labels()[i];
        filled++;
        if (filled == SAMPLED_ROWS) {
          addGathered(piece, gathered, atClip);
          filled = 0;
        }
      }
    }
    if (filled > 0) {
      Arrays.fill(gathered, filled * features, gathered.length, 0);
      Arrays.fill(piece.norms(), filled, SAMPLED_ROWS, 0);
      Arrays.fill(piece.labels(), filled, SAMPLED_ROWS, 0);
      addGathered(piece, gathered, atClip);
    }
  }

  private void addGathered(Piece piece, float[] gathered, ClippedResidual atClip) {
    ((FloatPointer) piece.directions().data().pointer()).put(gathered, 0, gathered.length);
    written(piece.directions());
    addPiece(piece, atClip);
  }

  private Piece samplePiece() {
    if (sampled == null) {
      sampled =
          new Piece(
              array(DataType.FLOAT, 'c', SAMPLED_ROWS, features),
              array(DataType.DOUBLE, 'c', SAMPLED_ROWS, features),
              array(DataType.DOUBLE, 'f', columns, SAMPLED_ROWS),
              new double[SAMPLED_ROWS],
              new int[SAMPLED_ROWS]);
    }
    return sampled;
  }

  private void addPiece(Piece piece, ClippedResidual atClip) {
    INDArray z = piece.logits();
    INDArray directions = piece.wide().assign(piece.directions());
    int length = piece.norms().length * columns;
    Nd4j.gemm(firstArray, directions, z, true, true, 1, 0);
    readable(z).get(pieceLogits, 0, length);
    Nd4j.gemm(secondArray, directions, z, true, true, 1, 0);
    readable(z).get(pieceRest, 0, length);
    toScaledResiduals(piece, atClip, pointer(z));
    written(z);
    Nd4j.gemm(directions, z.transpose(), sumArray, true, false, 1, 0);
    readable(sumArray).get(transposed);
    for (int j = 0; j < features; j++) {
      for (int c = 0; c < columns; c++) {
        total.add(j * columns + c, transposed[c * features + j]);
      }
    }
  }

  /** From both parts of the rows of u·W to the rows of S. */
  private void toScaledResiduals(Piece piece, ClippedResidual atClip, DoublePointer logits) {
    int length = piece.norms().length * columns;
    for (int i = 0, at = 0; at < length; i++, at += columns) {
      double norm = piece.norms()[i];
      for (int c = 0; c < columns; c++) {
        double exact = pieceLogits[at + c] + Math.scalb(pieceRest[at + c], -bits);
        residual[c] = norm * (units[c] * exact);
      }
      atClip.ofLogits(residual, piece.labels()[i], norm);
      for (int c = 0; c < columns; c++) {
        pieceLogits[at + c] = norm * residual[c];
      }
    }
    logits.put(pieceLogits, 0, length);
  }

  private INDArray array(DataType type, char order, long rows, long columns) {
    INDArray array = Nd4j.createUninitializedDetached(type, order, rows, columns);
    arrays.add(array);
    return array;
  }

  /** The values as the processor sees them; copied from the GPU first where they are there. */
  private static DoublePointer readable(INDArray array) {
    Nd4j.getAffinityManager().ensureLocation(array, AffinityManager.Location.HOST);
    return pointer(array);
  }

  /** Says that the processor has written values, which a GPU has to fetch. */
  private static void written(INDArray array) {
    Nd4j.getAffinityManager().tagLocation(array, AffinityManager.Location.HOST);
  }

  private static DoublePointer pointer(INDArray array) {
    return (DoublePointer) array.data().pointer();
  }

  @Override
  public void close() {
    arrays.forEach(INDArray::close);
  }
}
