package io.mutune.trainer.method.catalogue;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.PublicTraining;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import java.util.List;
import java.util.Set;

/**
 * Training without noise and without a charge, on rows that need no protection: what private
 * methods are compared with. {@code only-public} trains on the public rows and reads no private
 * one; {@code not-private} on private rows that are declared public or simulated, and its study's
 * guarantee is void.
 *
 * @param training how to minimise; λ is beside the mean of the losses
 */
public record UnchargedTraining(boolean onPublicRows, Start.FromPublicRows training)
    implements TrainingMethod {
  /** In sweeps: on the public rows. */
  private static final MethodType ONLY_PUBLIC = type("only-public", true);

  /** In sweeps: on rows that are declared public or simulated. */
  private static final MethodType NOT_PRIVATE = type("not-private", false);

  /** Both. */
  static final List<MethodType> TYPES = List.of(ONLY_PUBLIC, NOT_PRIVATE);

  private static MethodType type(String name, boolean onPublicRows) {
    return new MethodType(
        name,
        Start.FromPublicRows.SETTINGS,
        given -> new UnchargedTraining(onPublicRows, Start.FromPublicRows.read(given)));
  }

  @Override
  public MethodType type() {
    return onPublicRows ? ONLY_PUBLIC : NOT_PRIVATE;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(onPublicRows ? Need.PUBLIC_ROWS : Need.OPEN_ROWS);
  }

  @Override
  public boolean isCharged() {
    return false;
  }

  @Override
  public Searched searched() {
    return Searched.NOTHING;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException always: it asks nothing of rows that need protection
   */
  @Override
  public Mechanism mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    throw new IllegalStateException(name() + " is not charged");
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException always: {@link #unprotected} says how it trains
   */
  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    throw new IllegalStateException(name() + " is not charged");
  }

  @Override
  public PublicTraining.Settings unprotected(Problem problem) {
    return training.settings(problem.loss(), problem.classes());
  }

  @Override
  public String released() {
    return onPublicRows
        ? "the final model, which training found from data.public alone: it read no private row"
        : "the final model, which training found from data.private without noise";
  }
}
