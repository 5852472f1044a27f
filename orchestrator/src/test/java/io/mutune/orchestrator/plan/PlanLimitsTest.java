package io.mutune.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.Sweeps;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan is refused for that has its charges right. */
class PlanLimitsTest {
  @Test
  void anUnchargedScoreOfSecretRuns_isRefused() {
    String open = Sweeps.edited(Sweeps.STOPPING, "rows: ", "declared: simulated, rows: ");
    String uncharged = Sweeps.edited(open, "epsilon: 0.1}", "uncharged: true}");
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(uncharged)))
        .withMessageContaining("must not be random-stopping with an uncharged score");
    assertThatCode(() -> StudyPlan.begun(Sweeps.read(uncharged), Optional.empty()))
        .doesNotThrowAnyException();
  }

  /** 10000 rows of norm 1 pass 2^52 steps of 2^-39, which are 8192, and not those of 2^-38. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "strategy: fixed, space: {learningRate: 1, steps: 30}",
        "strategy: random, space: {radius: 30, steps: 30}",
        "strategy: random, trials: 2, space: {radius: {min: 3, max: 30}, steps: 30},"
            + " score: {on: private, epsilon: 0.1}",
        "strategy: grid, points: {values: 2}, space: {radius: {min: 3, max: 30}, steps: 30},"
            + " score: {on: private, epsilon: 0.1}",
      })
  void sumsThatAGridCutsOff_areRefusedWhicheverRunIsTheResult(String search) {
    String held = Sweeps.HEAD + "search: {" + search + "}\nrun: {noise: {grid: 38}}\n";
    assertThatCode(() -> StudyPlan.of(Sweeps.read(held))).doesNotThrowAnyException();

    String cutOff = Sweeps.edited(held, "grid: 38", "grid: 39");
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(cutOff)))
        .withMessageContaining("run.noise.grid must be coarser: the sums of training");
  }

  /** A row counts 1, whatever the clip norm is: 8193 rows pass 2^52 steps of 2^-39 too. */
  @ParameterizedTest
  @CsvSource({
    "8193,'',private,'scores, over 8193 rows'",
    "8000,'validation: {path: v.csv, private: true, rows: 9000}',validation,'scores, over 9000 rows'",
    "8000,'test: {path: t.csv, private: true, rows: 8500}',private,'test figures, over 8500 rows'",
  })
  void countsThatAGridCutsOff_areRefusedToo(int rows, String part, String scored, String what) {
    String data = "rows: " + rows + "}" + (part.isEmpty() ? "" : "\n  " + part);
    String held =
        Sweeps.edited(Sweeps.HEAD, "rows: 10000}", data)
            + "search: {strategy: random, trials: 2, space: {radius: {min: 3, max: 30}, steps: 30},"
            + " score: {on: "
            + scored
            + ", epsilon: 0.1}}\ntrain: {clipNorm: 0.01}\nrun: {noise: {grid: 38}}\n";
    assertThatCode(() -> StudyPlan.of(Sweeps.read(held))).doesNotThrowAnyException();

    String cutOff = Sweeps.edited(held, "grid: 38", "grid: 39");
    assertThatExceptionOfType(InvalidSweepException.class)
        .isThrownBy(() -> StudyPlan.of(Sweeps.read(cutOff)))
        .withMessageContaining("run.noise.grid must be coarser: the sums of " + what);
  }

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
