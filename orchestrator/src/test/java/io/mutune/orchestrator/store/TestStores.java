package io.mutune.orchestrator.store;

/** Stores for tests alone. */
public final class TestStores {
  /** Where no store has accounts. */
  public static final FileOwners NO_OWNERS = FileOwners.NONE;

  private TestStores() {}

  /** A store that is never on a disk, where no other has accounts. */
  public static StudyStore inMemory() {
    return Stores.inMemory(NO_OWNERS);
  }
}
