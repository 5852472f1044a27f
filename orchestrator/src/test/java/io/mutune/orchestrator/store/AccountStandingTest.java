package io.mutune.orchestrator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.store.AccountEntry.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccountStandingTest {
  private static AccountRecord account(ApproximateGaussianDp cap) {
    return new AccountRecord(
        "rows", "00", Instant.EPOCH, Adjacency.ADD_REMOVE, cap, Optional.empty());
  }

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Mechanism GAUSSIAN = new Gaussian(NoiseMultiplier.of(4), 1, 1);
  private static final Mechanism SAMPLED =
      new SubsampledGaussian(NoiseMultiplier.of(4), 0.1, 1, 10);

  private static ApproximateGaussianDp dp(double mu, double delta0) {
    return new ApproximateGaussianDp(Mu.of(mu), Delta.of(delta0));
  }

  private static AccountEntry entry(int number, Kind kind, String study, double mu, double delta0) {
    return new AccountEntry(number, kind, study, dp(mu, delta0), NOW);
  }

  private static List<StoredCharge> charges(Mechanism... mechanisms) {
    return List.of(mechanisms).stream()
        .map(m -> new StoredCharge(1, new Charge("trial-1", m), NOW))
        .toList();
  }

  @Test
  void mu_addsUpInSquares_andDelta0AsItIs() {
    AccountStanding standing =
        AccountStanding.of(
            account(dp(1, 1e-5)),
            List.of(
                entry(1, Kind.RESERVED, "a", 0.3, 2e-6),
                entry(2, Kind.RESERVED, "b", 0.4, 0),
                entry(3, Kind.SETTLED, "a", 0.3, 2e-6),
                entry(4, Kind.RESERVED, "c", 0.5, 4e-6)));
    assertThat(standing.settled()).isEqualTo(dp(0.3, 2e-6));
    assertThat(standing.held().mu().value()).isBetween(Math.sqrt(0.5), Math.sqrt(0.5) + 1e-15);
    assertThat(standing.held().delta0().value()).isBetween(6e-6, 6e-6 * (1 + 1e-15));
    assertThat(standing.left().mu().value()).isBetween(Math.sqrt(0.5) - 1e-15, Math.sqrt(0.5));
    assertThat(standing.left().delta0().value()).isCloseTo(4e-6, within(1e-20));
  }

  @Test
  void aStudyFits_whereBothFiguresDo() {
    ApproximateGaussianDp cap = dp(1, 1e-5);
    AccountStanding standing =
        AccountStanding.of(account(cap), List.of(entry(1, Kind.RESERVED, "a", 0.6, 6e-6)));
    assertThat(cap.covers(standing.with(dp(0.799, 3.9e-6)))).isTrue();
    assertThat(cap.covers(standing.with(dp(0.801, 1e-6)))).isFalse();
    assertThat(cap.covers(standing.with(dp(0.1, 4.1e-6)))).isFalse();
    // What has no δ₀ takes no part of it.
    assertThat(cap.covers(standing.with(dp(0.799, 0)))).isTrue();
  }

  @Test
  void onAnAccountWithoutDelta0_onlyWhatHasAMuFits() {
    ApproximateGaussianDp cap = dp(1, 0);
    AccountStanding standing = AccountStanding.of(account(cap), List.of());
    assertThat(cap.covers(standing.with(dp(0.1, 1e-9)))).isFalse();
    assertThat(cap.covers(standing.with(dp(1, 0)))).isTrue();
  }

  @Test
  void aStudyInMu_settlesWithItsCharges_andNeverWithMoreThanItReserved() {
    ApproximateGaussianDp reserved = dp(0.3, 0);
    assertThat(AccountStanding.settled(reserved, charges(GAUSSIAN))).isEqualTo(dp(0.25, 0));
    assertThat(AccountStanding.settled(reserved, charges())).isEqualTo(dp(0, 0));
    assertThat(AccountStanding.settled(reserved, charges(GAUSSIAN, GAUSSIAN))).isEqualTo(reserved);
  }

  @Test
  void aStudyWithoutMu_keepsWhatItReserved_onceAnythingWasCharged() {
    ApproximateGaussianDp reserved = dp(0.3, 1e-6);
    // The first charge alone would cost less, but its release may be why the rest was left out.
    assertThat(AccountStanding.settled(reserved, charges(GAUSSIAN))).isEqualTo(reserved);
    assertThat(AccountStanding.settled(reserved, charges(GAUSSIAN, SAMPLED))).isEqualTo(reserved);
    assertThat(AccountStanding.settled(reserved, charges())).isEqualTo(dp(0, 0));
    assertThat(AccountStanding.settled(dp(3, 0), charges(GAUSSIAN, SAMPLED))).isEqualTo(dp(3, 0));
  }
}
