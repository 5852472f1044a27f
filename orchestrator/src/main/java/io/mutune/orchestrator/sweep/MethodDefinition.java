package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.search.Setting;
import io.mutune.trainer.method.ClipRule;
import io.mutune.trainer.method.Restraint;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.model.ClipNorm;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A training method with its public settings, all but the point and the noise of a run: those come
 * from the search and from the plan. One record for each form of question that is asked of the
 * rows.
 */
public sealed interface MethodDefinition
    permits MethodDefinition.FullBatch,
        MethodDefinition.Sampled,
        MethodDefinition.AdaMixed,
        OpenTraining,
        Classic {
  /** The name in sweeps and results. */
  String name();

  /**
   * What a run asks of the private rows, known before one of them is read. The run's own method
   * must declare the same.
   *
   * @param sigma the noise's deviation over one row's greatest contribution, or what a {@link
   *     Classic} method takes in its place; a run costs less the larger it is
   */
  Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps);

  /** Whether training asks anything of rows that need protection; if not, it has no mechanism. */
  default boolean isCharged() {
    return true;
  }

  /** C where a step is in the gradient's own unit; 1 where the method divides by it. */
  double stepUnit();

  /** β by which a step goes on; 0 where the method has another notion of it. */
  double momentum();

  /** What a run leaves to be looked for. */
  Tuned tuned();

  /** By how much neighbours differ in one release, where σ is 1. */
  default double sensitivity(Adjacency adjacency) {
    return adjacency.sumSensitivity();
  }

  /** Whether the charge is one for all steps together, however many there are. */
  default boolean chargedAsOne() {
    return false;
  }

  /** What a run shows, in words. */
  default String released() {
    return "the final model, after every step";
  }

  /**
   * The same method with sums that are rounded to a grid, and charged so; empty where it has not
   * been worked out what that costs.
   */
  default Optional<MethodDefinition> rounded(SumRounding rounding) {
    return Optional.empty();
  }

  /** What a search may choose in place of the sweep; no charge depends on them. */
  default Set<Setting> settings() {
    return Set.of();
  }

  /**
   * The method of a run that has these settings.
   *
   * @param chosen among {@link #settings()}
   */
  default MethodDefinition with(Map<Setting, Double> chosen) {
    if (!chosen.isEmpty()) {
      throw new IllegalArgumentException(name() + " has no settings to choose: " + chosen);
    }
    return this;
  }

  StartRule start();

  /** Whether labelled public rows are part of training. */
  default boolean usesPublicRows() {
    return false;
  }

  /**
   * Whether every step sums clipped gradients of all rows, so that it can be said what each row has
   * cost.
   */
  default boolean hasRowCosts() {
    return false;
  }

  /** The share of rows that takes part in a step, on average. */
  default double samplingRate() {
    return 1;
  }

  /**
   * Whether every charge has to be fixed before the first: there is no μ to filter by otherwise.
   */
  default boolean needsFixedPlan() {
    return samplingRate() < 1;
  }

  /**
   * Noisy gradient descent on all rows.
   *
   * @param name noisy-gd, or fully-private as AdaMix calls it
   */
  record FullBatch(
      String name,
      ClipNorm clipNorm,
      double momentum,
      boolean freeStep,
      Restraint restraint,
      StartRule start,
      Optional<SumRounding> rounding)
      implements MethodDefinition {
    /** Without rounding. */
    public FullBatch(
        String name,
        ClipNorm clipNorm,
        double momentum,
        boolean freeStep,
        Restraint restraint,
        StartRule start) {
      this(name, clipNorm, momentum, freeStep, restraint, start, Optional.empty());
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return new Gaussian(sigma, sensitivity(budget.adjacency()), steps);
    }

    @Override
    public double sensitivity(Adjacency adjacency) {
      return rounding
          .map(sums -> sums.sensitivity(adjacency, clipNorm))
          .orElse((double) adjacency.sumSensitivity());
    }

    @Override
    public Optional<MethodDefinition> rounded(SumRounding sums) {
      return Optional.of(
          new FullBatch(name, clipNorm, momentum, freeStep, restraint, start, Optional.of(sums)));
    }

    @Override
    public Set<Setting> settings() {
      return EnumSet.of(Setting.CLIP_NORM, Setting.WEIGHT_DECAY, Setting.PROJECTION_RADIUS);
    }

    @Override
    public FullBatch with(Map<Setting, Double> chosen) {
      return new FullBatch(
          name,
          ClipNorm.of(chosen.getOrDefault(Setting.CLIP_NORM, clipNorm.value())),
          momentum,
          freeStep,
          new Restraint(
              chosen.getOrDefault(Setting.WEIGHT_DECAY, restraint.weightDecay()),
              restraint.towardsStart(),
              chosen.getOrDefault(Setting.PROJECTION_RADIUS, restraint.radius()),
              restraint.schedule(),
              restraint.averaged()),
          start,
          rounding);
    }

    @Override
    public double stepUnit() {
      return clipNorm.value();
    }

    @Override
    public boolean hasRowCosts() {
      return true;
    }

    @Override
    public Tuned tuned() {
      return Tuned.RADIUS;
    }
  }

  /**
   * DP-SGD and its kin: noisy gradients of Poisson samples.
   *
   * @param samplingRate q, above 0 and at most 1
   */
  record Sampled(
      ClipNorm clipNorm,
      double samplingRate,
      Update update,
      StartRule start,
      Optional<SumRounding> rounding)
      implements MethodDefinition {
    /** Without rounding. */
    public Sampled(ClipNorm clipNorm, double samplingRate, Update update, StartRule start) {
      this(clipNorm, samplingRate, update, start, Optional.empty());
    }

    @Override
    public String name() {
      return update.name();
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      double sensitivity = sensitivity(budget.adjacency());
      return samplingRate == 1
          ? new Gaussian(sigma, sensitivity, steps)
          : new SubsampledGaussian(sigma, samplingRate, sensitivity, steps);
    }

    @Override
    public double sensitivity(Adjacency adjacency) {
      return rounding
          .map(
              sums ->
                  samplingRate == 1
                      ? sums.sensitivity(adjacency, clipNorm)
                      : sums.sampledSensitivity(adjacency, clipNorm))
          .orElse((double) adjacency.sumSensitivity());
    }

    @Override
    public Optional<MethodDefinition> rounded(SumRounding sums) {
      return Optional.of(new Sampled(clipNorm, samplingRate, update, start, Optional.of(sums)));
    }

    @Override
    public Set<Setting> settings() {
      return EnumSet.of(Setting.CLIP_NORM);
    }

    @Override
    public Sampled with(Map<Setting, Double> chosen) {
      ClipNorm norm = ClipNorm.of(chosen.getOrDefault(Setting.CLIP_NORM, clipNorm.value()));
      return new Sampled(norm, samplingRate, update, start, rounding);
    }

    @Override
    public double stepUnit() {
      return clipNorm.value();
    }

    @Override
    public double momentum() {
      return update instanceof Update.Sgd sgd ? sgd.momentum() : 0;
    }

    @Override
    public boolean hasRowCosts() {
      return samplingRate == 1;
    }

    @Override
    public Tuned tuned() {
      return update.tuned();
    }
  }

  /**
   * AdaMix.
   *
   * @param directions how many directions of the public gradient are asked along; empty for all
   * @param weightDecay λ beside the sum of losses
   */
  record AdaMixed(
      ClipRule clip,
      double momentum,
      OptionalInt directions,
      boolean publicGradient,
      double weightDecay,
      StartRule start)
      implements MethodDefinition {
    @Override
    public String name() {
      return "adamix";
    }

    @Override
    public Set<Setting> settings() {
      return clip instanceof ClipRule.Quantile
          ? EnumSet.of(Setting.CLIP_QUANTILE, Setting.WEIGHT_DECAY)
          : EnumSet.of(Setting.WEIGHT_DECAY);
    }

    @Override
    public AdaMixed with(Map<Setting, Double> chosen) {
      Double quantile = chosen.get(Setting.CLIP_QUANTILE);
      return new AdaMixed(
          quantile == null ? clip : new ClipRule.Quantile(quantile),
          momentum,
          directions,
          publicGradient,
          chosen.getOrDefault(Setting.WEIGHT_DECAY, weightDecay),
          start);
    }

    @Override
    public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
      return new Gaussian(sigma, budget.adjacency().sumSensitivity(), steps);
    }

    @Override
    public double stepUnit() {
      return 1;
    }

    @Override
    public boolean hasRowCosts() {
      return true;
    }

    @Override
    public Tuned tuned() {
      return Tuned.RADIUS;
    }

    @Override
    public boolean usesPublicRows() {
      return true;
    }
  }

  /** How a noisy gradient moves the weights; reads no row. */
  sealed interface Update {
    String name();

    /** What it leaves to be looked for. */
    Tuned tuned();

    /** With momentum, and perhaps one step more without a gradient. */
    record Sgd(double momentum, boolean freeStep) implements Update {
      @Override
      public String name() {
        return "dp-sgd";
      }

      @Override
      public Tuned tuned() {
        return Tuned.RADIUS;
      }
    }

    /**
     * Adam.
     *
     * @param beta1 decay of the mean, in [0, 1)
     * @param beta2 decay of the squares, in [0, 1)
     * @param epsilon of the denominator; no privacy parameter
     */
    record Adam(double beta1, double beta2, double epsilon) implements Update {
      @Override
      public String name() {
        return "dp-adam";
      }

      @Override
      public Tuned tuned() {
        return Tuned.LEARNING_RATE;
      }
    }

    /** Adam whose second moment is the noise's own: it has no learning rate. */
    record AdamWithoutSecondMoments() implements Update {
      @Override
      public String name() {
        return "dp-adam-wosm";
      }

      @Override
      public Tuned tuned() {
        return Tuned.STEPS;
      }
    }

    /**
     * SgdAdv's, by η/√t.
     *
     * @param weightDecay λ beside the mean loss
     */
    record Falling(double weightDecay) implements Update {
      @Override
      public String name() {
        return "sgd-adv";
      }

      @Override
      public Tuned tuned() {
        return Tuned.LEARNING_RATE;
      }
    }
  }
}
