package io.mutune.trainer.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.SoftmaxLoss;
import io.mutune.trainer.score.PublicAccuracy;
import java.util.Optional;
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
    return new NoisyGradient(
        ClipNorm.of(1),
        NoiseMultiplier.of(2),
        samplingRate,
        Adjacency.ADD_REMOVE,
        ROWS,
        new SoftmaxLoss(),
        Fixture.CLASSES);
  }

  private static AdaMix adaMix(OptionalInt directions) {
    return new AdaMix(
        new AdaMix.Settings(
            1,
            60,
            0.9,
            new ClipRule.Quantile(0.9),
            directions,
            true,
            0.01,
            NoiseMultiplier.of(5),
            Adjacency.ADD_REMOVE,
            ROWS,
            new SoftmaxLoss(),
            Fixture.CLASSES),
        publicRows(),
        LinearModel.zero(FEATURES, Fixture.CLASSES));
  }

  static Stream<Arguments> methods() {
    return Stream.of(
        Arguments.of(
            "DpSgd",
            new DpSgd(new DpSgd.Settings(1, 100, 0.9, true, gradient(0.05), Optional.empty()))),
        Arguments.of("DpAdam", new DpAdam(DpAdam.Settings.of(0.1, 100, gradient(0.05)))),
        Arguments.of("DpAdam of all rows", new DpAdam(DpAdam.Settings.of(0.1, 60, gradient(1)))),
        Arguments.of(
            "DpAdamWosm of all rows",
            new DpAdamWosm(new DpAdamWosm.Settings(60, gradient(1), Optional.empty()))),
        Arguments.of("AdaMix", adaMix(OptionalInt.empty())),
        Arguments.of("AdaMix, projected", adaMix(OptionalInt.of(8))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("methods")
  void anEasyProblem_isLearned(String name, TrainingMethod method) throws Exception {
    LinearModel model =
        method.train(
            Fixture.charged(method),
            new PrivateRows(DATA),
            Fixture.seeded(Engine.ND4J, new RecordingJournal()));
    assertThat(PublicAccuracy.of(model, new PublicRows(DATA))).as(name).isGreaterThan(0.9);
  }
}
