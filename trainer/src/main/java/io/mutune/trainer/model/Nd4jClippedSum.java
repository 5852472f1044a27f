package io.mutune.trainer.model;

import io.mutune.trainer.data.RowBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Two float32 matrix products a block of rows, everything between them in double, and the blocks
 * added in double.
 *
 * <p>A row x is held as its direction u = x/‖x‖ in float32 and its norm in double, so rows of any
 * size stay in float32's range: the logits are ‖x‖·(u·W), and the row adds u ⊗ s with s = ‖x‖ times
 * the clipped residual, of norm at most C. Logits that overflow even so are not numbers, and the
 * row adds nothing. Nothing is allocated in a step.
 */
final class Nd4jClippedSum implements ClippedSum {
  /**
   * One block as ND4J has it.
   *
   * @param directions u, {@code [rows, features]}, 'c'
   * @param logits Z transposed, {@code [columns, rows]}, 'f'; shared by the blocks of one length
   * @param norms ‖x‖ a row; 0 for a row that is not finite, which then adds what a zero row does
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Block(INDArray directions, INDArray logits, double[] norms, int[] labels) {}

  private final int features;
  private final int columns;
  private final ClippedResidual clipped;
  private final List<Block> blocks = new ArrayList<>();

  private final List<INDArray> arrays = new ArrayList<>();
  private final INDArray weightsArray;
  private final INDArray sumArray;
  private final float[] transposed;
  private final float[] blockLogits;
  private final double[] residual;

  Nd4jClippedSum(RowBlocks rows, int columns, ClippedResidual clipped) {
    this.features = rows.columns();
    this.columns = columns;
    this.clipped = clipped;
    weightsArray = floats('f', features, columns);
    sumArray = floats('f', features, columns);
    transposed = new float[Math.multiplyExact(features, columns)];
    blockLogits = new float[Math.multiplyExact(RowBlocks.BLOCK_ROWS, columns)];
    residual = new double[columns];
    Map<Integer, INDArray> logits = new HashMap<>();
    float[] scratch = new float[0];
    for (RowBlocks.Block block : rows.blocks()) {
      if (block.rows() == 0) {
        continue;
      }
      if (scratch.length < block.features().length) {
        scratch = new float[block.features().length];
      }
      INDArray z = logits.computeIfAbsent(block.rows(), n -> floats('f', columns, n));
      blocks.add(copied(block, z, scratch));
    }
  }

  private Block copied(RowBlocks.Block block, INDArray logits, float[] scratch) {
    double[] norms = new double[block.rows()];
    float[] values = block.features();
    for (int i = 0; i < norms.length; i++) {
      int offset = i * features;
      double norm = RowNorm.of(values, offset, features);
      norms[i] = Double.isFinite(norm) ? norm : 0;
      for (int j = offset; j < offset + features; j++) {
        scratch[j] = norms[i] > 0 ? (float) (values[j] / norms[i]) : 0;
      }
    }
    INDArray directions = floats('c', block.rows(), features);
    pointer(directions).put(scratch, 0, values.length);
    return new Block(directions, logits, norms, block.labels());
  }

  @Override
  public void compute(double[] weights, double[] sum) {
    for (int j = 0; j < features; j++) {
      for (int c = 0; c < columns; c++) {
        transposed[c * features + j] = (float) weights[j * columns + c];
      }
    }
    pointer(weightsArray).put(transposed);
    Arrays.fill(sum, 0);
    for (Block block : blocks) {
      addBlock(block, sum);
    }
  }

  private void addBlock(Block block, double[] sum) {
    INDArray z = block.logits();
    Nd4j.gemm(weightsArray, block.directions(), z, true, true, 1, 0);
    toScaledResiduals(block, pointer(z));
    Nd4j.gemm(block.directions(), z.transpose(), sumArray, true, false, 1, 0);
    pointer(sumArray).get(transposed);
    for (int j = 0; j < features; j++) {
      for (int c = 0; c < columns; c++) {
        sum[j * columns + c] += transposed[c * features + j];
      }
    }
  }

  /** In place: a row of u·W in, the same row of S out. */
  private void toScaledResiduals(Block block, FloatPointer rows) {
    int length = block.norms().length * columns;
    rows.get(blockLogits, 0, length);
    for (int i = 0, at = 0; at < length; i++, at += columns) {
      double norm = block.norms()[i];
      for (int c = 0; c < columns; c++) {
        residual[c] = norm * blockLogits[at + c];
      }
      clipped.ofLogits(residual, block.labels()[i], norm);
      for (int c = 0; c < columns; c++) {
        blockLogits[at + c] = (float) (norm * residual[c]);
      }
    }
    rows.put(blockLogits, 0, length);
  }

  private INDArray floats(char order, long rows, long columns) {
    INDArray array = Nd4j.createUninitializedDetached(DataType.FLOAT, order, rows, columns);
    arrays.add(array);
    return array;
  }

  private static FloatPointer pointer(INDArray array) {
    return (FloatPointer) array.data().pointer();
  }

  @Override
  public void close() {
    arrays.forEach(INDArray::close);
  }
}
