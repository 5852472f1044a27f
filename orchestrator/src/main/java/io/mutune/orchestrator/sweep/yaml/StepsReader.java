package io.mutune.orchestrator.sweep.yaml;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.EnoughSteps;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.sweep.SweepDefaults;
import io.mutune.orchestrator.sweep.TrainDefinition;
import io.mutune.trainer.loss.Loss;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code steps} of a search over ν: a number, a range of which the largest is taken, {@code
 * auto}, or {@code {auto: 500}} with the most that the plan may take; {@code auto} where it is left
 * out.
 *
 * @param budget of the study
 * @param scale of a run on all rows
 * @param defaults of the study
 */
record StepsReader(Budget budget, RunScale scale, SweepDefaults defaults) {
  private static final String STEPS = "steps";
  private static final String AUTO = "auto";

  /** With {@link SweepDefaults#HUNDRED_STEPS}. */
  private static final int EARLIER_MOST = 500;

  /** What the plan goes by; empty where a part of it has a mistake. */
  static Optional<StepsReader> of(
      Optional<Budget> budget,
      Optional<TrainDefinition> train,
      DataReader data,
      SweepDefaults defaults) {
    if (budget.isEmpty()
        || train.isEmpty()
        || data.rows().isEmpty()
        || data.classCount().isEmpty()) {
      return Optional.empty();
    }
    RunScale scale = train.get().scale(budget.get(), data.classCount().get(), data.rows().get());
    return Optional.of(new StepsReader(budget.get(), scale, defaults));
  }

  /**
   * The steps of a space.
   *
   * @param known what the plan goes by; empty where another part of the sweep has a mistake
   * @param largestNoise the largest ν that a run may take
   */
  static Optional<EnoughSteps> read(
      YamlSection space, Optional<StepsReader> known, double largestNoise) {
    if (!space.has(STEPS)) {
      return Optional.of(unsaid(known, largestNoise));
    }
    if (!isAuto(space)) {
      return SpaceReader.steps(space).map(StepRange::max).map(EnoughSteps::given);
    }
    int usual = known.map(StepsReader::most).orElse(EnoughSteps.MOST);
    return most(space, usual).flatMap(most -> known.map(k -> k.enough(largestNoise, most)));
  }

  /** The steps of a search that says nothing of them. */
  static EnoughSteps unsaid(Optional<StepsReader> known, double largestNoise) {
    return known
        .filter(k -> k.defaults.planSteps())
        .map(k -> k.enough(largestNoise, EnoughSteps.MOST))
        .orElseGet(() -> EnoughSteps.given(EnoughSteps.USUAL));
  }

  private EnoughSteps enough(double largestNoise, int most) {
    if (defaults.planSteps()) {
      return defaults.leastSteps()
          ? EnoughSteps.least(largestNoise, scale, budget.cap().mu(), most)
          : EnoughSteps.of(largestNoise, scale, budget.cap().mu(), most);
    }
    double ofUsualMomentum =
        scale.largestStableLearningRate() * (1 + Loss.USUAL_MOMENTUM) / (1 + scale.momentum());
    return EnoughSteps.least(largestNoise, scale, ofUsualMomentum, budget.cap().mu(), most);
  }

  private int most() {
    return defaults.planSteps() ? EnoughSteps.MOST : EARLIER_MOST;
  }

  /** Whether the plan chooses, or a word that is no number is meant to say so. */
  static boolean isAuto(YamlSection space) {
    if (space.isMapping(STEPS)) {
      return space.lineOf(STEPS, AUTO).isPresent();
    }
    return space.wordAt(STEPS).filter(word -> word.matches("[A-Za-z]+")).isPresent();
  }

  private static Optional<Integer> most(YamlSection space, int usual) {
    if (!space.isMapping(STEPS)) {
      return space.word(STEPS, List.of(AUTO)).map(word -> usual);
    }
    return space
        .section(STEPS)
        .flatMap(
            section -> {
              Optional<Integer> most = section.count(AUTO, 1, StepRange.MOST);
              section.finish();
              return most;
            });
  }
}
