package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.score.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NoisyGdTest {
  /**
   * Zero rows have zero gradients, so the weights after one step are noise alone, and the sum of
   * the squares in units of σC/N is χ². Fails by chance 2e-10 of the time.
   */
  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void theNoiseThatIsCharged_isTheNoiseThatIsAdded(Adjacency adjacency) {
    double clip = 0.25;
    Training method =
        new NoisyGd(ClipNorm.of(clip), 0, false)
            .training(Fixture.problem(adjacency, 500), Fixture.run(1, 1, 40), PublicInputs.NONE);
    TrainingAttempt run =
        TrainingAttempt.fresh(
            Engine.REFERENCE, new SecureNoise(), Fixture.STREAMS, new RecordingJournal());
    TrainedModel model = method.train(Fixture.charged(method), Fixture.zeroRows(7, 10_000), run);

    Gaussian charged = (Gaussian) method.mechanism();
    double deviation = charged.sigma().value() * clip / 500;
    double squares = 0;
    for (double w : model.weights()) {
      squares += w / deviation * (w / deviation);
    }
    ChiSquaredDistribution law = ChiSquaredDistribution.of(model.weights().length);
    assertThat(squares)
        .isBetween(law.inverseCumulativeProbability(1e-10), law.inverseSurvivalProbability(1e-10));
    assertThat(charged.sensitivity()).isEqualTo(adjacency == Adjacency.ADD_REMOVE ? 1 : 2);
  }

  @Test
  void everyStep_isCharged() {
    assertThat(Fixture.noisyGd(77, 3, 1, 100).mechanism())
        .isEqualTo(new Gaussian(NoiseMultiplier.of(3), 1, 77));
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void anEasyProblem_isLearned(Engine engine) throws Exception {
    RowBlocks rows = Fixture.easyRows(5000, 10);
    Training method = Fixture.noisyGd(60, 5, 1, 5000);
    TrainedModel model =
        method.train(
            Fixture.charged(method),
            new PrivateRows(rows),
            Fixture.seeded(engine, new RecordingJournal()));
    PublicRows shown = new PublicRows(rows);
    assertThat(Metric.ACCURACY.of(LinearModel.zero(10, 3), new SoftmaxLoss(), shown))
        .isLessThan(0.4);
    assertThat(Metric.ACCURACY.of(model.linear(), new SoftmaxLoss(), shown)).isGreaterThan(0.9);
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void seededRuns_repeatBitForBit(Engine engine) {
    Training method = Fixture.noisyGd(10, 5, 1, 5000);
    PrivateRows rows = new PrivateRows(Fixture.easyRows(5000, 10));
    List<double[]> weights = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ClippedSums seeded = engine.sums(RowOrders.seeded(11));
      TrainingAttempt run = Fixture.seeded(seeded, new RecordingJournal());
      weights.add(method.train(Fixture.charged(method), rows, run).weights());
    }
    assertThat(weights.get(0)).isEqualTo(weights.get(1));
  }

  /**
   * The noise is seeded, so the difference of the two models is that of the sums, in units of 1/N.
   */
  @Test
  void twiceTheRows_doubleTheSumAndLeaveNoiseAndScaleAlone() {
    Training method = Fixture.oneStep(2, 1, 1000);
    double[] none = trained(method, Fixture.zeroRows(1, 4));
    double[] once = trained(method, new PrivateRows(Fixture.easyRows(300, 4)));
    RowBlocks block = Fixture.easyRows(300, 4);
    List<RowBlocks.Block> twice = new ArrayList<>(block.blocks());
    twice.addAll(block.blocks());
    double[] doubled = trained(method, new PrivateRows(new RowBlocks(4, twice)));
    for (int i = 0; i < none.length; i++) {
      assertThat(doubled[i] - none[i]).isCloseTo(2 * (once[i] - none[i]), within(1e-12));
    }
  }

  /** Worked by hand: g is 1 at every step, so v = 1, 1.5 and w = −1, −2.5, and −4 for free. */
  @Test
  void momentumAndFreeStep_followTheFormula() {
    ClippedSums ones = (rows, loss, classes, clip) -> new ConstantSum(1e9);
    Training method =
        new NoisyGd(ClipNorm.of(1e-9), 0.5, true)
            .training(
                Fixture.problem(new LogisticLoss(), 2, Adjacency.ADD_REMOVE, 1_000_000_000),
                Fixture.run(1, 2, 1),
                PublicInputs.NONE);
    TrainingAttempt run = Fixture.seeded(ones, new RecordingJournal());
    TrainedModel model = method.train(Fixture.charged(method), Fixture.zeroRows(1, 1), run);
    assertThat(model.weights()[0]).isCloseTo(-4, within(1e-12));
  }

  @Test
  void withoutTheRightCharge_noRowIsRead() {
    Training method = Fixture.noisyGd(10, 5, 1, 100);
    ReservedCharge cheaper = () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(5), 1, 9));
    RecordingJournal journal = new RecordingJournal();
    ClippedSums unopened =
        (rows, loss, classes, clip) -> {
          throw new AssertionError("opened");
        };
    assertThatIllegalStateException()
        .isThrownBy(
            () -> method.train(cheaper, Fixture.zeroRows(1, 1), Fixture.seeded(unopened, journal)))
        .withMessageContaining("'trial 1' is charged as")
        .withMessageContaining("count=9")
        .withMessageContaining("count=10");
    assertThat(journal.entries()).isEmpty();
  }

  @Test
  void settingsOutOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fixture.noisyGd(0, 1, 1, 1))
        .withMessage("the number of steps is out of range: 0");
    assertThatIllegalArgumentException().isThrownBy(() -> Fixture.noisyGd(1, 1, 1, 0));
  }

  private static double[] trained(Training method, PrivateRows rows) {
    return method.train(Fixture.charged(method), rows, Fixture.seeded()).weights();
  }

  private record ConstantSum(double value) implements ClippedSum {
    @Override
    public void compute(double[] weights, double[] sum) {
      Arrays.fill(sum, value);
    }

    @Override
    public void compute(double[] weights, ClipNorm clip, RowSample sample, double[] sum) {
      compute(weights, sum);
    }

    @Override
    public void close() {}
  }
}
