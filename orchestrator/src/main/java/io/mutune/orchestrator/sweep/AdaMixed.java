package io.mutune.orchestrator.sweep;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.search.Setting;
import io.mutune.trainer.method.ClipRule;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * AdaMix.
 *
 * @param directions how many directions of the public gradient are asked along; empty for all
 * @param weightDecay λ beside the sum of losses
 */
public record AdaMixed(
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
