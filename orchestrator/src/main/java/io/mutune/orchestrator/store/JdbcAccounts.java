package io.mutune.orchestrator.store;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.orchestrator.sweep.yaml.StatedUnitReader;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * What changes the accounts and the registered data sets of a database. Nothing is appended to an
 * account's chain but under its lock, and after a look whether the chain is the one that was
 * witnessed.
 *
 * @param others files of accounts that another store keeps
 */
record JdbcAccounts(WitnessedDatabase witnessed, Clock clock, FileOwners others) {
  FileOwners owners(Session session) throws SQLException {
    return AccountLedger.owners(session).and(others);
  }

  /** Returns the account that a new study draws on, locked, if there is one and it may. */
  Optional<AccountRecord> claimed(Session session, StudyRecord study, AccountClaim claim)
      throws SQLException {
    if (!claim.files().isEmpty()) {
      witnessed.database().lockFiles(session);
    }
    if (claim.account().isPresent()) {
      witnessed.lockAccount(session, claim.account().get());
    }
    Optional<AccountRecord> account = AccountGate.account(session, claim, owners(session));
    if (account.isPresent()) {
      StatedUnit unit = StatedUnitReader.ofSweep("the sweep", study.definition(), study.context());
      AccountUnits.admit(session, account.get().name(), unit);
    }
    return account;
  }

  /** Returns what a study holds of an account, after locking and checking the account. */
  Optional<AccountLedger.Reservation> reservation(Session session, String study)
      throws SQLException {
    Optional<String> account = StudyEvents.accountOf(session, study);
    if (account.isEmpty()) {
      // An earlier version may have begun it.
      account = AccountLedger.open(session, study).map(AccountLedger.Reservation::account);
    }
    if (account.isEmpty()) {
      return Optional.empty();
    }
    witnessed.lockAccount(session, account.get());
    LedgerTable.ACCOUNT.requireSound(session, account.get());
    return AccountLedger.open(session, study);
  }

  void raise(String name, ApproximateGaussianDp cap) {
    witnessed.write(
        session -> {
          witnessed.lockAccount(session, name);
          AccountRecord account = require(session, name);
          LedgerTable.ACCOUNT.requireSound(session, name);
          AccountStanding standing = AccountLedger.standing(session, account);
          if (!cap.covers(standing.cap()) || cap.equals(standing.cap())) {
            throw new AccountRefusedException(
                "the account '%s' has a cap of mu %s already, with a delta0 of %s; it is only ever raised, and neither may be less: was mu %s, with a delta0 of %s"
                    .formatted(
                        name,
                        standing.cap().mu().value(),
                        standing.cap().delta0().value(),
                        cap.mu().value(),
                        cap.delta0().value()));
          }
          AccountLedger.append(
              session,
              name,
              AccountEntry.Kind.RAISED,
              "%s to mu %s".formatted(name, AccountLedger.mu(cap)),
              cap,
              clock.instant());
          return cap;
        });
  }

  private static AccountRecord require(Session session, String name) throws SQLException {
    return AccountLedger.read(session, name)
        .orElseThrow(() -> new AccountRefusedException("there is no account '" + name + "'"));
  }

  void register(
      CardText card, Optional<AccountRecord> account, String seals, List<NamedFile> files) {
    witnessed.write(
        session -> {
          witnessed.database().lockFiles(session);
          if (account.isPresent()) {
            AccountLedger.create(session, account.get());
          }
          witnessed.lockAccount(session, card.account());
          require(session, card.account());
          LedgerTable.ACCOUNT.requireSound(session, card.account());
          DataSetTable.add(session, card, seals, files, owners(session), clock.instant());
          return card;
        });
  }

  void retire(String dataSet) {
    witnessed.write(
        session -> {
          DataSetRecord set =
              DataSetTable.read(session, dataSet)
                  .orElseThrow(
                      () -> new AccountRefusedException("there is no data set '" + dataSet + "'"));
          witnessed.lockAccount(session, set.card().account());
          LedgerTable.ACCOUNT.requireSound(session, set.card().account());
          // Read again: another process may have retired it before the lock was taken.
          DataSetTable.retire(
              session, DataSetTable.read(session, dataSet).orElseThrow(), clock.instant());
          return set;
        });
  }
}
