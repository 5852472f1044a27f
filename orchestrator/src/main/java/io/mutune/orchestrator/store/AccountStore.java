package io.mutune.orchestrator.store;

import java.util.List;
import java.util.Optional;

/** Keeps data set accounts. They and their entries are never changed or deleted. */
public interface AccountStore {
  /**
   * Makes an account.
   *
   * @throws AccountRefusedException if there is one of this name
   */
  void createAccount(AccountRecord account);

  Optional<AccountRecord> account(String name);

  /** All accounts, by name. */
  List<AccountRecord> accounts();

  /** The entries of an account, in order. */
  List<AccountEntry> accountEntries(String name);

  /** Which files are accounts', of those that studies have named. */
  FileOwners owners();

  /** Whether an account's ledger is what was written, by its chain of hashes. */
  LedgerFinding accountLedger(String name);
}
