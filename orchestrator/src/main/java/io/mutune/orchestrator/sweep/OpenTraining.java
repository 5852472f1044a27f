package io.mutune.orchestrator.sweep;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Mechanism;

/**
 * Training without noise and without a charge, on rows that need no protection: the ends of the
 * scale that every private method lies on. {@code only-public} trains on the rows of {@code
 * data.public} and reads no private row; {@code not-private} is the paragon, on the rows of {@code
 * data.private} that the sweep declares public or simulated, and its study's guarantee is void.
 *
 * @param training how to minimise; λ is beside the mean of the losses
 */
public record OpenTraining(boolean onPublicRows, StartRule.FromPublicRows training)
    implements MethodDefinition {
  public static final String ONLY_PUBLIC = "only-public";
  public static final String NOT_PRIVATE = "not-private";

  @Override
  public String name() {
    return onPublicRows ? ONLY_PUBLIC : NOT_PRIVATE;
  }

  @Override
  public boolean isCharged() {
    return false;
  }

  /**
   * @throws IllegalStateException always: it asks nothing of rows that need protection
   */
  @Override
  public Mechanism mechanism(NoiseMultiplier sigma, Budget budget, int steps) {
    throw new IllegalStateException(name() + " is not charged");
  }

  @Override
  public double stepUnit() {
    return 1;
  }

  @Override
  public double momentum() {
    return 0;
  }

  @Override
  public Tuned tuned() {
    return Tuned.NOTHING;
  }

  @Override
  public String released() {
    return onPublicRows
        ? "the final model, which training found from data.public alone: it read no private row"
        : "the final model, which training found from data.private without noise";
  }

  @Override
  public StartRule start() {
    return new StartRule.Zero();
  }

  @Override
  public boolean usesPublicRows() {
    return onPublicRows;
  }
}
