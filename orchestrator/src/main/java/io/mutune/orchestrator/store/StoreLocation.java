package io.mutune.orchestrator.store;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The location of a store: a file, or a database of a PostgreSQL server. Its text has no password.
 */
public sealed interface StoreLocation {
  /**
   * A SQLite file.
   *
   * @param path with '..' taken by the text, as of its witness and of other files
   */
  record File(Path path) implements StoreLocation {
    public File {
      path = path.normalize();
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * A database of a PostgreSQL server.
   *
   * @param url for JDBC, with the given options, without user and password
   * @param user empty for the driver's default, as is the password
   */
  record Postgres(String url, Optional<String> user, Optional<String> password)
      implements StoreLocation {
    /**
     * What each connection begins with: how long a process that is frozen within a transaction
     * holds a lock, how long others wait for one, and that a query after it sees what the last
     * holder committed, whatever is usual on the server.
     */
    public static final String SESSION =
        "SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s';"
            + " SET default_transaction_isolation = 'read committed'";

    private static final String NOTICED = "?tcpKeepAlive=true&socketTimeout=90";

    /** The same with options, before those given, by which a server that is silent is given up. */
    public String boundedUrl() {
      int options = url.indexOf('?');
      return options < 0
          ? url + NOTICED
          : url.substring(0, options) + NOTICED + "&" + url.substring(options + 1);
    }

    @Override
    public String toString() {
      String named = user.map(u -> URLEncoder.encode(u, StandardCharsets.UTF_8) + "@").orElse("");
      return url.replaceFirst(
              "jdbc:postgresql://", Matcher.quoteReplacement("postgresql://" + named))
          .replaceAll("(?i)(password=)[^&]*", "$1...");
    }
  }

  /** Reads a location in the environment of this process. */
  static StoreLocation of(String text) {
    return of(text, System.getenv());
  }

  /**
   * Reads a location: a path, {@code jdbc:postgresql://…} or {@code postgresql://user@host/db}.
   *
   * @param environment whose {@code PGUSER} and {@code PGPASSWORD} are used where the text has none
   * @throws IllegalArgumentException if the text is no location; the message has no password
   */
  static StoreLocation of(String text, Map<String, String> environment) {
    Matcher matcher = PostgresUrl.PATTERN.matcher(text);
    if (matcher.matches()) {
      return PostgresUrl.read(matcher, environment);
    }
    // The driver leaves blanks and line breaks out, with which Java looks for another file.
    if (!text.trim().equals(text)
        || text.isEmpty()
        || text.contains("://")
        || text.matches("(?is)(jdbc:)?postgres(ql)?:.*|.*(:|//).*@.*")) {
      throw new IllegalArgumentException(
          "a store is a file without a blank at either end, or postgresql://USER@HOST/DATABASE, whose"
              + " password may be in PGPASSWORD");
    }
    return new File(Path.of(text.startsWith("jdbc:sqlite:") ? text.substring(12) : text));
  }

  /** The forms of a PostgreSQL address. */
  final class PostgresUrl {
    private static final Pattern PATTERN =
        Pattern.compile(
            "(?:jdbc:)?postgres(?:ql)?://(?:(?<login>[^/?]*)@)?(?<hosts>[^/?@]+)/(?<name>[^/?@]+)"
                + "(?:\\?(?<options>.*))?");

    private PostgresUrl() {}

    private static StoreLocation read(Matcher matcher, Map<String, String> environment) {
      Optional<String> user = Optional.ofNullable(environment.get("PGUSER"));
      Optional<String> password = Optional.ofNullable(environment.get("PGPASSWORD"));
      String login = matcher.group("login");
      if (login != null) {
        int colon = login.indexOf(':');
        user = Optional.of(decoded(colon < 0 ? login : login.substring(0, colon)));
        password = colon < 0 ? password : Optional.of(decoded(login.substring(colon + 1)));
      }
      List<String> kept = new ArrayList<>();
      String options = matcher.group("options");
      for (String option : options == null ? new String[0] : options.split("&")) {
        if (option.startsWith("user=")) {
          user = Optional.of(decoded(option.substring(5)));
        } else if (option.startsWith("password=")) {
          password = Optional.of(decoded(option.substring(9)));
        } else if (!option.isEmpty()) {
          kept.add(option);
        }
      }
      String url = "jdbc:postgresql://" + matcher.group("hosts") + "/" + matcher.group("name");
      return new Postgres(
          kept.isEmpty() ? url : url + "?" + String.join("&", kept), user, password);
    }

    private static String decoded(String text) {
      try {
        // A plus sign stays one; URLDecoder would make a blank of it.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        // Its message repeats a part of the text, which may be a password.
        throw new IllegalArgumentException("a % in a user or a password is written %25", e);
      }
    }
  }
}
