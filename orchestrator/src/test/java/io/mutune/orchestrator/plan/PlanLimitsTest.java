package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Sweeps;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan is refused for that has its charges right. */
class PlanLimitsTest {
  /** Which a run would else meet with its rows, and its charge made. */
  @ParameterizedTest
  @ValueSource(strings = {"output-perturbation", "objective-perturbation"})
  void aDistanceThatTheStatedWidthMakesTooSmall_isRefused(String method) {
    String narrow =
        Sweeps.edited(Sweeps.HEAD, "classes: 3", "classes: 2")
            + "search: {strategy: fixed}\ntrain: {method: "
            + method
            + ", weightDecay: 0.01, loss: logistic, solverDistance: 1.7e-7}\n";
    assertThatCode(() -> StudyPlan.of(Sweeps.read(narrow))).doesNotThrowAnyException();

    String wide = Sweeps.edited(narrow, "features: 20", "features: 500000");
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(wide)))
        .withMessageContaining("probe: train: solverDistance must be at least ");
  }
}
