package io.mutune.trainer.method;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.ClippedSum;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.PublicGradients;
import io.mutune.trainer.model.RowSample;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run of PPSGD or PPGD: steps of a budget that public gradients change, until what is left of the
 * total does not pay for another. What it remembers is ρ, C and what is left.
 *
 * <p>Steps that were lost in a crash are charged the most that they can have cost, as ρ may have
 * grown at each of them.
 */
final class AdaptiveDescent implements Stepper {
  /** What a step costs and adds. */
  interface Law {
    /** Of the first step. */
    double firstRho();

    /** Of the whole run. */
    double totalRho();

    /** The most that a step may cost. */
    double greatestRho();

    /** The number of rows that a step's sum is divided by. */
    double divisor();

    /** The standard deviation of each coordinate of the sum for a clip norm of 1; rounded up. */
    double deviation(double rho);

    RowSample sample(int step, TrainingRun run);
  }

  private static final int RHO = 0;
  private static final int CLIP = 1;
  private static final int LEFT = 2;

  private static final double LEAST_CLIP = 1e-30;

  private final Adaptation adaptation;
  private final Law law;
  private final Supplier<ClippedSum> open;
  private @Nullable ClippedSum sum;
  private final PublicGradients shown;
  private final long shownRows;
  private final TrainingRun run;
  private final double[] weights;
  private final double[] memory;
  private final double[] gradient;
  private int asked;

  private AdaptiveDescent(
      Adaptation adaptation,
      Problem problem,
      Law law,
      Supplier<ClippedSum> open,
      PublicRows shown,
      TrainingRun run,
      Iterate from) {
    this.adaptation = adaptation;
    this.law = law;
    this.open = open;
    this.shown = new PublicGradients(shown, problem.loss(), problem.classes());
    this.shownRows = shown.blocks().rows();
    this.run = run;
    this.weights = from.weights().clone();
    this.memory = from.memory().clone();
    this.gradient = new double[weights.length];
    this.asked = from.asked();
  }

  /** At most how many steps the total pays for: ρ never falls. */
  static int steps(Law law) {
    double steps = Math.floor(law.totalRho() / law.firstRho());
    if (!(steps >= 1 && steps <= Integer.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "a total rho of %s does not pay for a sensible number of steps of %s"
              .formatted(law.totalRho(), law.firstRho()));
    }
    return (int) steps;
  }

  static LinearModel train(
      Adaptation adaptation,
      Problem problem,
      Law law,
      PrivateRows rows,
      PublicRows shown,
      TrainingRun run) {
    int features = rows.columns();
    int columns = problem.columns();
    StartWeights.checkFeatures(features, shown.blocks().columns());
    double[] start = new double[Math.multiplyExact(features, columns)];
    double[] first = {law.firstRho(), adaptation.clipNorm().value(), law.totalRho()};
    Iterate from = run.start(start, first);
    Supplier<ClippedSum> open =
        () -> run.engine().open(rows, problem.loss(), problem.classes(), adaptation.clipNorm());
    AdaptiveDescent descent = new AdaptiveDescent(adaptation, problem, law, open, shown, run, from);
    try {
      int steps = steps(law);
      StepLoop.skipLost(steps, descent, run);
      StepLoop.run(steps, descent, run);
    } finally {
      descent.close();
    }
    LinearModel released = new LinearModel(features, columns, descent.weights);
    return adaptation
        .reuse()
        .map(weight -> ModelReuse.fitted(released, shown, problem, weight))
        .orElse(released);
  }

  /** Opened at the first step: a run with none left reads no row. */
  private ClippedSum sum() {
    if (sum == null) {
      sum = open.get();
    }
    return sum;
  }

  private void close() {
    if (sum != null) {
      sum.close();
    }
  }

  @Override
  public boolean iteratesAreModels() {
    return true;
  }

  @Override
  public int asked() {
    return asked;
  }

  @Override
  public boolean finished() {
    return memory[LEFT] < memory[RHO];
  }

  @Override
  public void skipTo(int step) {
    double most = memory[RHO];
    while (asked < step) {
      asked++;
      spend(most);
      most = grown(most);
    }
  }

  @Override
  public void step() {
    asked++;
    ClipNorm clip = ClipNorm.of(memory[CLIP]);
    sum().compute(weights, clip, law.sample(asked, run), gradient);
    double deviation = law.deviation(memory[RHO]) * clip.value();
    spend(memory[RHO]);
    run.noise().stream(run.streams().step(asked)).addTo(gradient, deviation);
    for (int i = 0; i < weights.length; i++) {
      double mean = gradient[i] / law.divisor() + adaptation.weightDecay() * weights[i];
      weights[i] -= adaptation.learningRate() * mean;
    }
    adapt(deviation / law.divisor());
  }

  /**
   * @param deviation of each coordinate of the mean gradient
   */
  private void adapt(double deviation) {
    shown.compute(weights, gradient);
    double squares = 0;
    for (double g : gradient) {
      squares += g * g;
    }
    double norm = Math.sqrt(squares) / shownRows;
    if (adaptation.noiseRatio() * norm < deviation * Math.sqrt(weights.length)) {
      memory[RHO] = grown(memory[RHO]);
    }
    if (adaptation.clipRatio() * norm < memory[CLIP]) {
      memory[CLIP] = Math.max(LEAST_CLIP, (1 - adaptation.clipShrink()) * memory[CLIP]);
    }
  }

  private double grown(double rho) {
    return Math.max(rho, Math.min(law.greatestRho(), (1 + adaptation.rhoGrowth()) * rho));
  }

  /** Rounded down, so that all that is spent never adds up to more than the total. */
  private void spend(double rho) {
    memory[LEFT] = memory[LEFT] <= rho ? 0 : Math.nextDown(memory[LEFT] - rho);
  }

  @Override
  public Iterate iterate() {
    return new Iterate(asked, weights, memory);
  }
}
