package io.mutune.orchestrator.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.codec.digest.DigestUtils;

/** Opens stores. */
public final class Stores {
  private static final String VARIABLE = "MUTUNE_WITNESS";
  private static final int BEGIN = 16;

  private Stores() {}

  /**
   * Opens the store, and makes it where there is none.
   *
   * @param results the folder under which studies leave their results
   */
  public static StudyStore open(StoreLocation location, Path results) {
    return witnessed(location, results, true);
  }

  /** Opens a store that exists. */
  public static StudyStore openExisting(StoreLocation location, Path results) {
    return witnessed(location, results, false);
  }

  /** Opens a store that may have lost writes, and makes it anew where it was lost whole. */
  public static StudyStore openToAdopt(StoreLocation location, Path results) {
    return witnessed(location, results, witness(location, results).hasSeen());
  }

  /** Opens the store in a file beside the studies' folders, and makes it where there is none. */
  public static StudyStore open(Path path) {
    return open(new StoreLocation.File(path), beside(path));
  }

  /** Opens a store in an existing file beside the studies' folders. */
  public static StudyStore openExisting(Path path) {
    return openExisting(new StoreLocation.File(path), beside(path));
  }

  /**
   * Returns a store in memory. Its charges are lost with the process, so it is only for studies of
   * rows that need no protection.
   *
   * @param owners of files, from the store that has the accounts
   */
  public static StudyStore inMemory(FileOwners owners) {
    return new JdbcStore(
        SqliteFile.inMemory(),
        Optional.empty(),
        Path.of("").toAbsolutePath(),
        Clock.systemUTC(),
        owners);
  }

  /** Returns the files of a store's accounts; none if there is no store. */
  public static FileOwners owners(StoreLocation location, Path results) {
    return ifThere(location, results, StudyStore::owners).orElse(FileOwners.NONE);
  }

  /** Returns a data set, if a store has it; none if there is no store. */
  public static Optional<DataSetRecord> dataSet(StoreLocation location, Path results, String name) {
    return ifThere(location, results, store -> store.dataSet(name)).flatMap(set -> set);
  }

  /** Returns how an account stands, if a store has it; none if there is no store. */
  public static Optional<AccountStanding> account(
      StoreLocation location, Path results, String name) {
    return ifThere(
            location,
            results,
            store ->
                store
                    .account(name)
                    .map(account -> AccountStanding.of(account, store.accountEntries(name))))
        .flatMap(standing -> standing);
  }

  private static <T> Optional<T> ifThere(
      StoreLocation location, Path results, Function<StudyStore, T> look) {
    try (StudyStore store = openExisting(location, results)) {
      return Optional.of(look.apply(store));
    } catch (StoreException e) {
      if (e.isNone()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Whether a file is a store, its log, or the witness of one, by how they begin. */
  public static boolean isPart(Path file) {
    String name = String.valueOf(file.getFileName());
    String above = name.replaceFirst("(-(wal|shm|journal)|\\.witness)$", "");
    if (!above.equals(name) && isPart(file.resolveSibling(above))) {
      return true;
    }
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      String first = new String(in.readNBytes(BEGIN), StandardCharsets.ISO_8859_1);
      return first.startsWith(SqliteFile.BEGIN) || first.startsWith(Witness.BEGIN);
    } catch (IOException e) {
      return false; // whoever writes it hears why not
    }
  }

  /** Returns the folder of a file. */
  public static Path beside(Path path) {
    return path.toAbsolutePath().normalize().resolveSibling("");
  }

  private static StudyStore witnessed(StoreLocation location, Path results, boolean make) {
    Witness witness = witness(location, results);
    Database database = database(location, make, witness);
    String place = database.isShared() ? host() + ":" + witness.path() : "";
    return new JdbcStore(
        database,
        Optional.of(new WitnessGuard(database, witness, place)),
        results,
        Clock.systemUTC(),
        FileOwners.NONE);
  }

  /**
   * Returns the witness of a store. That of a file is beside the file; that of a server is in the
   * folder of the studies, with a name that tells servers apart. MUTUNE_WITNESS names another file,
   * such as one on another disk.
   */
  private static Witness witness(StoreLocation location, Path results) {
    Path usual =
        location instanceof StoreLocation.File file
            ? witnessOf(file.path())
            : results.resolve(
                "mutune-" + digest((StoreLocation.Postgres) location) + Witness.SUFFIX);
    return new Witness(
        Optional.ofNullable(System.getenv(VARIABLE))
            .filter(named -> !named.isBlank())
            .map(Path::of)
            .orElse(usual));
  }

  /**
   * Beside the file itself, where its name is a link: unless it has one beside the link alone, as
   * earlier versions made it.
   */
  private static Path witnessOf(Path file) {
    try {
      Path named = file.resolveSibling(file.getFileName() + Witness.SUFFIX);
      Path itself = Files.isSymbolicLink(file) ? file.toRealPath() : file;
      Path beside = itself.resolveSibling(itself.getFileName() + Witness.SUFFIX);
      return Files.exists(named) && !Files.exists(beside) ? named : beside;
    } catch (IOException e) {
      throw new StoreException(file + ": is a link that leads nowhere", e);
    }
  }

  private static String digest(StoreLocation.Postgres server) {
    return DigestUtils.sha256Hex(server.url()).substring(0, 8);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }

  /** What a witness has seen of a store that is not there was lost. */
  private static Database database(StoreLocation location, boolean make, Witness witness) {
    try {
      if (location instanceof StoreLocation.File file) {
        return make ? SqliteFile.openOrCreate(file.path()) : SqliteFile.openExisting(file.path());
      }
      return PostgresDatabase.open((StoreLocation.Postgres) location, make);
    } catch (StoreException e) {
      if (e.isNone() && witness.hasSeen()) {
        throw StoreException.damaged(
            location
                + ": the store is missing or empty, and its witness "
                + witness.path()
                + " is not, or that is another store's: put the newest copies of both back, or"
                + " charge what was lost by 'mutune store adopt'");
      }
      throw e;
    }
  }
}
