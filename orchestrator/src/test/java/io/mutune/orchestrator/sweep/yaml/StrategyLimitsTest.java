package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.sweep.Sweeps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertThat(Sweeps.read(Sweeps.SAMPLES).search().name()).isEqualTo("subsampled-tuning");
    assertThat(Sweeps.read(Sweeps.STOPPING).search().name()).isEqualTo("random-stopping");
    assertThat(Sweeps.read(GRID).search().name()).isEqualTo("grid");
  }

  @Test
  void aLatticeWithEqualSteps_isStillReadOfAStudyThatHasIt() {
    String equal =
        Sweeps.edited(
            Sweeps.edited(GRID, "steps: 40", "steps: {min: 1, max: 5}"),
            "values: 3",
            "values: 3, steps: 5");
    assertThat(SweepReader.readStored(Sweeps.FILE, equal, Sweeps.CONTEXT).search().name())
        .isEqualTo("grid");
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

  /** From ln(1e25) = 57.6 on such a δ would be 1, and from 710 on it is no number. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "50 | 1.0e-5 | a delta below 0.00052 at this epsilon, or an epsilon above 46.05 at this delta",
        "58 | 1.0e-5 | an epsilon above 46.05 at this delta",
        "710 | 1.0e-5 | an epsilon above 46.05 at this delta",
        "1 | 1.0e-25 | a delta below 3.8e-25 at this epsilon",
        "710 | 1.0e-25 | so large an epsilon and so small a delta",
      })
  void theMessage_namesTheLimitsThatThereAre(String epsilon, String delta, String limits) {
    for (String sweep : new String[] {Sweeps.STOPPING, Sweeps.SAMPLES}) {
      assertThat(Sweeps.problems(budget(sweep, epsilon, delta)))
          .singleElement()
          .asString()
          .contains("must not be with " + limits + ": the law of the number of runs is drawn to");
    }
  }

  @Test
  void theEpsilonThatTheMessageNames_isTaken() {
    for (String sweep : new String[] {Sweeps.STOPPING, Sweeps.SAMPLES}) {
      assertThat(StudyPlan.of(Sweeps.read(budget(sweep, "46.05", "1.0e-5"))).size()).isPositive();
    }
  }

  private static String budget(String sweep, String epsilon, String delta) {
    return Sweeps.edited(
        sweep, "{epsilon: 1, delta: 1.0e-5}", "{epsilon: %s, delta: %s}".formatted(epsilon, delta));
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
