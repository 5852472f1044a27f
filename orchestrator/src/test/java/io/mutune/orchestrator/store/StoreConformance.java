package io.mutune.orchestrator.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What every store keeps, whatever database is beneath it. */
abstract class StoreConformance
    implements StudiesContract,
        LedgerContract,
        EventsContract,
        AccountsContract,
        DataSetsContract,
        ReleasesContract,
        RunsContract {
  StudyStore store;

  @Override
  public StudyStore store() {
    return store;
  }

  @BeforeEach
  void openStore() {
    store = open();
    store.create(record(ID), 2, AccountClaim.NONE);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }
}
