package io.mutune.trainer.method;

import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.ChargedNoise;
import io.mutune.trainer.noise.Grid;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A run of a {@link TrainingMethod} on private rows. Making it checks its settings and the public
 * rows, so that nothing but the private rows can be wrong once the charge is reserved. Immutable.
 *
 * <p>What every method keeps, and {@code MethodConformanceTest} tests:
 *
 * <ul>
 *   <li>{@link #mechanism()} is known before a private row is read, and {@link #train} refuses
 *       every other charge before it reads one.
 *   <li>What is asked of the rows has the sensitivity that is charged, and the noise that is
 *       charged is added, by {@link io.mutune.trainer.noise.NormalStream#addTo} on a stream of its
 *       own for every (attempt, step, purpose): one call an answer, with a deviation from public
 *       inputs and earlier answers alone. The stream comes from {@link TrainingAttempt#noise} under
 *       an id of {@link TrainingAttempt#streams}.
 *   <li>Public inputs and earlier answers decide everything else: how many steps there are, which
 *       streams are drawn from, what the journal and the progress are told. Nothing is divided by
 *       the number of private rows, and no exception says anything of a row.
 *   <li>A row whose gradient is no finite number adds nothing.
 *   <li>Steps are noted in the journal as begun before they read a row. Those that were begun and
 *       lost are skipped; what was sampled for them is drawn anew for others, and stored nowhere.
 *   <li>The same seed gives the same model bit for bit. Cancelling stops within a step.
 * </ul>
 */
public abstract class Training {
  private final TrainingMethod method;

  /**
   * @param method whose run it is
   */
  protected Training(TrainingMethod method) {
    this.method = method;
  }

  /** What training asks of the rows in all; each of its releases is one step's answer. */
  public abstract Mechanism mechanism();

  /**
   * The grid that {@link #mechanism()} allows sums to be rounded to; empty for a method whose
   * charge has no room for that, which refuses noise on a grid.
   */
  public Optional<Grid> grid() {
    return Optional.empty();
  }

  /** How many steps there are at most; public. */
  public abstract int steps();

  /**
   * How many features private rows must have, where the settings fix it: whoever reserves the
   * charge compares it beforehand with what the data set is said to have.
   */
  public OptionalInt features() {
    return OptionalInt.empty();
  }

  /**
   * Trains, or goes on training. Steps that were begun before but are in no checkpoint are not
   * asked again: the model then comes from fewer steps, and the charge stays what it was.
   *
   * @param proof that {@link #mechanism()} is charged
   * @throws IllegalStateException if another mechanism is charged; no row was read
   * @throws IllegalArgumentException if the number of features, which is public, does not suit the
   *     settings, or a checkpoint does not, or people have several rows and the method cannot
   *     protect them; no row was read
   * @throws java.io.UncheckedIOException if a trainer that is a process of its own fails
   * @throws TrainingCancelled within a step of the request; the steps done are in a checkpoint
   */
  public final TrainedModel train(ReservedCharge proof, PrivateRows rows, TrainingAttempt run) {
    ChargedNoise.require(proof, mechanism(), run.noise(), grid());
    if (method.whyNoUnits().isPresent()) {
      Require.rowsAreUnits(method.name(), rows);
    }
    return trainCharged(rows, run);
  }

  /** As {@link #train} does, with what it asks charged and the noise of that charge. */
  protected abstract TrainedModel trainCharged(PrivateRows rows, TrainingAttempt run);
}
