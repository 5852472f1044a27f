package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Where linear scaling looks for the radius r = η·T, and how a radius becomes η and T. */
public sealed interface RadiusSpace
    permits RadiusSpace.ByRate, RadiusSpace.ByRadius, RadiusSpace.ByLogitNoise, WithSettings {
  StepRange steps();

  /**
   * The method's own numbers that points differ by, by their keys, in {@link
   * SearchedNumbers#ORDER}.
   */
  default List<String> settings() {
    return List.of();
  }

  /** Whether the range of rate, radius or ν is a single value. */
  boolean isOneValue();

  /** Whether points are found by ν, the noise in a logit. */
  default boolean isOfLogitNoise() {
    return false;
  }

  /** The radii that can be reached by a run of the given μ. */
  default Interval radii(RunScale scale, Mu mu) {
    return givenRadii().orElseThrow();
  }

  /** The radii that can be reached whatever the run's noise; empty where they follow from it. */
  default Optional<Interval> givenRadii() {
    return Optional.empty();
  }

  /** A random point of the space. */
  TrialPoint draw(SplittableRandom random, RunScale scale, Mu mu);

  /** The point at a share in [0, 1] of the way through the range of rate, radius or ν. */
  TrialPoint at(double share, int count, RunScale scale, Mu mu);

  /** A point with the given radius, which lies within {@link #radii}. */
  default TrialPoint split(double radius, SplittableRandom random, List<Guard> guards) {
    int count = drawSteps(steps(), random);
    return new TrialPoint(radius / count, count);
  }

  /** The ways of splitting a radius (linear scaling, appendix B). */
  enum Decompose {
    /** Draw η and T until η·T is within 5% of r. */
    SAMPLE_BOTH("sample-both"),
    /** Draw T, then η = r/T. */
    SAMPLE_STEPS("sample-steps"),
    /**
     * Trials draw η and T on their own and r follows; the final run takes a T that keeps η in
     * range.
     */
    INDEPENDENT("independent");

    private final String key;

    Decompose(String key) {
      this.key = key;
    }

    public String key() {
      return key;
    }
  }

  private static int drawSteps(StepRange steps, SplittableRandom random) {
    return random.nextInt(steps.min(), steps.max() + 1);
  }

  /** Ranges of η and T. */
  record ByRate(Interval learningRate, StepRange steps, Decompose decompose)
      implements RadiusSpace {
    private static final double TOLERANCE = 0.05;
    private static final int MOST_DRAWS = 10_000;

    @Override
    public boolean isOneValue() {
      return learningRate.isOneValue();
    }

    @Override
    public Optional<Interval> givenRadii() {
      return Optional.of(
          new Interval(
              learningRate.min() * steps.min(),
              learningRate.max() * steps.max(),
              Interval.Scale.LOG));
    }

    @Override
    public TrialPoint draw(SplittableRandom random, RunScale scale, Mu mu) {
      return new TrialPoint(learningRate.at(random.nextDouble()), drawSteps(steps, random));
    }

    @Override
    public TrialPoint at(double share, int count, RunScale scale, Mu mu) {
      return new TrialPoint(learningRate.at(share), count);
    }

    @Override
    public TrialPoint split(double radius, SplittableRandom random, List<Guard> guards) {
      if (decompose == Decompose.SAMPLE_BOTH) {
        for (int i = 0; i < MOST_DRAWS; i++) {
          double rate = learningRate.at(random.nextDouble());
          int count = drawSteps(steps, random);
          if (Math.abs(rate * count - radius) <= TOLERANCE * radius) {
            return new TrialPoint(rate, count);
          }
        }
        guards.add(
            Guard.of(
                "decompose",
                "no draw of learning rate and steps came within 5%% of radius %.4g; steps alone"
                    + " were drawn",
                radius));
      }
      int least = (int) Math.ceil(radius / learningRate.max() * (1 - 1e-12));
      int most = (int) Math.floor(radius / learningRate.min() * (1 + 1e-12));
      int low = Math.min(steps.max(), Math.max(steps.min(), least));
      int high = Math.max(low, Math.min(steps.max(), most));
      int count = random.nextInt(low, high + 1);
      return new TrialPoint(learningRate.clamp(radius / count), count);
    }
  }

  /** A range of r, and of T. */
  record ByRadius(Interval radius, StepRange steps) implements RadiusSpace {
    @Override
    public boolean isOneValue() {
      return radius.isOneValue();
    }

    @Override
    public Optional<Interval> givenRadii() {
      return Optional.of(radius);
    }

    @Override
    public TrialPoint draw(SplittableRandom random, RunScale scale, Mu mu) {
      return split(radius.at(random.nextDouble()), random, List.of());
    }

    @Override
    public TrialPoint at(double share, int count, RunScale scale, Mu mu) {
      return new TrialPoint(radius.at(share) / count, count);
    }
  }

  /** A range of ν, and of T: the radii follow from each run's μ. */
  record ByLogitNoise(Interval logitNoise, StepRange steps) implements RadiusSpace {
    @Override
    public boolean isOfLogitNoise() {
      return true;
    }

    @Override
    public boolean isOneValue() {
      return logitNoise.isOneValue();
    }

    @Override
    public Interval radii(RunScale scale, Mu mu) {
      return new Interval(
          scale.radius(logitNoise.min(), mu),
          scale.radius(logitNoise.max(), mu),
          logitNoise.scale());
    }

    @Override
    public TrialPoint draw(SplittableRandom random, RunScale scale, Mu mu) {
      return split(scale.radius(logitNoise.at(random.nextDouble()), mu), random, List.of());
    }

    @Override
    public TrialPoint at(double share, int count, RunScale scale, Mu mu) {
      return new TrialPoint(scale.radius(logitNoise.at(share), mu) / count, count);
    }
  }
}
