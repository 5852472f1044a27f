package io.mutune.orchestrator.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A file outside of the store with the last entry of each ledger, by which lost writes and a
 * restored older store are noticed. Each line is a record with a checksum; the last one about a
 * ledger counts. An incomplete line is skipped: its writer crashed before it could act on it.
 */
final class Witness {
  static final String BEGIN = "mutune witness ";

  /** What its name ends with, unless its user has named it. */
  static final String SUFFIX = ".witness";

  private static final Pattern FIRST = Pattern.compile(BEGIN + "1 ([0-9a-f-]{36})");
  private static final Pattern RECORD =
      Pattern.compile(
          "((adopted )?(study|account) (\\S+) ([0-9]{1,18}) (\\S*) (\\S+)) ([0-9a-f]{32})");
  private static final int CHECK = 32;

  /** The number of words of a record with its checksum. */
  private static final int WORDS = 6;

  private final Path path;
  private final Map<String, Mark> marks = new LinkedHashMap<>();
  private final Map<String, Mark> lost = new LinkedHashMap<>();
  private String identity = "";
  private long read;

  Witness(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  Path path() {
    return path;
  }

  boolean exists() {
    return Files.exists(path);
  }

  /** Those that stand beside it, of whichever store, by their identities. */
  Map<String, Witness> others() {
    Map<String, Witness> others = new LinkedHashMap<>();
    try (DirectoryStream<Path> beside = Files.newDirectoryStream(folder(), "*" + SUFFIX)) {
      for (Path file : beside) {
        if (!file.equals(path)) {
          identity(file).ifPresent(known -> others.put(known, new Witness(file)));
        }
      }
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (IOException e) {
      throw failed(e);
    }
    return others;
  }

  private static Optional<String> identity(Path file) {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      Matcher first = FIRST.matcher(String.valueOf(lines.readLine()));
      return first.matches() ? Optional.of(first.group(1)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // a folder, or somebody else's
    }
  }

  /** Whether it is there and has records. */
  boolean hasSeen() {
    return exists() && !marks().isEmpty();
  }

  /** Makes the file without records, unless another process was faster. */
  void make() {
    make(UUID.randomUUID().toString());
  }

  /**
   * Makes it anew.
   *
   * @param known the identity that the store has for its witness
   */
  void make(String known) {
    String first = BEGIN + "1 " + known + "\n";
    try {
      Files.createDirectories(folder());
      // With the rights that SQLite's file gets, since whoever uses the one uses the other.
      Path made = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + ".new");
      try {
        write(made, first, StandardOpenOption.CREATE_NEW);
        link(made);
      } finally {
        Files.deleteIfExists(made);
      }
      try (FileChannel folder = FileChannel.open(folder(), StandardOpenOption.READ)) {
        folder.force(true);
      }
    } catch (IOException e) {
      if (!exists()) {
        throw failed(e);
      }
    }
  }

  /**
   * Gives the file its name, unless another has it, which without hard links is not for certain.
   */
  private void link(Path made) throws IOException {
    try {
      Files.createLink(path, made);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      Files.move(made, path);
    }
  }

  private Path folder() {
    return path.resolveSibling("").toAbsolutePath();
  }

  /** Returns the identity by which the store recognises its witness. */
  synchronized String identity() {
    refresh();
    return identity;
  }

  /** Returns the last record of each ledger, by name. */
  synchronized Map<String, Mark> marks() {
    refresh();
    return Map.copyOf(marks);
  }

  /**
   * Returns how far ledgers had come that an adopted store did not have, and none has had since.
   */
  synchronized Map<String, Mark> lost() {
    refresh();
    return Map.copyOf(lost);
  }

  synchronized Optional<Mark> mark(String name) {
    refresh();
    return Optional.ofNullable(marks.get(name));
  }

  /** Appends records, and returns when they are on the disk. */
  synchronized void keep(Collection<Mark> more) {
    Map<String, Mark> last = new LinkedHashMap<>();
    more.forEach(mark -> last.merge(mark.name(), mark, Mark::then));
    StringBuilder lines = new StringBuilder();
    for (Mark mark : last.values()) {
      Mark known = marks.get(mark.name());
      lines.append(line("", known == null ? mark : known.then(mark)));
    }
    append(lines);
  }

  /** Appends that lost records were adopted, and the records that hold from then on. */
  synchronized void adopt(Collection<Mark> behind, Collection<Mark> now) {
    StringBuilder lines = new StringBuilder();
    behind.forEach(mark -> lines.append(line("adopted ", mark)));
    now.forEach(mark -> lines.append(line("", mark)));
    append(lines);
  }

  /** Returns all ends of ledgers that it ever recorded, by {@link StoreRecovery#end}. */
  Set<String> seen() {
    try (Stream<String> lines = Files.lines(path)) {
      return lines
          .map(RECORD::matcher)
          .filter(record -> record.matches() && record.group(2) == null)
          .filter(record -> check(record.group(1)).equals(record.group(8)))
          .map(Witness::mark)
          .map(mark -> StoreRecovery.end(mark.name(), mark.entries(), mark.head()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static String line(String before, Mark mark) {
    String record =
        "%s%s %s %s %s"
            .formatted(
                before,
                mark.name(),
                Long.toString(mark.entries()),
                mark.head(),
                mark.mu().orElse(Mark.UNKNOWN));
    return record + " " + check(record) + "\n";
  }

  private void append(StringBuilder lines) {
    if (lines.length() > 0) {
      try {
        // The first line break ends a line that may be incomplete.
        write(path, "\n" + lines, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  private static void write(Path file, String text, OpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, how)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Reads the records that were appended since the last time. */
  private void refresh() {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      if (channel.size() < read) {
        throw damaged("it has become shorter");
      }
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size() - read));
      channel.position(read);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Reads until the buffer is full.
      }
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      int end = text.lastIndexOf('\n') + 1;
      for (String line : text.substring(0, end).split("\n", -1)) {
        take(line);
      }
      read += text.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
    } catch (IOException e) {
      throw failed(e);
    }
    if (identity.isEmpty()) {
      throw damaged("it does not begin as one");
    }
  }

  private void take(String line) {
    if (identity.isEmpty()) {
      Matcher first = FIRST.matcher(line);
      if (!first.matches()) {
        throw damaged("it does not begin as one");
      }
      identity = first.group(1);
      return;
    }
    Matcher record = RECORD.matcher(line);
    if (!record.matches()) {
      if (isWhole(line)) {
        throw damaged("a line of it is not what was written");
      }
      return; // An empty or an incomplete line.
    }
    if (!check(record.group(1)).equals(record.group(8))) {
      throw damaged("a line of it is not what was written");
    }
    Mark mark = mark(record);
    if (record.group(2) != null) {
      marks.remove(mark.name());
      lost.put(mark.name(), mark);
      return;
    }
    lost.remove(mark.name());
    // Two processes may append their records in another order than they committed.
    marks.merge(mark.name(), mark, (a, b) -> b.entries() >= a.entries() ? b : a);
  }

  /** Returns whether a line ends with a checksum, and so is complete. */
  private static boolean isWhole(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return words.size() >= WORDS && words.get(words.size() - 1).length() >= CHECK;
  }

  private static Mark mark(Matcher record) {
    return new Mark(
        record.group(3).equals("study") ? LedgerTable.STUDY : LedgerTable.ACCOUNT,
        record.group(4),
        Long.parseLong(record.group(5)),
        record.group(6),
        Optional.of(record.group(7)));
  }

  private static String check(String record) {
    return DigestUtils.sha256Hex(record).substring(0, CHECK);
  }

  private StoreException damaged(String why) {
    return StoreException.damaged(path + ": the store's witness is damaged: " + why);
  }

  private StoreException failed(IOException e) {
    return new StoreException(
        path
            + ": the store's witness cannot be read or written ("
            + e.getClass().getSimpleName().replace("Exception", "")
            + ")",
        e);
  }
}
