package io.mutune.trainer.method;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.LinearModel;
import java.util.Optional;

/**
 * What training reads without a charge.
 *
 * @param rows the public ones, mapped as training has them; empty where a method has no use for any
 * @param start the model that runs begin from; empty for zero weights
 */
public record PublicInputs(Optional<PublicRows> rows, Optional<LinearModel> start) {
  /** None. */
  public static final PublicInputs NONE = new PublicInputs(Optional.empty(), Optional.empty());

  /**
   * The public rows of a method whose charge was planned for their number; both numbers are public.
   *
   * @throws IllegalArgumentException if there are not as many as is stated
   */
  public PublicRows stated(long count) {
    PublicRows found = requiredRows();
    if (found.count() != count) {
      throw new IllegalArgumentException(
          "data.public has %d rows and not the %d that it states".formatted(found.count(), count));
    }
    return found;
  }

  /**
   * The same, with at least one of every class.
   *
   * @throws IllegalArgumentException as above, or if a label is no class, or a class has no row
   */
  public PublicRows stated(long count, int classes) {
    PublicRows found = stated(count);
    PublicRowsCheck.require(found, classes);
    return found;
  }

  /**
   * The public rows of a method that cannot do without.
   *
   * @throws IllegalArgumentException if there are none
   */
  public PublicRows requiredRows() {
    return rows.orElseThrow(() -> new IllegalArgumentException("training needs public rows"));
  }

  /**
   * The same, with at least one of every class.
   *
   * @throws IllegalArgumentException if there are none, a label is no class, or a class has no row
   */
  public PublicRows requiredRows(int classes) {
    PublicRows found = requiredRows();
    PublicRowsCheck.require(found, classes);
    return found;
  }
}
