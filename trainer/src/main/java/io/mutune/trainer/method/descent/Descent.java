package io.mutune.trainer.method.descent;

import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.IterateStepper;
import io.mutune.trainer.method.StepLoop;
import io.mutune.trainer.method.TrainingAttempt;
import java.util.function.Supplier;

/** A run of gradient descent in double: one query a step, then the method's update rule. */
final class Descent extends IterateStepper {
  private final UpdateRule rule;
  private final StepQuery query;
  private final double[] gradient;

  private Descent(UpdateRule rule, StepQuery query, Iterate from) {
    super(from);
    this.rule = rule;
    this.query = query;
    this.gradient = new double[weights.length];
  }

  /**
   * Runs to the end.
   *
   * @param start the weights before the first step; not written to
   * @param open opens the query; called only if there is a step left to ask
   * @return the weights to release
   */
  static double[] run(
      int steps, double[] start, UpdateRule rule, Supplier<StepQuery> open, TrainingAttempt run) {
    Iterate from = run.start(start, new double[rule.memoryLength(start.length)]);
    try (StepQuery query = new LazyQuery(open)) {
      Descent descent = new Descent(rule, query, from);
      StepLoop.run(steps, descent, run);
      return rule.released(descent.weights, descent.memory);
    }
  }

  @Override
  public boolean iteratesAreModels() {
    return true;
  }

  @Override
  public void skipTo(int step) {
    while (asked < step) {
      asked++;
      rule.skip(asked, weights, memory);
    }
  }

  @Override
  public void step() {
    asked++;
    query.ask(asked, weights, gradient);
    rule.apply(asked, weights, memory, gradient);
  }
}
