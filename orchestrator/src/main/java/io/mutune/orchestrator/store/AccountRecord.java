package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.GaussianDp;
import java.time.Instant;
import java.util.Optional;

/**
 * A data set's lifetime budget.
 *
 * @param name of the data set, public
 * @param identity drawn when the account was made, so that two accounts of one name in two stores
 *     are told apart; follows from no row
 * @param adjacency what the cap hides; every study that draws on it must hide the same
 * @param cap what everything together may cost, forever
 * @param fingerprint of the rows, as its owner gave it: opaque to Mutune, and public
 */
public record AccountRecord(
    String name,
    String identity,
    Instant created,
    Adjacency adjacency,
    GaussianDp cap,
    Optional<String> fingerprint) {
  /** Which names there are, as a regular expression. */
  public static final String NAME = "[a-z0-9][a-z0-9-]{0,63}";

  public AccountRecord {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "an account's name has small letters, digits and hyphens, 64 at most; was " + name);
    }
    if (!(cap.mu().value() > 0)) {
      throw new IllegalArgumentException("an account's mu must be above 0");
    }
  }
}
