package io.mutune.accountant.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Query.DeltaAt;
import io.mutune.accountant.compare.Query.EpsilonAt;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountantComparisonTest {
  private static final Query QUERY = new EpsilonAt(Delta.of(1e-5));
  private static final Releases GAUSSIAN =
      Releases.of(Adjacency.ADD_REMOVE, new Gaussian(NoiseMultiplier.of(20), 1, 28));
  private static final Releases DP_SGD =
      Releases.of(
          Adjacency.ADD_REMOVE, new SubsampledGaussian(NoiseMultiplier.of(1), 0.01, 1, 1000));

  /** Made-up answers of all accountants, as the constructor wants them. */
  private static Map<Accountant, Answer> answers(Answer of) {
    Map<Accountant, Answer> answers = new EnumMap<>(Accountant.class);
    for (Accountant accountant : Accountant.values()) {
      answers.put(accountant, of);
    }
    return answers;
  }

  @Test
  void answers_areInTheAccountantsOrder() {
    assertThat(AccountantComparison.of(GAUSSIAN, QUERY).answers().keySet())
        .containsExactly(Accountant.values());
  }

  @Test
  void aComparison_holdsWhatEachAccountantAnswers() {
    AccountantComparison comparison = AccountantComparison.of(DP_SGD, QUERY);
    for (Accountant accountant : Accountant.values()) {
      assertThat(comparison.answer(accountant)).isEqualTo(accountant.answer(DP_SGD, QUERY));
    }
    assertThat(comparison.releases()).isEqualTo(DP_SGD);
    assertThat(comparison.query()).isEqualTo(QUERY);
  }

  @Test
  void theTightest_isTheClosedFormForGaussiansAndTheDistributionsForSamples() {
    assertThat(AccountantComparison.of(GAUSSIAN, QUERY).tightest()).contains(Accountant.GDP);
    assertThat(AccountantComparison.of(DP_SGD, QUERY).tightest()).contains(Accountant.PLD);
    assertThat(AccountantComparison.of(DP_SGD, new DeltaAt(Epsilon.of(1))).tightest())
        .contains(Accountant.PLD);
  }

  @Test
  void theGuarantee_isThatOfTheTightest() {
    for (Releases releases : new Releases[] {GAUSSIAN, DP_SGD}) {
      AccountantComparison comparison = AccountantComparison.of(releases, QUERY);
      Answer tightest = comparison.answer(comparison.tightest().orElseThrow());
      assertThat(comparison.guarantee().upper()).isEqualTo(((Bound) tightest).upper());
    }
  }

  @Test
  void noAnswerAtAll_hasNoTightestAndGuaranteesNothing() {
    AccountantComparison comparison =
        new AccountantComparison(DP_SGD, QUERY, answers(new NotApplicable("closed")));
    assertThat(comparison.tightest()).isEmpty();
    assertThat(comparison.guarantee()).isEqualTo(new Bound(0, Double.POSITIVE_INFINITY));
  }

  @Test
  void infiniteAnswers_areNoTightest() {
    AccountantComparison comparison =
        new AccountantComparison(DP_SGD, QUERY, answers(Bound.upper(Double.POSITIVE_INFINITY)));
    assertThat(comparison.tightest()).isEmpty();
    assertThat(comparison.guarantee().isFinite()).isFalse();
  }

  @Test
  void theFirstOfEqualAnswers_isTheTightest() {
    assertThat(new AccountantComparison(DP_SGD, QUERY, answers(Bound.upper(1))).tightest())
        .contains(Accountant.GDP);
  }

  @Test
  void theBestLowerEnd_isTheLargest() {
    Map<Accountant, Answer> answers = answers(Bound.upper(2));
    answers.put(Accountant.PLD, new Bound(1.2, 3));
    answers.put(Accountant.RDP, new Bound(1.1, 1.5));
    assertThat(new AccountantComparison(DP_SGD, QUERY, answers).guarantee())
        .isEqualTo(new Bound(1.2, 1.5));
  }

  /** Lower and upper ends are computed apart, and round apart. */
  @Test
  void endsThatPassEachOtherByRounding_areOnePoint() {
    Map<Accountant, Answer> answers = answers(Bound.upper(1));
    answers.put(Accountant.PLD, new Bound(1 + 1e-12, 3));
    assertThat(new AccountantComparison(DP_SGD, QUERY, answers).guarantee())
        .isEqualTo(new Bound(1, 1));
  }

  @Test
  void aLowerEndAboveAnotherUpperEnd_isAContradictionAndNeverStated() {
    Map<Accountant, Answer> answers = answers(Bound.upper(1));
    answers.put(Accountant.PLD, new Bound(1.01, 3));
    AccountantComparison comparison = new AccountantComparison(DP_SGD, QUERY, answers);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(comparison::guarantee)
        .withMessage(
            "the accountants contradict each other: one has at least 1.01, another at most 1.0");
  }

  @Test
  void aMissingAnswer_isRefused() {
    Map<Accountant, Answer> answers = answers(Bound.upper(1));
    answers.remove(Accountant.ZCDP);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AccountantComparison(DP_SGD, QUERY, answers))
        .withMessage("a comparison lacks zcdp");
  }

  @Test
  void noReleases_costNothingByAnyAccountant() {
    Releases none = new Releases(List.of(), Adjacency.REPLACE_ONE);
    for (Query query :
        new Query[] {QUERY, new EpsilonAt(Delta.of(0)), new DeltaAt(Epsilon.of(0))}) {
      assertThat(AccountantComparison.of(none, query).answers().values())
          .containsOnly(new Bound(0, 0));
    }
    for (Accountant accountant : Accountant.values()) {
      assertThat(accountant.keeps(none, Epsilon.of(0), Delta.of(0))).isTrue();
    }
  }

  @Test
  void pureReleases_haveAnEpsilonAtADeltaOfZeroByBasicCompositionOnly() {
    Releases pure = Releases.of(Adjacency.ADD_REMOVE, new PureDp(Epsilon.of(0.25), 4));
    AccountantComparison comparison = AccountantComparison.of(pure, new EpsilonAt(Delta.of(0)));
    assertThat(comparison.tightest()).contains(Accountant.BASIC);
    assertThat(comparison.guarantee().upper()).isBetween(1.0, 1 + 1e-13);
    assertThat(comparison.answer(Accountant.RDP))
        .isEqualTo(new NotApplicable("it gives no epsilon at a delta of 0"));
  }

  @Test
  void keysOfAccountants_findThemAndNothingElse() {
    for (Accountant accountant : Accountant.values()) {
      assertThat(Accountant.ofKey(accountant.key())).contains(accountant);
    }
    assertThat(Accountant.ofKey("moments")).isEmpty();
    assertThat(CombinedGuarantee.GUARANTEE.key()).isEqualTo("guarantee");
  }
}
