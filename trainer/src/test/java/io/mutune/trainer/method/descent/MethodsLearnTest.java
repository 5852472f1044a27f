package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.score.Metric;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method gets an easy problem right; noise and samples are seeded, so it always does. */
class MethodsLearnTest {
  private static final int ROWS = 5000;
  private static final int FEATURES = 10;
  private static final RowBlocks DATA = Fixture.easyRows(ROWS, FEATURES);

  /** The first 60 rows, as if they were public. */
  private static PublicRows publicRows() {
    return new PublicRows(Fixture.easyRows(60, FEATURES));
  }

  private static NoisyGradient gradient(double samplingRate) {
    return NoisyGradient.ofSamples(ClipNorm.of(1), samplingRate);
  }

  private static Training adaMix(OptionalInt directions) {
    return new AdaMix(new ClipRule.Quantile(0.9), 0.9, directions, true, 0.01, Start.zero())
        .training(
            Fixture.problem(Adjacency.ADD_REMOVE, ROWS),
            Fixture.run(1, 60, 5),
            Fixture.shown(publicRows()));
  }

  private static Training made(TrainingMethod method, double rate, int steps) {
    return method.training(
        Fixture.problem(Adjacency.ADD_REMOVE, ROWS),
        Fixture.run(rate, steps, 2),
        PublicInputs.NONE);
  }

  static Stream<Arguments> methods() {
    return Stream.of(
        Arguments.of("DpSgd", made(new DpSgd(gradient(0.05), 0.9, true, Start.zero()), 1, 100)),
        Arguments.of("DpAdam", made(DpAdam.of(gradient(0.05)), 0.1, 100)),
        Arguments.of("DpAdam of all rows", made(DpAdam.of(gradient(1)), 0.1, 60)),
        Arguments.of(
            "DpAdamWosm of all rows", made(new DpAdamWosm(gradient(1), Start.zero()), 1, 60)),
        Arguments.of("AdaMix", adaMix(OptionalInt.empty())),
        Arguments.of("AdaMix, projected", adaMix(OptionalInt.of(8))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("methods")
  void anEasyProblem_isLearned(String name, Training method) throws Exception {
    TrainedModel model =
        method.train(
            Fixture.charged(method),
            new PrivateRows(DATA),
            Fixture.seeded(Engine.ND4J, new RecordingJournal()));
    assertThat(Metric.ACCURACY.of(model.linear(), new SoftmaxLoss(), new PublicRows(DATA)))
        .as(name)
        .isGreaterThan(0.9);
  }
}
