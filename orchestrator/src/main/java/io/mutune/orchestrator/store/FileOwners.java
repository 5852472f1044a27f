package io.mutune.orchestrator.store;

import io.mutune.orchestrator.sweep.FileKeys;
import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.NamedFile.Use;
import io.mutune.orchestrator.sweep.RealPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files that hold rows of data set accounts, or values computed from them, as the store had
 * them at one moment. A file is recognised by its path without links, by the file system's key (the
 * same for a hard link), or by a folder of the account that contains it; a folder of rows by any
 * such file in it. Only metadata is read, no byte of a file.
 */
public final class FileOwners {
  static final FileOwners NONE = new FileOwners(List.of());

  private final List<Owned> owned;

  FileOwners(List<Owned> owned) {
    this.owned = List.copyOf(owned);
  }

  /**
   * A file of an account, or a folder with everything in it.
   *
   * @param path without links
   * @param registered whether it is read as the card of a data set says, and in no other way
   */
  record Owned(Path path, String account, boolean registered) {}

  FileOwners and(FileOwners others) {
    return new FileOwners(Stream.concat(owned.stream(), others.owned.stream()).toList());
  }

  /**
   * Permits a study to open its files.
   *
   * @param account that the study draws on; the account's files may be read for charged rows only,
   *     also those that this study names first
   * @param byCard whether the files are those of a registered data set's card
   * @throws AccountRefusedException if a file belongs to an account that the study does not draw
   *     on, would be read without a charge, or otherwise than its card says
   */
  public DataPermit admit(Optional<String> account, boolean byCard, List<NamedFile> files) {
    List<Owned> all = new ArrayList<>(owned);
    account.ifPresent(name -> all.addAll(claimed(name, byCard, files)));
    List<Known> known = all.stream().map(Known::of).toList();
    Map<Path, Path> admitted = new LinkedHashMap<>();
    for (NamedFile file : files) {
      Path real = real(file.path());
      boolean readsAll = file.use() == Use.CHARGED || file.use() == Use.OPEN;
      Set<Object> keys = readsAll ? FileKeys.all(real) : FileKeys.of(real);
      for (Known other : known) {
        if (other.isIn(real, keys) || (readsAll && other.owned().path().startsWith(real))) {
          requireItsOwn(file, other.owned(), account, byCard);
        }
      }
      admitted.put(file.path(), real);
    }
    return new DataPermit(admitted);
  }

  /** Whether an account has all files of its card by the places where they are now. */
  public boolean haveAll(String account, List<NamedFile> files) {
    return owned.containsAll(claimed(account, true, files));
  }

  /**
   * Returns the files that a study adds to its account.
   *
   * @throws AccountRefusedException if the store cannot have the path of one
   */
  static List<Owned> claimed(String account, boolean byCard, List<NamedFile> files) {
    return files.stream()
        .filter(file -> file.use() == Use.CHARGED || file.use() == Use.KEPT)
        .map(file -> new Owned(asText(real(file.path())), account, byCard))
        .toList();
  }

  /** The same path, if the store can have it: it keeps a text, which bytes that are none change. */
  private static Path asText(Path path) {
    if (!Path.of(path.toString()).equals(path)) {
      throw new AccountRefusedException(
          path
              + ": a name in it is not UTF-8, so that no account would recognise the file; rename"
              + " it");
    }
    return path;
  }

  private static void requireItsOwn(
      NamedFile file, Owned owned, Optional<String> account, boolean byCard) {
    String owner = owned.account();
    boolean isItsOwn = account.filter(owner::equals).isPresent();
    if (owned.registered() && !byCard) {
      throw new AccountRefusedException(
          "%s is a file of a registered data set, and is read as its card says: write data: NAME (mutune data list)"
              .formatted(file.path()));
    }
    if (isItsOwn && (file.use() == Use.CHARGED || file.use() == Use.KEPT)) {
      return;
    }
    String shown = byCard ? "a file of the card" : file.path().toString();
    throw new AccountRefusedException(
        file.use() == Use.CHARGED
            ? (byCard
                    ? "%s has the rows of the account '%s'; write people: %s, in place of budget"
                    : "%s has the rows of the account '%s'; write budget.account: %s")
                .formatted(shown, owner, owner)
            : "%s (%s) is a file of a data set account: what is in it is for studies that draw on the account (budget.account), and is read against a charge alone, as private rows"
                .formatted(shown, file.key()));
  }

  /** An owned file with its current keys in the file system. */
  private record Known(Owned owned, Set<Object> keys) {
    static Known of(Owned owned) {
      return new Known(owned, FileKeys.all(owned.path()));
    }

    boolean isIn(Path real, Set<Object> itsKeys) {
      return real.startsWith(owned.path()) || !Collections.disjoint(keys, itsKeys);
    }
  }

  /** Returns the path without links; a path without a file stays the same. */
  private static Path real(Path path) {
    return RealPath.of(path).orElseGet(() -> path.toAbsolutePath().normalize());
  }
}
