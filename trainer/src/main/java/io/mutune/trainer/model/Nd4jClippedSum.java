package io.mutune.trainer.model;

import io.mutune.trainer.data.RowBlocks;
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
 * Rows in float32, arithmetic in double: two matrix products by BLAS a piece of rows, and the
 * pieces added up in twice its precision.
 *
 * <p>A row x is held as its direction u = x/‖x‖ in float32 and its norm in double, so rows of any
 * size stay in float32's range: the logits are ‖x‖·(u·W), and the row adds u ⊗ s with s = ‖x‖ times
 * the clipped residual, of norm at most C. Logits that overflow even so are not numbers, and the
 * row adds nothing. A step over all rows in memory allocates no array memory; of rows that stay in
 * their file a step reads and prepares one piece at a time.
 *
 * <p>The products are not in float32 because a row that is taken out moves all later ones, so that
 * every partial sum is rounded otherwise: in float32 two neighbours' sums were measured to be up to
 * 1.01·C apart. In double the products of a piece of m rows are off by at most m²·2^−53·C, so that
 * n rows move neighbours' sums apart by at most n·2.3e-13·C, which {@link ClipNorm} has room for up
 * to a thousand million rows. Where a residual jumps, logits are taken row by row, so that where a
 * row stands in a product cannot decide on which side of the jump it is.
 */
final class Nd4jClippedSum implements ClippedSum {
  /** Measured at 784 and 1024 features: up to a tenth less time than pieces of 512 or 4096 rows. */
  private static final int PIECE_ROWS = 1024;

  /** Rows of a sample that are worked on together; small, since samples are. */
  private static final int SAMPLED_ROWS = 256;

  /**
   * Some rows as ND4J has them.
   *
   * @param directions u in float32, {@code [rows, features]}, 'c'
   * @param wide the same in double while it is worked on; shared by the pieces of one length
   * @param logits Z transposed, {@code [columns, rows]}, 'f'; shared likewise
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
  private double[] current = {};

  private final Map<Integer, INDArray> logits = new HashMap<>();
  private final Map<Integer, INDArray> wide = new HashMap<>();
  private final Map<Integer, INDArray> narrow = new HashMap<>();
  private final float[] scratch;
  private final List<INDArray> arrays = new ArrayList<>();
  private final INDArray weightsArray;
  private final INDArray sumArray;
  private final double[] transposed;
  private final double[] pieceLogits;
  private final double[] residual;
  private final DoubleDoubleSum total;
  private final double[] rowLogits;

  Nd4jClippedSum(RowBlocks rows, int columns, ClippedResidual clipped) {
    this.rows = rows;
    this.features = rows.columns();
    this.columns = columns;
    this.clipped = clipped;
    weightsArray = array(DataType.DOUBLE, 'f', features, columns);
    sumArray = array(DataType.DOUBLE, 'f', features, columns);
    transposed = new double[Math.multiplyExact(features, columns)];
    pieceLogits = new double[Math.multiplyExact(PIECE_ROWS, columns)];
    residual = new double[columns];
    total = new DoubleDoubleSum(transposed.length);
    rowLogits = new double[columns];
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
    double norm = RowNorm.of(values, start, features);
    double kept = Double.isFinite(norm) ? norm : 0;
    for (int j = 0; j < features; j++) {
      scratch[to * features + j] = kept > 0 ? (float) (values[start + j] / kept) : 0;
    }
    return kept;
  }

  @Override
  public void compute(double[] weights, double[] sum) {
    compute(weights, clipped.clip(), RowSample.ALL, sum);
  }

  @Override
  public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
    current = weights;
    for (int j = 0; j < features; j++) {
      for (int c = 0; c < columns; c++) {
        transposed[c * features + j] = weights[j * columns + c];
      }
    }
    pointer(weightsArray).put(transposed);
    written(weightsArray);
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
    if (atClip.loss().unweighted() instanceof HingeLoss) {
      logitsRowByRow(piece);
    } else {
      Nd4j.gemm(weightsArray, directions, z, true, true, 1, 0);
      readable(z).get(pieceLogits, 0, piece.norms().length * columns);
    }
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

  private void logitsRowByRow(Piece piece) {
    int rows = piece.norms().length;
    ((FloatPointer) piece.directions().data().pointer()).get(scratch, 0, rows * features);
    for (int i = 0; i < rows; i++) {
      Logits.compute(scratch, i * features, current, rowLogits);
      System.arraycopy(rowLogits, 0, pieceLogits, i * columns, columns);
    }
  }

  /** From {@link #pieceLogits}, the rows of u·W, to the rows of S. */
  private void toScaledResiduals(Piece piece, ClippedResidual atClip, DoublePointer logits) {
    int length = piece.norms().length * columns;
    for (int i = 0, at = 0; at < length; i++, at += columns) {
      double norm = piece.norms()[i];
      for (int c = 0; c < columns; c++) {
        residual[c] = norm * pieceLogits[at + c];
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
