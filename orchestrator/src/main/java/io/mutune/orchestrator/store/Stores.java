package io.mutune.orchestrator.store;

import java.nio.file.Path;
import java.time.Clock;

/** Opens stores. */
public final class Stores {
  private Stores() {}

  /**
   * Opens the store, making it where there is none.
   *
   * @param results the folder that studies leave theirs in
   */
  public static StudyStore open(StoreLocation location, Path results) {
    return new JdbcStore(database(location, true), results, Clock.systemUTC());
  }

  /** Opens a store that is there already. */
  public static StudyStore openExisting(StoreLocation location, Path results) {
    return new JdbcStore(database(location, false), results, Clock.systemUTC());
  }

  /** Opens the store in a file beside the studies' folders, making it where there is none. */
  public static StudyStore open(Path path) {
    return open(new StoreLocation.File(path), beside(path));
  }

  /** Opens a store in a file that is there already, beside the studies' folders. */
  public static StudyStore openExisting(Path path) {
    return openExisting(new StoreLocation.File(path), beside(path));
  }

  /**
   * A store that is never on a disk. Its charges are as good as forgotten, so it is for studies of
   * rows that need no protection alone.
   */
  public static StudyStore inMemory() {
    return new JdbcStore(SqliteFile.inMemory(), Path.of("").toAbsolutePath(), Clock.systemUTC());
  }

  /** The folder that a file is in. */
  public static Path beside(Path path) {
    return path.toAbsolutePath().normalize().resolveSibling("");
  }

  private static Database database(StoreLocation location, boolean make) {
    if (location instanceof StoreLocation.File file) {
      return make ? SqliteFile.openOrCreate(file.path()) : SqliteFile.openExisting(file.path());
    }
    StoreLocation.Postgres server = (StoreLocation.Postgres) location;
    return make ? PostgresDatabase.openOrCreate(server) : PostgresDatabase.openExisting(server);
  }
}
