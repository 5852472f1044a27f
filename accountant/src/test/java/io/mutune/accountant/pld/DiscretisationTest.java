package io.mutune.accountant.pld;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.pld.ConnectTheDots.Core;
import io.mutune.accountant.pld.ConnectTheDots.Range;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Measures on grids against the pairs that they stand for, one loss at a time. Seeded. */
class DiscretisationTest {
  record Question(PrivacyLoss loss, double spacing, Range range) {}

  static Stream<Question> questions() {
    Random random = new Random(5);
    return IntStream.range(0, 60)
        .mapToObj(
            i -> {
              double q = 0.001 + 0.99 * random.nextDouble();
              double size = Math.exp(3 * random.nextDouble() - 2);
              PrivacyLoss base = new GaussianLoss(size);
              PrivacyLoss loss =
                  switch (i % 6) {
                    case 0 -> base;
                    case 1 -> new PoissonSubsampledLoss(base, q);
                    case 2 -> new PoissonSubsampledLoss(base, q).reversed();
                    case 3 -> new ReplaceOneLoss(1 / size, q);
                    case 4 -> new PoissonSubsampledLoss(new LaplaceLoss(size), q);
                    default -> new RandomisedResponseLoss(size, 1e-3);
                  };
              double[] landmarks = loss.landmarks();
              double bottom = landmarks[0];
              double top = landmarks[landmarks.length - 1];
              double spacing = (top - bottom) / (50 + random.nextInt(2000));
              Core narrow = new Core(-size / 4, size / 2);
              Core wide = new Core(-size, size);
              return new Question(loss, spacing, new Range(bottom, top, List.of(narrow, wide)));
            });
  }

  @ParameterizedTest
  @MethodSource("questions")
  void connectedDots_haveNoSmallerDeltaAnywhereAndAreClose(Question question) {
    LossMeasure dots = ConnectTheDots.of(question.loss(), question.spacing(), question.range());
    assertThat(Arrays.stream(dots.masses()).min().orElseThrow()).isNotNegative();
    assertThat(dots.total()).isBetween(1.0, 1 + 1e-10);
    for (int i = 0; i < 200; i++) {
      double epsilon = place(question, i);
      double exact = SingleLoss.bound(question.loss(), epsilon, -1);
      // The sum below is good to 1e-14.
      assertThat(delta(dots, epsilon)).isGreaterThanOrEqualTo(exact * (1 - 1e-13) - 1e-18);
      // Chords over cells of 8² grid points at most.
      double above = SingleLoss.deltaAbove(question.loss(), epsilon - 64 * question.spacing());
      assertThat(delta(dots, epsilon)).isLessThanOrEqualTo(above * (1 + 1e-9) + 1e-12);
    }
  }

  @ParameterizedTest
  @MethodSource("questions")
  void mergedCells_haveNoLargerDeltaAnywhereAndAreClose(Question question) {
    LossMeasure merged = MergedCells.of(question.loss(), question.spacing(), question.range(), 0.5);
    assertThat(Arrays.stream(merged.masses()).min().orElseThrow()).isNotNegative();
    assertThat(merged.total()).isBetween(1 - 1e-10, 1.0);
    for (int i = 0; i < 200; i++) {
      double epsilon = place(question, i);
      double exact = SingleLoss.deltaAbove(question.loss(), epsilon);
      assertThat(delta(merged, epsilon)).isLessThanOrEqualTo(exact * (1 + 1e-13) + 1e-18);
      double below = SingleLoss.bound(question.loss(), epsilon + 3 * question.spacing(), -1);
      assertThat(delta(merged, epsilon)).isGreaterThanOrEqualTo(below * (1 - 1e-9) - 1e-12);
    }
  }

  private static double place(Question question, int i) {
    return question.range().bottom()
        + (question.range().top() - question.range().bottom()) * (i + 0.317) / 200;
  }

  private static double delta(LossMeasure measure, double epsilon) {
    double sum = measure.infinite();
    for (int i = 0; i < measure.masses().length; i++) {
      double loss = (measure.first() + i) * measure.spacing() + measure.shift();
      if (loss > epsilon) {
        sum += measure.masses()[i] * -Math.expm1(epsilon - loss);
      }
    }
    return sum;
  }
}
