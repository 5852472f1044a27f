package io.mutune.orchestrator.store;

import java.sql.SQLException;
import java.util.Optional;

/**
 * A database, and the witness that sees what is written to it.
 *
 * @param witness empty for a store that is gone with its process
 */
record WitnessedDatabase(Database database, Optional<WitnessGuard> witness) {
  /** Runs work in a transaction that is on the disk, and witnessed, when this returns. */
  <T> T write(Database.Work<T> work) {
    return witness.isPresent() ? witness.get().write(work) : database.write(work);
  }

  /** Locks an account for the transaction, and checks that all that was witnessed is there. */
  void lockAccount(Session session, String account) throws SQLException {
    database.lockAccount(session, account);
    requireSeen(session, LedgerTable.ACCOUNT, account);
  }

  /** The same for a study. */
  void lock(Session session, String study) throws SQLException {
    database.lock(session, study);
    requireSeen(session, LedgerTable.STUDY, study);
  }

  private void requireSeen(Session session, LedgerTable table, String id) throws SQLException {
    if (witness.isPresent()) {
      witness.get().requireSeen(session, table, id);
    }
  }
}
