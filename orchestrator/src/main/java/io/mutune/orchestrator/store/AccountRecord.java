package io.mutune.orchestrator.store;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.sweep.LifetimeBudget;
import io.mutune.orchestrator.sweep.NameForm;
import io.mutune.trainer.setting.OneLine;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private static final int IDENTITY_BYTES = 16;
  private static final int LONGEST_FINGERPRINT = 200;

  public AccountRecord {
    if (!NameForm.fits(name)) {
      throw new IllegalArgumentException(
          "an account's name has small letters, digits and hyphens, 64 at most; was " + name);
    }
    if (!(cap.mu().value() > 0)) {
      throw new IllegalArgumentException("an account's mu must be above 0");
    }
  }

  /**
   * An account as somebody asks for it, with an identity of its own, made now.
   *
   * @param adjacency its key
   * @throws IllegalArgumentException if what is asked for is no account; the message is for whoever
   *     asks
   */
  public static AccountRecord make(
      String name, LifetimeBudget budget, String adjacency, @Nullable String fingerprint) {
    if (fingerprint != null
        && (fingerprint.length() > LONGEST_FINGERPRINT || !OneLine.is(fingerprint))) {
      throw new IllegalArgumentException(
          "the fingerprint of rows is one line of at most %d characters"
              .formatted(LONGEST_FINGERPRINT));
    }
    byte[] identity = new byte[IDENTITY_BYTES];
    new SecureRandom().nextBytes(identity);
    return new AccountRecord(
        name,
        HexFormat.of().formatHex(identity),
        Instant.now(),
        Adjacency.ofKey(adjacency)
            .orElseThrow(
                () -> new IllegalArgumentException("adjacency must be add-remove or replace-one")),
        budget.cap(),
        Optional.ofNullable(fingerprint).filter(text -> !text.isBlank()));
  }
}
