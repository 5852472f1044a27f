package io.mutune.orchestrator.store;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;

/** Opens stores. */
public final class Stores {
  private static final String VARIABLE = "MUTUNE_WITNESS";
  private static final String SUFFIX = ".witness";

  private Stores() {}

  /**
   * Opens the store, making it where there is none.
   *
   * @param results the folder that studies leave theirs in
   */
  public static StudyStore open(StoreLocation location, Path results) {
    return new JdbcStore(
        witnessed(location, results, true), results, Clock.systemUTC(), FileOwners.NONE);
  }

  /** Opens a store that is there already. */
  public static StudyStore openExisting(StoreLocation location, Path results) {
    return new JdbcStore(
        witnessed(location, results, false), results, Clock.systemUTC(), FileOwners.NONE);
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
   *
   * @param owners of files, by a store that has accounts
   */
  public static StudyStore inMemory(FileOwners owners) {
    return new JdbcStore(
        SqliteFile.inMemory(), Path.of("").toAbsolutePath(), Clock.systemUTC(), owners);
  }

  /** Which files are accounts' in a store; in one that is not there, none are. */
  public static FileOwners owners(StoreLocation location, Path results) {
    if (location instanceof StoreLocation.File file && !Files.exists(file.path())) {
      return FileOwners.NONE;
    }
    try (StudyStore store = openExisting(location, results)) {
      return store.owners();
    }
  }

  /** The folder that a file is in. */
  public static Path beside(Path path) {
    return path.toAbsolutePath().normalize().resolveSibling("");
  }

  /**
   * The witness of a file is beside it, that of a server in the folder of the studies, with a name
   * that tells servers apart; MUTUNE_WITNESS names another file, such as one on another disk.
   */
  private static Database witnessed(StoreLocation location, Path results, boolean make) {
    Database database = database(location, make);
    Optional<Path> named =
        Optional.ofNullable(System.getenv(VARIABLE)).filter(s -> !s.isBlank()).map(Path::of);
    if (location instanceof StoreLocation.File file) {
      Path beside = file.path().resolveSibling(file.path().getFileName() + SUFFIX);
      return new WitnessedDatabase(database, new Witness(named.orElse(beside)), "");
    }
    if (named.isEmpty() && !make && !Files.isDirectory(results)) {
      return database; // Nobody keeps studies here.
    }
    String url = ((StoreLocation.Postgres) location).url();
    String name = "mutune-" + DigestUtils.sha256Hex(url).substring(0, 8) + SUFFIX;
    Witness witness = new Witness(named.orElse(results.resolve(name)));
    return new WitnessedDatabase(database, witness, host() + ":" + witness.path());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private static Database database(StoreLocation location, boolean make) {
    if (location instanceof StoreLocation.File file) {
      return make ? SqliteFile.openOrCreate(file.path()) : SqliteFile.openExisting(file.path());
    }
    StoreLocation.Postgres server = (StoreLocation.Postgres) location;
    return make ? PostgresDatabase.openOrCreate(server) : PostgresDatabase.openExisting(server);
  }
}
