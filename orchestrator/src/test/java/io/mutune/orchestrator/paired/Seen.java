package io.mutune.orchestrator.paired;

import io.mutune.orchestrator.display.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import tools.jackson.databind.JsonNode;

/**
 * Everything that one study shows, by name: files, rows of the store, status, output, answers.
 *
 * <p>What may differ from one run of the same study to the next is replaced by a name wherever it
 * stands, found by its place in the store and never by its look: the study's id, times, the hashes
 * of its chain (they are over ids and times; all else that they are over is compared), the nonce
 * and seals of its private files, and their digests where the sweep declares the rows open.
 */
final class Seen {
  private static final Set<String> TIMES = Set.of("created", "reserved", "at", "seconds");
  private static final Set<String> HASHES = Set.of("hash", "head");
  private static final Pattern NUMBER =
      Pattern.compile("(?<![A-Za-z0-9_])-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");
  private static final Pattern CHAINED = Pattern.compile("\\b[0-9a-f]{32,64}\\b");
  private static final Pattern RAN_FOR =
      Pattern.compile("(Ran for |<dt>Time</dt><dd>)[0-9:.E-]+( seconds| s)?");

  /** Long ones, and the bytes of released numbers in the store, of which there may be one. */
  private static final Pattern HEX =
      Pattern.compile("\\b[0-9a-f]{32,}\\b|(?<=\\bvector: )[0-9a-f]+\\b");

  private final Map<String, String> parts = new TreeMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();

  /** Adds something that is seen under a name. */
  Seen put(String name, String text) {
    parts.put(named(name), named(text));
    return this;
  }

  /** Looks into a folder of studies: the store first, which knows what has to be named. */
  static Seen in(Path runs) throws IOException, SQLException {
    Seen seen = new Seen();
    Path store = runs.resolve("mutune.db");
    Map<String, String> tables = new TreeMap<>();
    if (Files.exists(store)) {
      try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store)) {
        for (String table :
            column(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
          tables.put(table, seen.table(connection, table));
        }
      }
    }
    tables.forEach((table, rows) -> seen.put("store: " + table, rows));
    if (Files.exists(runs)) {
      try (Stream<Path> tree = Files.walk(runs)) {
        // The store's own file is looked into instead; tokens are drawn anew for each server.
        for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
          String name = runs.relativize(file).toString();
          if (name.endsWith(".witness")) {
            String text = text(Files.readAllBytes(file));
            seen.put("file: " + name, CHAINED.matcher(text).replaceAll("(hash)"));
          } else if (!name.startsWith("mutune.db") && !name.equals("tokens.json")) {
            seen.file(name, Files.readAllBytes(file));
          }
        }
      }
    }
    return seen;
  }

  private void file(String name, byte[] bytes) throws IOException {
    if (name.endsWith("result.json")) {
      JsonNode seconds = Json.read(text(bytes)).path("seconds");
      if (seconds.isNumber()) {
        names.put(seconds.toString(), "(seconds)");
      }
    }
    if (name.endsWith(".npz")) {
      put("bytes of file: " + name, HexFormat.of().formatHex(bytes));
      put("file: " + name, arrays(bytes));
    } else {
      put("file: " + name, text(bytes));
    }
  }

  /** The arrays in it, whose compressed length is another for other numbers. */
  private static String arrays(byte[] npz) throws IOException {
    StringBuilder text = new StringBuilder();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(npz))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        text.append(entry.getName()).append(' ').append(entry.getTime()).append('\n');
        text.append(HexFormat.of().formatHex(zip.readAllBytes())).append('\n');
      }
    }
    return text.toString();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static List<String> column(Connection connection, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private String table(Connection connection, String table) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM \"" + table + "\"")) {
      while (rows.next()) {
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          String name = rows.getMetaData().getColumnLabel(column);
          Object value = rows.getObject(column);
          String shown =
              value instanceof byte[] bytes
                  ? HexFormat.of().formatHex(bytes)
                  : String.valueOf(value);
          learn(table, name, shown);
          text.append(name).append(": ").append(shown).append('\n');
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  private void learn(String table, String column, String value) {
    if (table.equals("study") && column.equals("id")) {
      names.put(value, "(id)");
    } else if (table.equals("witness") && column.equals("identity")) {
      names.put(value, "(witness)");
    } else if (TIMES.contains(column) && !value.equals("null") && !value.equals("0.0")) {
      names.put(value, "(" + column + ")");
    } else if (HASHES.contains(column) && !value.equals("null")) {
      names.put(value, "(hash)");
    } else if (table.equals("event") && column.equals("content") && value.startsWith("{")) {
      JsonNode note = Json.read(value);
      if (note.has("at")) {
        names.put(note.path("at").asString(), "(at)");
      }
      if (note.path("part").asString("").equals("data.private")) {
        note.properties().stream()
            .filter(field -> !Set.of("part", "kind").contains(field.getKey()))
            .forEach(field -> names.put(field.getValue().asString(), "(fingerprint)"));
      }
    }
  }

  private String named(String text) {
    String named = text;
    for (String value :
        names.keySet().stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList()) {
      if (named.contains(value)) {
        // By chance it may be within a longer number of one side.
        named =
            Pattern.compile("(?<![0-9a-f.])" + Pattern.quote(value) + "(?![0-9a-f])")
                .matcher(named)
                .replaceAll(names.get(value));
      }
    }
    // The page says it in fewer digits. Most files are figures, and have neither.
    return named.contains("Ran for ") || named.contains("<dt>Time</dt>")
        ? RAN_FOR.matcher(named).replaceAll("$1(seconds)")
        : named;
  }

  /** What differs by so much as a byte, by name; with where it does first. */
  List<String> differences(Seen other) {
    return differences(parts, other.parts);
  }

  /**
   * What differs where numbers that are released may: names, lengths of lists, words. Numbers are
   * left out, and so are hashes of what holds them.
   */
  List<String> differencesOfShape(Seen other) {
    return differences(shape(), other.shape());
  }

  private Map<String, String> shape() {
    Map<String, String> shape = new TreeMap<>();
    parts.forEach((name, text) -> shape.put(name, shape(name, text)));
    return shape;
  }

  /**
   * Drawings, and the points that charts are drawn from, are left out: they are of released
   * numbers, digit by digit, by programs that have nothing else.
   */
  private static String shape(String name, String text) {
    if (name.endsWith(".svg")
        || name.endsWith(".html")
        || name.endsWith("/charts")
        || name.startsWith("bytes of ")) {
      return "";
    }
    String blobs = HEX.matcher(text).replaceAll(hex -> hex.group().length() + " characters");
    // Tables are as wide as their numbers.
    return NUMBER.matcher(blobs).replaceAll("(number)").replaceAll(" +", " ").replaceAll("-+", "-");
  }

  private static List<String> differences(Map<String, String> one, Map<String, String> other) {
    Set<String> names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String mine = one.get(name);
      String theirs = other.get(name);
      if (mine == null || theirs == null) {
        differences.add(name + " is on one side alone");
      } else if (!mine.equals(theirs)) {
        differences.add(name + ": " + first(mine, theirs));
      }
    }
    return differences;
  }

  private static String first(String mine, String theirs) {
    int at = 0;
    while (at < Math.min(mine.length(), theirs.length()) && mine.charAt(at) == theirs.charAt(at)) {
      at++;
    }
    return "'" + around(mine, at) + "' against '" + around(theirs, at) + "'";
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 40), Math.min(text.length(), at + 60))
        .replace("\n", "\\n");
  }

  /** What is seen under a name; for tests of what is. */
  String part(String name) {
    return parts.getOrDefault(name, "");
  }

  Set<String> partNames() {
    return parts.keySet();
  }
}
