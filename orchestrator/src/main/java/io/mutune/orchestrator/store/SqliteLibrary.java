package io.mutune.orchestrator.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Keeps one copy of SQLite's native library in a folder of the user for all processes. The driver
 * itself extracts a copy for each process into the temporary folder, where a killed process leaves
 * it.
 */
final class SqliteLibrary {
  private static final String PATH = "org.sqlite.lib.path";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private SqliteLibrary() {}

  /**
   * Makes the copy and loads it. If that fails, the driver extracts its own.
   *
   * @param store that is to be opened
   * @throws StoreException if neither can be loaded
   */
  static synchronized void load(Path store) {
    prepare();
    try {
      SQLiteJDBCLoader.initialize();
    } catch (Exception e) {
      throw new StoreException(
          ("%s: SQLite's library can be loaded neither from %s nor from %s; where these may not be"
                  + " written to, or are mounted noexec, set XDG_CACHE_HOME to a folder that is not")
              .formatted(store, cache(System.getenv()), System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  private static void prepare() {
    if (System.getProperty(PATH) != null) {
      return;
    }
    try {
      System.setProperty(PATH, place(cache(System.getenv())).toString());
    } catch (IOException | UnsupportedOperationException e) {
      // For example a home folder that cannot be written; the driver's own copy is used.
    }
  }

  /** Returns the user's cache folder. */
  private static Path cache(Map<String, String> environment) {
    String given = environment.getOrDefault("XDG_CACHE_HOME", "");
    return given.isEmpty() || !Path.of(given).isAbsolute()
        ? Path.of(System.getProperty("user.home"), ".cache")
        : Path.of(given);
  }

  /**
   * Returns the folder with the library in it.
   *
   * @throws IOException if it cannot be made, or is not its owner's alone
   */
  static Path place(Path cache) throws IOException {
    if (!cache.isAbsolute()) {
      throw new IOException(cache + " is no folder of a user"); // such as of a user without a home
    }
    Path own = cache.resolve("mutune");
    Files.createDirectories(cache);
    makeOwn(own);
    Path folder = own.resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
    makeOwn(folder);
    byte[] library = library();
    Path file = folder.resolve(LibraryLoaderUtil.getNativeLibName());
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || !Arrays.equals(Files.readAllBytes(file), library)) {
      // Replaced in one move, since another process may be loading it.
      Path fresh = Files.createTempFile(folder, "", ".new");
      try {
        Files.write(fresh, library);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(fresh);
      }
    }
    return folder;
  }

  private static void makeOwn(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      } catch (FileAlreadyExistsException e) {
        // Another process was faster; the file is verified below.
      }
    }
    boolean own =
        Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && OWNER_ONLY.containsAll(Files.getPosixFilePermissions(folder))
            && Files.getOwner(folder).equals(Files.getOwner(Path.of("/proc/self")));
    if (!own) {
      throw new IOException(folder + " is not for its owner alone");
    }
  }

  private static byte[] library() throws IOException {
    String name =
        LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
    try (InputStream in = SQLiteJDBCLoader.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("there is no SQLite library for this machine");
      }
      return in.readAllBytes();
    }
  }
}
