package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Mechanism;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a study may draw on an account, reserves the cost of its plan, and frees what an
 * ended study was not charged.
 */
final class AccountGate {
  private AccountGate() {}

  /**
   * Refuses claims whatever the budget left: an account that does not exist or has another
   * adjacency, and files that belong to another account or would be read without a charge.
   */
  static Optional<AccountRecord> account(Session session, AccountClaim claim, FileOwners owners)
      throws SQLException {
    owners.admit(claim.account(), claim.card().isPresent(), claim.files());
    if (claim.card().isPresent()) {
      DataSetTable.require(session, claim.card().get(), claim.account());
    }
    if (claim.account().isEmpty()) {
      return Optional.empty();
    }
    String name = claim.account().get();
    AccountRecord account =
        AccountLedger.read(session, name)
            .orElseThrow(
                () ->
                    new AccountRefusedException(
                        "there is no account '" + name + "'; see 'mutune account create'"));
    if (account.adjacency() != claim.adjacency()) {
      throw new AccountRefusedException(
          "the account '%s' is for %s neighbours, the sweep for %s"
              .formatted(name, account.adjacency().key(), claim.adjacency().key()));
    }
    return Optional.of(account);
  }

  /** Returns the refusal of a claim that exceeds what is left. The account is locked. */
  static Optional<AccountRefusedException> refusal(
      Session session, AccountRecord account, AccountClaim claim) throws SQLException {
    LedgerTable.ACCOUNT.requireSound(session, account.name());
    AccountStanding standing =
        AccountStanding.of(account, AccountLedger.entries(session, account.name()));
    GaussianDp after = GaussianDp.compose(List.of(standing.held(), claim.cost()));
    return after.mu().value() > standing.cap().mu().value()
        ? Optional.of(AccountRefusedException.overBudget(account, standing, claim.cost()))
        : Optional.empty();
  }

  static void reserve(
      Session session, AccountRecord account, AccountClaim claim, String study, Instant now)
      throws SQLException {
    AccountLedger.append(
        session, account.name(), AccountEntry.Kind.RESERVED, study, claim.cost(), now);
    StudyEvents.account(session, study, account.name());
    for (FileOwners.Owned file : FileOwners.claimed(account.name(), claim.card().isPresent(), claim.files())) {
      AccountLedger.own(session, file);
    }
  }

  /**
   * Settles a study that has ended: from now on the account holds the sum of its charges. No charge
   * can follow, since the state is final. Study and account are locked.
   */
  static void settle(
      Session session, AccountLedger.Reservation reservation, String study, Instant now)
      throws SQLException {
    List<GaussianDp> costs = new ArrayList<>();
    for (StoredCharge stored : ChargeLedger.charges(session, study)) {
      Charge charge = stored.charge();
      Mechanism mechanism = charge.mechanism();
      if (mechanism.mu().isEmpty()) {
        return; // No plan that may draw on an account has a charge without a μ; the whole
        // reservation stays.
      }
      costs.add(GaussianDp.of(mechanism.mu().get()));
    }
    GaussianDp used = GaussianDp.compose(costs);
    GaussianDp counted =
        used.mu().value() < reservation.cost().mu().value() ? used : reservation.cost();
    AccountLedger.append(
        session, reservation.account(), AccountEntry.Kind.SETTLED, study, counted, now);
  }
}
