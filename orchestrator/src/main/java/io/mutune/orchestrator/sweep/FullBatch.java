package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.search.Setting;
import io.mutune.trainer.method.Restraint;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.model.ClipNorm;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Noisy gradient descent on all rows.
 *
 * @param name noisy-gd, or fully-private as AdaMix calls it
 */
public record FullBatch(
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
