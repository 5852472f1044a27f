package io.mutune.accountant.renyi;

import static io.mutune.accountant.renyi.Oracle.cost;
import static io.mutune.accountant.renyi.Oracle.dpSgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.PureDp;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RenyiFilterTest {
  private static final Epsilon EPSILON = Epsilon.of(2);
  private static final Delta DELTA = Delta.of(1e-5);
  private static final RenyiDp TRIAL = cost(dpSgd(2, 0.05, 100));

  @Test
  void chargesUpToTheCap_areAdmittedAndKeepTheBudget() {
    RenyiFilter filter = RenyiFilter.of(EPSILON, DELTA, RenyiFilter.orderFor(TRIAL, DELTA));
    List<RenyiDp> spent = new ArrayList<>();
    RenyiDp score = cost(new PureDp(Epsilon.of(0.05), 1));
    for (int i = 0; filter.admits(spent, i % 2 == 0 ? TRIAL : score); i++) {
      spent.add(i % 2 == 0 ? TRIAL : score);
    }
    assertThat(spent).hasSizeGreaterThan(2);
    assertThat(filter.spent(spent)).isLessThanOrEqualTo(filter.cap());
    assertThat(RenyiDp.compose(spent).epsilon(DELTA).value()).isLessThanOrEqualTo(EPSILON.value());
  }

  @Property(tries = 200)
  void theWholeCap_isTheBudget(
      @ForAll @DoubleRange(min = -2, max = 4) double logEpsilon,
      @ForAll @DoubleRange(min = -100, max = -1) double logDelta) {
    Epsilon epsilon = Epsilon.of(Math.pow(10, logEpsilon));
    Delta delta = Delta.of(Math.pow(10, logDelta));
    double order = 2 - logDelta * 10 / epsilon.value();
    RenyiFilter filter = RenyiFilter.of(epsilon, delta, order);
    double atOrder = RenyiDp.epsilonAt(filter.cap(), filter.order(), Math.log(delta.value()));
    assertThat(atOrder).isCloseTo(epsilon.value(), withinPercentage(1e-8));
    assertThat(atOrder).isLessThanOrEqualTo(epsilon.value() * (1 + 1e-11));
  }

  @Test
  void nothingSpent_isNothing() {
    assertThat(RenyiFilter.of(EPSILON, DELTA, 12).spent(List.of())).isZero();
  }

  @Test
  void anOrderThatIsTooLow_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiFilter.of(EPSILON, DELTA, 2))
        .withMessage("order 2.0 leaves no divergence to spend at epsilon 2.0 and delta 1.0E-5");
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5, Double.NaN, Double.POSITIVE_INFINITY})
  void anOrderOutOfRange_isRefused(double order) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiFilter.of(EPSILON, DELTA, order))
        .withMessage("an order must be finite and above 1; was " + order);
  }

  @Test
  void aChargeThatMayFail_isRefused() {
    RenyiDp failing = cost(new ApproximateDp(Epsilon.of(0.1), Delta.of(1e-9), 1));
    RenyiFilter filter = RenyiFilter.of(EPSILON, DELTA, 12);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.admits(List.of(), failing))
        .withMessageContaining("cannot hold a charge that fails");
  }
}
