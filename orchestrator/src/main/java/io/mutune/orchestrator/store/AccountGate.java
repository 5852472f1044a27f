package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import java.sql.SQLException;
import java.time.Instant;
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
    AccountStanding standing = AccountLedger.standing(session, account);
    return standing.hasRoomFor(claim.cost())
        ? Optional.empty()
        : Optional.of(AccountRefusedException.overBudget(account, standing, claim));
  }

  static void reserve(
      Session session, AccountRecord account, AccountClaim claim, String study, Instant now)
      throws SQLException {
    AccountLedger.append(
        session, account.name(), AccountEntry.Kind.RESERVED, study, claim.cost(), now);
    StudyEvents.account(session, study, account.name());
    for (FileOwners.Owned file :
        FileOwners.claimed(account.name(), claim.card().isPresent(), claim.files())) {
      AccountLedger.own(session, file);
    }
  }

  /**
   * Settles a study that has ended: from now on the account holds the sum of its charges, where
   * each of them has a μ. What covers a whole plan stays whole once anything of it was charged. No
   * charge can follow, since the state is final. Study and account are locked.
   *
   * <p>After secret runs the entry has the time of their charge, or of a later entry before it: its
   * own would tell how long they took, and so how many there were.
   */
  static void settle(
      Session session, AccountLedger.Reservation reservation, String study, Instant now)
      throws SQLException {
    List<StoredCharge> charges = ChargeLedger.charges(session, study);
    ApproximateGaussianDp counted = AccountStanding.settled(reservation.cost(), charges);
    Optional<Instant> charged = ChargeLedger.afterSelection(session, study);
    Instant at = charged.orElse(now);
    if (charged.isPresent()) {
      for (AccountEntry before : AccountLedger.entries(session, reservation.account())) {
        at = before.at().isAfter(at) ? before.at() : at;
      }
    }
    AccountLedger.append(
        session, reservation.account(), AccountEntry.Kind.SETTLED, study, counted, at);
  }
}
