package io.mutune.orchestrator.store;

import io.mutune.trainer.file.Resource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * An SQLite file with the settings that make a commit durable: write-ahead log, synchronous FULL,
 * BEGIN IMMEDIATE for writers. One connection is used by one thread at a time.
 */
final class SqliteFile implements Database {
  /** "mutu" in ASCII, which marks the file as a store of Mutune. */
  static final int APPLICATION = 0x6d757475;

  /** What every file of SQLite begins with. */
  static final String BEGIN = "SQLite format 3";

  private static final String FOREIGN = "is damaged, or is no store of Mutune";
  private static final int LAYOUT = 12;

  /** The oldest layout that can be upgraded, by {@code layout-11.sql} and so on. */
  private static final int OLDEST = 10;

  /** The last revision of Mutune that upgrades older layouts; none of them was released. */
  private static final String UPGRADES_OLDER = "c6408f8";

  private static final String IN_MEMORY = ":memory:";
  private static final int BUSY_MILLIS = 5_000;
  private static final int SYNCHRONOUS_FULL = 2;
  private static final Pattern STATEMENT_END = Pattern.compile(";\n(\n|$)");

  private final Path path;
  private final boolean isInMemory;
  private final Connection connection;

  private SqliteFile(Path path, boolean isInMemory, Connection connection) {
    this.path = path;
    this.isInMemory = isInMemory;
    this.connection = connection;
  }

  static SqliteFile openOrCreate(Path path) {
    try {
      createDurably(path.toAbsolutePath().normalize().getParent());
    } catch (IOException e) {
      throw new StoreException(path + ": its folder cannot be made (" + reason(e) + ")", e);
    }
    return open(path, true);
  }

  /** Opens a database in memory, which is gone when it is closed. */
  static SqliteFile inMemory() {
    return open(Path.of(IN_MEMORY), IN_MEMORY, true);
  }

  static SqliteFile openExisting(Path path) {
    if (!Files.exists(path)) {
      throw StoreException.none(path);
    }
    return open(path, false);
  }

  /** Makes folders and syncs their parents; SQLite itself syncs only the folder of its files. */
  private static void createDurably(@Nullable Path folder) throws IOException {
    if (folder == null || Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    createDurably(parent);
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    if (parent != null) {
      try (FileChannel channel = FileChannel.open(parent, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** The driver takes some names for more than a file, but no absolute one without options. */
  private static SqliteFile open(Path path, boolean make) {
    String name = path.toAbsolutePath().toString();
    if (name.contains("?")) {
      throw new StoreException(
          name + ": SQLite takes what follows the '?' for options; the store needs another name");
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new StoreException(name + ": is not a regular file, as a store is");
    }
    return open(path, name, make);
  }

  private static SqliteFile open(Path path, String name, boolean make) {
    SqliteLibrary.load(path);
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setBusyTimeout(BUSY_MILLIS);
    Connection connection;
    try {
      connection = config.createConnection("jdbc:sqlite:" + name);
    } catch (SQLException e) {
      throw failed(path, e);
    }
    SqliteFile file = new SqliteFile(path, name.equals(IN_MEMORY), connection);
    try {
      file.prepare(make);
      return file;
    } catch (RuntimeException e) {
      file.abandon();
      throw e;
    }
  }

  /**
   * Checks that the file is a store before it changes anything in it.
   *
   * @param make whether an empty file becomes a store; otherwise an empty file is refused
   */
  private void prepare(boolean make) {
    long layout = pragma("user_version");
    boolean ours = pragma("application_id") == APPLICATION;
    boolean empty = number("SELECT count(*) FROM sqlite_schema") == 0;
    if (!ours && (!empty || layout != 0 || pragma("application_id") != 0)) {
      throw new StoreException(path + ": the store " + FOREIGN);
    }
    if (empty && !make) {
      throw StoreException.none(path);
    }
    if (layout > LAYOUT) {
      throw new StoreException(
          path + ": was written by a newer version (layout " + layout + ", known: " + LAYOUT + ")");
    }
    if (layout != 0 && layout < OLDEST) {
      throw new StoreException(
          ("%s: was written before release 0.1 (layout %d, known: %d to %d); revision %s of Mutune"
                  + " upgrades it, and this version what that one leaves")
              .formatted(path, layout, OLDEST, LAYOUT, UPGRADES_OLDER));
    }
    if (!isInMemory) {
      makeDurable();
    }
    if (layout != LAYOUT) {
      layOut();
    }
  }

  /**
   * Sets both settings and reads them back, since SQLite reports no error where they are not
   * possible.
   */
  private void makeDurable() {
    String journal = read(s -> s.texts("PRAGMA journal_mode = WAL")).get(0);
    // On macOS an ordinary sync may stay in the drive's cache; elsewhere this has no effect.
    execute("PRAGMA fullfsync = ON");
    execute("PRAGMA checkpoint_fullfsync = ON");
    if (!journal.equalsIgnoreCase("wal") || pragma("synchronous") != SYNCHRONOUS_FULL) {
      throw new StoreException(
          path + ": the store cannot be made durable here; use a folder on a local disk");
    }
  }

  private void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  private long pragma(String name) {
    return number("PRAGMA " + name);
  }

  private long number(String sql) {
    return read(s -> s.number(sql));
  }

  private void layOut() {
    write(
        s -> {
          long before = pragma("user_version");
          if (before == LAYOUT) {
            return LAYOUT;
          }
          try (Statement statement = connection.createStatement()) {
            for (String script : scripts(before)) {
              for (String sql :
                  STATEMENT_END.splitAsStream(Resource.text(SqliteFile.class, script)).toList()) {
                statement.executeUpdate(sql);
              }
            }
            statement.executeUpdate("PRAGMA application_id = " + APPLICATION);
            statement.executeUpdate("PRAGMA user_version = " + LAYOUT);
          }
          return LAYOUT;
        });
  }

  /** Those that make the newest layout of another one, or of nothing. */
  private static List<String> scripts(long layout) {
    return layout == 0
        ? List.of("schema.sql")
        : LongStream.rangeClosed(layout + 1, LAYOUT).mapToObj(l -> "layout-" + l + ".sql").toList();
  }

  @Override
  public synchronized <T> T write(Work<T> work) {
    return transaction("BEGIN IMMEDIATE", work);
  }

  @Override
  public synchronized <T> T snapshot(Work<T> work) {
    return transaction("BEGIN", work);
  }

  private <T> T transaction(String begin, Work<T> work) {
    // Not by JDBC's transactions: the driver begins the next one within commit(), and if the file
    // is locked by then it reports a commit that took place as failed.
    try (Statement statement = connection.createStatement()) {
      statement.execute(begin);
      try {
        T result = work.run(session());
        statement.execute("COMMIT");
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(statement);
        throw e;
      }
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  private Session session() {
    return new Session(connection, path.toString());
  }

  @Override
  public synchronized <T> T read(Work<T> work) {
    try {
      return work.run(session());
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  /** Nothing to do: SQLite runs one writing transaction at a time. */
  @Override
  public void lock(Session inTransaction, String study) {}

  @Override
  public void lockAccount(Session inTransaction, String account) {}

  @Override
  public StudyHold hold(String study) {
    return isInMemory ? StudyHold.NONE : FileHold.take(path, study);
  }

  @Override
  public boolean isHeld(String study) {
    return !isInMemory && FileHold.isHeld(path, study);
  }

  @Override
  public String nextCharge() {
    return "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'charge'), 0) + 1";
  }

  @Override
  public String byCreation() {
    return "created, rowid";
  }

  @Override
  public List<String> damage() {
    return read(
        session -> {
          List<String> check = session.texts("PRAGMA integrity_check(1)");
          if (!check.equals(List.of("ok"))) {
            return check.stream().flatMap(String::lines).toList();
          }
          List<String> problems = new ArrayList<>(CellTypes.problems(session));
          problems.addAll(schemaProblems());
          return problems;
        });
  }

  private record SchemaObject(String name, String text) {}

  /** Compares the texts of tables, indices and triggers with those of this layout. */
  private List<String> schemaProblems() {
    Map<String, String> should = new LinkedHashMap<>();
    try (SqliteFile made = inMemory()) {
      made.schema().forEach(object -> should.put(object.name(), object.text()));
    }
    List<String> problems = new ArrayList<>();
    for (SchemaObject object : schema()) {
      String text = should.remove(object.name());
      if (text == null ? object.name().startsWith("trigger ") : !text.equals(object.text())) {
        problems.add("the " + object.name() + " is not the one that this layout has");
      }
    }
    should.keySet().forEach(name -> problems.add("the " + name + " is missing"));
    return problems;
  }

  private List<SchemaObject> schema() {
    return read(
        s ->
            s.query(
                "SELECT type || ' ' || name, tbl_name || ' ' || coalesce(sql, '')"
                    + " FROM sqlite_schema ORDER BY 1",
                row -> new SchemaObject(row.getString(1), row.getString(2))));
  }

  @Override
  public String location() {
    return path.toString();
  }

  @Override
  public synchronized void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(path, e);
    }
  }

  private void abandon() {
    try {
      connection.close();
    } catch (SQLException ignored) {
      // The failure that led here is reported.
    }
  }

  /** Rolls back, unless SQLite has done so already, as on a full disk. */
  private static void rollBack(Statement statement) {
    try {
      statement.execute("ROLLBACK");
    } catch (SQLException ignored) {
      // The failure of the work is reported.
    }
  }

  private static StoreException failed(Path path, SQLException e) {
    String what = "fails: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    if (e instanceof SQLiteException sqlite) {
      // The low byte is the primary result code.
      what =
          switch (SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & 0xff)) {
            case SQLITE_BUSY, SQLITE_LOCKED ->
                "is locked by another process; try again when that has ended";
            case SQLITE_READONLY ->
                "cannot be written: it or its folder is read-only, and reading it makes files beside"
                    + " it too; to read alone use a backup where you may write";
            case SQLITE_FULL -> "cannot be written: the disk is full";
            case SQLITE_IOERR -> "cannot be read or written: the disk is full, or fails";
            case SQLITE_CANTOPEN -> "cannot be opened: its folder is missing, read-only or full";
            case SQLITE_NOTADB, SQLITE_CORRUPT -> FOREIGN;
            default -> what;
          };
    }
    return what.equals(FOREIGN)
        ? StoreException.damaged(path + ": the store " + what, e)
        : new StoreException(path + ": the store " + what, e);
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "");
  }
}
