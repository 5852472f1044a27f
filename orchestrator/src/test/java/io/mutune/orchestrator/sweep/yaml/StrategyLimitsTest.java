package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.Sweeps;
import org.junit.jupiter.api.Test;

/** What strategies cannot have beside them, each with its sentence; the sweep alone is sound. */
class StrategyLimitsTest {
  private static final String GRID =
      Sweeps.HEAD
          + """
      search:
        strategy: grid
        space: {learningRate: {min: 0.1, max: 9}, steps: 40}
        points: {values: 3}
        score: {on: private, epsilon: 0.1}
      """;

  @Test
  void theSweeps_areSound() {
    assertThat(Sweeps.read(Sweeps.STOPPING).search().name()).isEqualTo("random-stopping");
    assertThat(Sweeps.read(GRID).search().name()).isEqualTo("grid");
  }

  @Test
  void aMethodWithoutCharge_leavesNoRunToKeep() {
    for (String sweep : new String[] {Sweeps.STOPPING, GRID}) {
      String open = Sweeps.edited(sweep, "data:\n", "data:\n  public: {path: p.csv}\n");
      assertThat(Sweeps.problems(open + "train: {method: only-public}\n"))
          .anySatisfy(
              problem ->
                  assertThat(problem)
                      .contains("must not be with only-public, which has no charged run"));
    }
  }

  @Test
  void anUncharged_scoreOfSecretRuns_isRefused() {
    String open = Sweeps.edited(Sweeps.STOPPING, "rows: ", "declared: simulated, rows: ");
    assertThat(Sweeps.problems(Sweeps.edited(open, "epsilon: 0.1}", "uncharged: true}")))
        .anySatisfy(
            problem ->
                assertThat(problem)
                    .contains("search.strategy must not be with an uncharged score"));
  }

  /** Two laws that are 1e-32 apart add (1 + e^ε)·1e-32 to δ, which must not count beside it. */
  @Test
  void aDeltaThatTheDrawnLawWouldShiftNoticeably_isRefused() {
    for (String budget :
        new String[] {"{epsilon: 1, delta: 3.0e-25}", "{epsilon: 50, delta: 1.0e-5}"}) {
      assertThat(
              Sweeps.problems(
                  Sweeps.edited(Sweeps.STOPPING, "{epsilon: 1, delta: 1.0e-5}", budget)))
          .singleElement()
          .asString()
          .contains("must not be with a delta below", "drawn to 32 digits");
    }
    assertThat(
            Sweeps.read(
                    Sweeps.edited(
                        Sweeps.STOPPING,
                        "{epsilon: 1, delta: 1.0e-5}",
                        "{epsilon: 1, delta: 4.0e-25}"))
                .search()
                .name())
        .isEqualTo("random-stopping");
  }

  /** The runs share what the mean and the scores leave, and all together keep the budget. */
  @Test
  void aGrid_paysForAPrivateMeanFirst() {
    StudyPlan plan =
        StudyPlan.of(
            Sweeps.read(GRID + "features:\n  - {type: private-mean, epsilon: 0.1, clipNorm: 1}\n"));

    double squares =
        plan.charges().stream()
            .mapToDouble(charge -> charge.mu().orElseThrow().value())
            .map(mu -> mu * mu)
            .sum();
    double cap = plan.sweep().budget().cap().mu().value();

    assertThat(plan.charges().get(0).what()).isEqualTo(Question.MEAN.name());
    // Nothing is left over but what σ is rounded by, far below 1e-6.
    assertThat(Math.sqrt(squares)).isBetween(cap * (1 - 1e-6), cap);
  }
}
