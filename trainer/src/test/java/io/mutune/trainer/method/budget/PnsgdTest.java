package io.mutune.trainer.method.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.BinaryProblem;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.SilentNoise;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.noise.NormalStream;
import io.mutune.trainer.noise.SeededNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;

class PnsgdTest {
  private static final int P = BinaryProblem.FEATURES;

  /** A pass over the private rows and two over the public ones, as the algorithm reads. */
  @Test
  void itFollowsThePapersPseudocode() {
    PrivateRows rows = BinaryProblem.privateRows((int) ClassicMethods.ROWS);
    NormalStream noise = new SeededNoise(3).stream(Fixture.STREAMS.step(1));
    List<float[]> order = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    add(BoundedRows.of(rows).blocks(), order, labels);
    for (int pass = 0; pass < 2; pass++) {
      add(BoundedRows.of(BinaryProblem.publicRows(ClassicMethods.SHOWN)).blocks(), order, labels);
    }
    double[] w = new double[P];
    for (int t = 0; t < order.size(); t++) {
      double z = 0;
      for (int j = 0; j < P; j++) {
        z += order.get(t)[j] * w[j];
      }
      double residual = Math.max(-2, Math.min(2, z)) - (labels.get(t) == 1 ? 1 : -1);
      double[] g = new double[P];
      for (int j = 0; j < P; j++) {
        g[j] = residual * order.get(t)[j];
      }
      // L = B + 1 = 3.
      noise.addTo(g, 3 * 3);
      for (int j = 0; j < P; j++) {
        w[j] -= 0.5 * g[j];
      }
    }
    double[] weights = BinaryProblem.model(ClassicMethods.pnsgd(2), rows, new SeededNoise(3));
    for (int j = 0; j < P; j++) {
      // Rounded up by 2^-40 a step.
      assertThat(weights[j]).isCloseTo(w[j], within(1e-8));
    }
  }

  private static void add(RowBlocks rows, List<float[]> order, List<Integer> labels) {
    for (RowBlocks.Block block : rows.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        order.add(Arrays.copyOfRange(block.features(), i * P, (i + 1) * P));
        labels.add(block.labels()[i]);
      }
    }
  }

  /**
   * Among zero rows the last iterate is normal with variance η²σ²L² a step, and the last private
   * row moves its mean; the charge is for the fewest steps that can follow, of which there are more
   * here only before that row.
   */
  @Test
  void theWorstRow_isChargedForTheStepsFromItsOwnToTheLast() {
    int publicRows = 1;
    Training method =
        new Pnsgd(0.5, 0, 0, 0)
            .training(
                ClassicMethods.problem(ClassicMethods.SQUARED, Adjacency.REPLACE_ONE)
                    .ofRows(publicRows),
                Fixture.run(1, 1, 3),
                PublicInputs.NONE);
    double[] one = BinaryProblem.model(method, only(1), new SilentNoise(1));
    double[] other = BinaryProblem.model(method, only(0), new SilentNoise(1));
    double apart = MathArrays.distance(one, other);
    double deviation = 0.5 * 3 * 3;
    double rho = apart * apart / (2 * deviation * deviation);
    // At w = 0 the residual is ±1, a third of the Lipschitz constant that is charged.
    assertThat(rho * 9).isCloseTo(rho(method), within(1e-5));
  }

  private static PrivateRows only(int label) {
    float[] row = {1, 0, 0, 0};
    return new PrivateRows(new RowBlocks(P, List.of(new RowBlocks.Block(row, new int[] {label}))));
  }

  /** ρ = 2/(σ²(p + 1)) with p = passes · 20, worked by hand. */
  @Test
  void publicStepsAtTheEnd_lowerTheCharge() {
    assertThat(rho(ClassicMethods.pnsgd(0))).isCloseTo(2 / 9.0, within(1e-9));
    assertThat(rho(ClassicMethods.pnsgd(2))).isCloseTo(2 / 369.0, within(1e-9));
  }

  @Test
  void rowsThatAreMissing_areStepsOfNoiseAndRowsBeyondAreNotRead() {
    PrivateRows rows = BinaryProblem.privateRows((int) ClassicMethods.ROWS);
    PrivateRows more = BinaryProblem.changed(rows, false, BinaryProblem.longRow(1), 1);
    Training method = ClassicMethods.pnsgd(1);
    assertThat(BinaryProblem.model(method, more, new SeededNoise(4)))
        .isEqualTo(BinaryProblem.model(method, rows, new SeededNoise(4)));
  }

  @Test
  void stepsThatAreNoContractions_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pnsgd(8.1, Adjacency.REPLACE_ONE, new LogisticLoss()))
        .withMessage(
            "learningRate must be at most 8, up to which a step is a contraction; was 8.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pnsgd(1, Adjacency.ADD_REMOVE, new LogisticLoss()))
        .withMessageContaining("replace-one neighbours only");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pnsgd(1, Adjacency.REPLACE_ONE, new HingeLoss()));
  }

  private static Training pnsgd(double learningRate, Adjacency adjacency, Loss loss) {
    return new Pnsgd(learningRate, 0, 0, 0)
        .training(Fixture.problem(loss, 2, adjacency, 10), Fixture.run(1, 1, 1), PublicInputs.NONE);
  }

  private static double rho(Training method) {
    return ((TruncatedConcentrated) method.mechanism()).rho();
  }
}
