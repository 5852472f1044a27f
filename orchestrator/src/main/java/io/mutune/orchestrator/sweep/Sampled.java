package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.search.Setting;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.model.ClipNorm;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * DP-SGD and its kin: noisy gradients of Poisson samples.
 *
 * @param samplingRate q, above 0 and at most 1
 */
public record Sampled(
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
    return EnumSet.of(Setting.CLIP_NORM, Setting.SAMPLING_RATE);
  }

  @Override
  public Sampled with(Map<Setting, Double> chosen) {
    ClipNorm norm = ClipNorm.of(chosen.getOrDefault(Setting.CLIP_NORM, clipNorm.value()));
    double rate = chosen.getOrDefault(Setting.SAMPLING_RATE, samplingRate);
    return new Sampled(norm, rate, update, start, rounding);
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
