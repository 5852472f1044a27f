package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.TestRows;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.model.LinearModel;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with the public side of AdaMix is said before anything is charged. */
class AdaMixTest {
  private static final LinearModel START = MethodCases.start().orElseThrow();

  private static Training made(OptionalInt directions, PublicRows rows, LinearModel start) {
    return new AdaMix(MethodCases.quantile(), 0, directions, true, 0.01, Start.zero())
        .training(
            Fixture.problem(Adjacency.ADD_REMOVE, 100),
            Fixture.run(1, 10, 20),
            new PublicInputs(Optional.of(rows), Optional.of(start)));
  }

  private static Training made(PublicRows rows, LinearModel start) {
    return made(OptionalInt.empty(), rows, start);
  }

  private static PublicRows rows(int features, int... labels) {
    float[][] values = new float[labels.length][features];
    for (float[] row : values) {
      Arrays.fill(row, 1);
    }
    return new PublicRows(TestRows.blocks(values, labels));
  }

  private static void isRefused(ThrowingCallable making, String message) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
  }

  @Test
  void noiseIsRelativeToTheClipNorm_soTheChargeIsThatOfNoisyGd() {
    assertThat(made(MethodCases.publicRows(), START).mechanism())
        .isEqualTo(new Gaussian(NoiseMultiplier.of(20), 1, 10));
  }

  /** Of weights of norm 13: λ is 0.01 while λ·13 is at most τN, then less. */
  @ParameterizedTest
  @CsvSource({"100, 0.01", "0.13, 0.01", "0.0013, 0.0001", "1.3e-9, 1e-10"})
  void decay_isAtMostOneLong_howeverSmallTheClipNormBecomes(double scale, double decay) {
    AdaMix method =
        new AdaMix(MethodCases.quantile(), 0, OptionalInt.empty(), true, 0.01, Start.zero());
    assertThat(method.weightDecay(new double[] {5, -12, 0}, scale))
        .isCloseTo(decay, withinPercentage(1e-9));
    assertThat(method.weightDecay(new double[3], scale)).isEqualTo(0.01);
  }

  /** A start that fits the public rows so well that τ is the least there is. */
  @Test
  void aFittedStart_isNotTurnedRound() {
    float[][] units = new float[3][6];
    double[] weights = new double[18];
    for (int i = 0; i < 3; i++) {
      units[i][i] = 1;
      weights[3 * i + i] = 40;
    }
    PublicRows rows = new PublicRows(TestRows.blocks(units, new int[] {0, 1, 2}));
    Training method = made(rows, new LinearModel(6, 3, weights));
    LinearModel model =
        (LinearModel)
            method.train(
                () -> new Charge("x", method.mechanism()),
                Fixture.zeroRows(3, 6),
                Fixture.seeded(Engine.REFERENCE, new RecordingJournal()));
    for (int i = 0; i < 3; i++) {
      assertThat(model.weights()[3 * i + i]).isBetween(30.0, 45.0);
    }
  }

  @Test
  void publicRowsOfAnotherWidth_areRefused() {
    isRefused(() -> made(rows(5, 0, 1, 2), START), "rows of 5 features do not suit a model of 6");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void unknownLabels_areRefused(int label) {
    isRefused(
        () -> made(rows(6, 0, 1, 2, label), START),
        "a public row has the label index %d, which is none of 3 classes".formatted(label));
  }

  @Test
  void anEmptyClass_isRefused() {
    isRefused(() -> made(rows(6, 0, 2, 2), START), "the public rows have no row of class index 1");
  }

  @Test
  void aProjectionWiderThanTheRows_isRefused() {
    isRefused(
        () -> made(OptionalInt.of(7), MethodCases.publicRows(), START),
        "the number of directions is out of range: 7");
    isRefused(
        () -> made(OptionalInt.of(0), MethodCases.publicRows(), START),
        "the number of directions is out of range: 0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.1, 1.1, Double.NaN})
  void aQuantileOutOfRange_isRefused(double quantile) {
    isRefused(() -> new ClipRule.Quantile(quantile), "the quantile is out of range: " + quantile);
  }

  @Test
  void aClipNormOfZero_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new ClipRule.Fixed(ClipNorm.of(0)));
    PublicRows zeros =
        new PublicRows(TestRows.blocks(new float[3][MethodCase.FEATURES], new int[] {0, 1, 2}));
    isRefused(
        () -> made(zeros, START),
        "the public rows' gradients are 0 at the start, and with them the clip norm");
  }

  @Test
  void noNoise_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> NoiseMultiplier.of(0));
  }

  @Test
  void aStartOfAnotherShapeOrNoNumber_isRefused() {
    PublicRows rows = MethodCases.publicRows();
    isRefused(
        () -> made(rows, LinearModel.zero(6, 2)),
        "a start of 2 columns does not suit a model of 3");
    double[] weights = new double[18];
    weights[4] = Double.NaN;
    isRefused(
        () -> made(rows, new LinearModel(6, 3, weights)),
        "the weights of a start must be finite; one was NaN");
  }

  @Test
  void privateRowsOfAnotherWidth_areRefusedUnread() {
    Training method = made(MethodCases.publicRows(), START);
    assertThat(method.features()).hasValue(6);
    ClippedSums unopened =
        (rows, loss, classes, clip) -> {
          throw new AssertionError("opened");
        };
    RecordingJournal journal = new RecordingJournal();
    isRefused(
        () ->
            method.train(
                () -> new Charge("x", method.mechanism()),
                Fixture.zeroRows(3, 7),
                Fixture.seeded(unopened, journal)),
        "rows of 7 features do not suit a model of 6");
    assertThat(journal.entries()).isEmpty();
  }

  /** As numpy.quantile gives them. */
  @Test
  void quantiles_areInterpolated() {
    double[] norms = {4, 1, 3, 2};
    assertThat(new ClipRule.Quantile(0.9).at(norms).value()).isCloseTo(3.7, within(1e-15));
    assertThat(new ClipRule.Quantile(0.5).at(norms).value()).isEqualTo(2.5);
    assertThat(new ClipRule.Quantile(0.25).at(new double[] {5}).value()).isEqualTo(5);
  }

  /** In the middle of a run an exception would waste what is charged. */
  @Test
  void aQuantileOfNothing_isKeptOffZeroAndInfinity() {
    ClipRule rule = new ClipRule.Quantile(0.9);
    assertThat(rule.at(new double[3]).value()).isEqualTo(1e-9);
    assertThat(rule.at(new double[] {1e300, 1e300}).value()).isEqualTo(1e30);
  }
}
