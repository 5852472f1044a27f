package io.mutune.accountant.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.TruncatedConcentrated;
import io.mutune.testing.Mechanisms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What a plan's charges come to: merged where they are alike, in an order of their own. */
class PlanTotalTest {
  private static final Budget BUDGET =
      new Budget(Epsilon.of(2), Delta.of(1e-5), Adjacency.ADD_REMOVE);

  private static List<Charge> charges(Random random, int size) {
    List<Charge> charges = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int kind = random.nextInt(Mechanisms.counted().size());
      Mechanism mechanism = Mechanisms.counted().get(kind).apply(1 + random.nextInt(9));
      charges.add(new Charge("question " + i, mechanism));
    }
    return charges;
  }

  private static long count(Mechanism mechanism) {
    Number count = mechanism.parameters().get("count");
    return count == null ? 1 : count.longValue();
  }

  /** Where no ε at all is left at this δ, no accountant knows less than the μ says. */
  @Test
  void pureCharges_haveATotalOfTheirOwnWhereAnotherAccountantKnowsLess() {
    List<Charge> few = List.of(new Charge("few", new PureDp(Epsilon.of(0.01), 10)));
    assertThat(PlanTotal.beyondMu(BUDGET, few).map(PlanTotal::accountant)).contains(Accountant.PLD);
    List<Charge> tiny = List.of(new Charge("tiny", new PureDp(Epsilon.of(1e-8), 1000)));
    assertThat(PlanTotal.beyondMu(BUDGET, tiny)).isEmpty();
  }

  /** Nothing is lost and nothing invented by merging, whatever the order. */
  @Property(tries = 200)
  void merging_keepsEveryReleaseAndForgetsTheOrder(
      @ForAll @IntRange(min = 1, max = 40) int size, @ForAll Random random) {
    List<Charge> charges = charges(random, size);
    List<Mechanism> merged = PlanTotal.releases(BUDGET, charges).mechanisms();
    long before = charges.stream().mapToLong(c -> count(c.mechanism())).sum();
    assertThat(merged.stream().mapToLong(PlanTotalTest::count).sum()).isEqualTo(before);
    assertThat(merged).hasSizeLessThanOrEqualTo(Mechanisms.counted().size());
    for (Mechanism mechanism : merged) {
      long alike =
          charges.stream()
              .map(Charge::mechanism)
              .filter(m -> isAlike(m, mechanism))
              .mapToLong(PlanTotalTest::count)
              .sum();
      assertThat(count(mechanism)).isEqualTo(alike);
    }
    List<Charge> shuffled = new ArrayList<>(charges);
    Collections.shuffle(shuffled, random);
    assertThat(PlanTotal.releases(BUDGET, shuffled).mechanisms()).isEqualTo(merged);
  }

  private static boolean isAlike(Mechanism one, Mechanism other) {
    return one.name().equals(other.name())
        && one.parameters().keySet().stream()
            .filter(key -> !key.equals("count"))
            .allMatch(
                key -> Objects.equals(one.parameters().get(key), other.parameters().get(key)));
  }

  /** A charge's name is no part of its cost. */
  @Test
  void whatAChargeIsFor_changesNothing() {
    Mechanism mechanism = new PureDp(Epsilon.of(0.2), 3);
    PlanTotal one = PlanTotal.of(BUDGET, List.of(new Charge("a", mechanism)));
    assertThat(PlanTotal.of(BUDGET, List.of(new Charge("b", mechanism)))).isEqualTo(one);
    assertThat(one.epsilon().value()).isLessThanOrEqualTo(0.6 * (1 + 1e-12));
  }

  @Test
  void countsBeyondALong_areAnErrorAndNotAWrapAround() {
    Charge huge = new Charge("a", new PureDp(Epsilon.of(1e-9), Long.MAX_VALUE));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> PlanTotal.releases(BUDGET, List.of(huge, huge)));
  }

  @Test
  void whatNobodyKnows_hasNoTotal() {
    List<Charge> leak =
        List.of(new Charge("leak", new ApproximateDp(Epsilon.of(0.1), Delta.of(0.01), 1)));
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> PlanTotal.of(BUDGET, leak))
        .withMessage("over budget: no accountant knows an epsilon of the charges at delta 1.0E-5");
    assertThat(PlanTotal.keeps(BUDGET, leak)).isFalse();
    assertThatExceptionOfType(PlanExceededException.class)
        .isThrownBy(() -> new PlanFilter(BUDGET, leak))
        .withMessage(
            "over budget: the charges of the plan do not keep epsilon 2.0 at delta 1.0E-5"
                + " together");
  }

  /** Each kind of plan by the one accountant that takes all of it. */
  @Test
  void aTotal_saysWhoseBoundItIs() {
    Charge gaussian = new Charge("a", new Gaussian(NoiseMultiplier.of(20), 1, 4));
    assertThat(PlanTotal.of(BUDGET, List.of(gaussian)).accountant()).isEqualTo(Accountant.GDP);
    Charge selection =
        new Charge(
            "b",
            new RepeatAndSelect(new Gaussian(NoiseMultiplier.of(20), 1, 1), new PoissonTrials(3)));
    assertThat(PlanTotal.of(BUDGET, List.of(gaussian, selection)).accountant())
        .isEqualTo(Accountant.PLD);
    Charge truncated = new Charge("c", new TruncatedConcentrated(0.01, 30, 2));
    assertThat(PlanTotal.of(BUDGET, List.of(truncated)).accountant()).isEqualTo(Accountant.RDP);
    assertThat(PlanTotal.isInMu(List.of(gaussian))).isTrue();
    assertThat(PlanTotal.isInMu(List.of(gaussian, truncated))).isFalse();
    assertThat(PlanTotal.isInMu(List.of())).isTrue();
  }

  /**
   * In μ where every charge is Gaussian; beyond it where one has none, or pure ones are cheaper.
   */
  @Test
  void aTotalBeyondMu_isThereWhereMuDoesNotSayAll() {
    Charge gaussian = new Charge("a", new Gaussian(NoiseMultiplier.of(20), 1, 4));
    Charge pure = new Charge("b", new PureDp(Epsilon.of(0.5), 1));
    Charge truncated = new Charge("c", new TruncatedConcentrated(0.01, 30, 2));
    assertThat(PlanTotal.beyondMu(BUDGET, List.of())).isEqualTo(Optional.empty());
    assertThat(PlanTotal.beyondMu(BUDGET, List.of(gaussian))).isEmpty();
    Budget wide = new Budget(Epsilon.of(9), BUDGET.delta(), BUDGET.adjacency());
    assertThat(PlanTotal.beyondMu(wide, List.of(gaussian, pure))).isEmpty();
    // Its μ, only a bound for what is not Gaussian, passes this one.
    assertThat(PlanTotal.beyondMu(BUDGET, List.of(gaussian, pure)))
        .contains(PlanTotal.of(BUDGET, List.of(gaussian, pure)));
    assertThat(PlanTotal.beyondMu(BUDGET, List.of(pure)))
        .contains(PlanTotal.of(BUDGET, List.of(pure)));
    assertThat(PlanTotal.beyondMu(BUDGET, List.of(gaussian, truncated)))
        .contains(PlanTotal.of(BUDGET, List.of(gaussian, truncated)));
  }
}
