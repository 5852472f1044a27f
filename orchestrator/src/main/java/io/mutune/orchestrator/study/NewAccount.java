package io.mutune.orchestrator.study;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.trainer.setting.OneLine;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A data set's account as somebody asks for it.
 *
 * @param mu the budget in μ; or else {@code epsilon} with {@code delta}
 * @param sampledDelta δ₀ for all studies together whose plans have no μ, such as those of sampled
 *     steps; a part of {@code delta} where that is given, so that μ is smaller; null for none
 * @param adjacency its key
 * @param fingerprint to tell the rows by; public
 */
public record NewAccount(
    String name,
    @Nullable Double mu,
    @Nullable Double epsilon,
    @Nullable Double delta,
    @Nullable Double sampledDelta,
    String adjacency,
    @Nullable String fingerprint) {
  private static final int IDENTITY_BYTES = 16;
  private static final int LONGEST_FINGERPRINT = 200;

  /** At it ε is 5474 at a δ of 1e-6: no protection. Its square is far from what a double holds. */
  private static final double MOST_MU = 100;

  /**
   * The account, with an identity of its own, made now.
   *
   * @throws IllegalArgumentException if what was asked for is no account; the message is for
   *     whoever asked
   */
  public AccountRecord record() {
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
        cap(mu, epsilon, delta, sampledDelta),
        Optional.ofNullable(fingerprint).filter(text -> !text.isBlank()));
  }

  /**
   * A cap, rounded down where it is given as (ε, δ).
   *
   * @param mu in μ, or else {@code epsilon} with {@code delta}
   * @param sampledDelta δ₀ of all studies together; null for none
   * @throws IllegalArgumentException if that is no cap; the message is for whoever gave it
   */
  public static ApproximateGaussianDp cap(
      @Nullable Double mu,
      @Nullable Double epsilon,
      @Nullable Double delta,
      @Nullable Double sampledDelta) {
    ApproximateGaussianDp cap = given(mu, epsilon, delta, sampledDelta);
    if (cap.mu().value() > MOST_MU) {
      throw new IllegalArgumentException(
          "an account's mu must be at most %s, which protects nothing already; was %s"
              .formatted(MOST_MU, cap.mu().value()));
    }
    return cap;
  }

  private static ApproximateGaussianDp given(
      @Nullable Double mu,
      @Nullable Double epsilon,
      @Nullable Double delta,
      @Nullable Double sampledDelta) {
    Delta delta0 = Delta.of(sampledDelta == null ? 0 : sampledDelta);
    if (mu != null && epsilon == null && delta == null) {
      return new ApproximateGaussianDp(Mu.of(mu), delta0);
    }
    if (mu == null && epsilon != null && delta != null) {
      return ApproximateGaussianDp.ofBudget(Epsilon.of(epsilon), Delta.of(delta), delta0);
    }
    throw new IllegalArgumentException("give mu, or epsilon with delta");
  }
}
