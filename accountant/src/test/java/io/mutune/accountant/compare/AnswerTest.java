package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What questions and answers may be. */
class AnswerTest {
  @ParameterizedTest
  @CsvSource({"-1, 1", "2, 1", "NaN, 1", "0, NaN", "NaN, NaN", "-Infinity, 0"})
  void aBoundThatIsNoInterval_isRefusedWithItsEnds(double lower, double upper) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Bound(lower, upper))
        .withMessage("a bound needs 0 <= lower <= upper; was [%s, %s]".formatted(lower, upper));
  }

  @Test
  void aBound_isFiniteIfItsUpperEndIs() {
    assertThat(Bound.upper(3)).isEqualTo(new Bound(0, 3));
    assertThat(Bound.upper(3).isFinite()).isTrue();
    assertThat(Bound.upper(Double.POSITIVE_INFINITY).isFinite()).isFalse();
  }

  @Test
  void whatDoesNotApply_saysWhy() {
    assertThat(new NotApplicable("no pair").reason()).isEqualTo("no pair");
    assertThatIllegalArgumentException().isThrownBy(() -> new NotApplicable(" "));
  }

  @Test
  void anEpsilon_isAskedForAtADeltaBelowOne() {
    assertThat(new EpsilonAt(Delta.of(0)).delta()).isEqualTo(Delta.of(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EpsilonAt(Delta.of(1)))
        .withMessage("delta must be at least 0 and below 1; was 1.0");
  }

  @Test
  void theTrivialAnswer_isInfiniteForAnEpsilonAndOneForADelta() {
    assertThat(new EpsilonAt(Delta.of(0.1)).nothingKnown())
        .isEqualTo(new Bound(0, Double.POSITIVE_INFINITY));
    assertThat(new DeltaAt(Epsilon.of(1)).nothingKnown()).isEqualTo(new Bound(0, 1));
  }
}
