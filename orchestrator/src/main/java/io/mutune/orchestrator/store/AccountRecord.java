package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.sweep.NameForm;
import java.time.Instant;
import java.util.Optional;

/**
 * The lifetime budget of a data set.
 *
 * @param name of the data set, public
 * @param identity random, so that accounts of the same name in two stores differ; depends on no row
 * @param adjacency of the cap; every study that draws on the account must have the same
 * @param cap on the cost of all studies together
 * @param fingerprint of the rows, a public text that the owner gave and Mutune does not interpret
 */
public record AccountRecord(
    String name,
    String identity,
    Instant created,
    Adjacency adjacency,
    ApproximateGaussianDp cap,
    Optional<String> fingerprint) {
  public AccountRecord {
    if (!NameForm.fits(name)) {
      throw new IllegalArgumentException(
          "an account's name has small letters, digits and hyphens, 64 at most; was " + name);
    }
    if (!(cap.mu().value() > 0)) {
      throw new IllegalArgumentException("an account's mu must be above 0");
    }
  }
}
