package io.mutune.orchestrator.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions of browsers that have shown a token. Each has a random word in a cookie, so that the
 * browser does not store the token. They end with the process, after half a day, or when the token
 * is revoked.
 */
final class Sessions {
  static final Duration LIFE = Duration.ofHours(12);
  private static final int MOST = 1000;

  /** Beyond this number a token's oldest session ends, and no other token's. */
  private static final int MOST_OF_A_TOKEN = 50;

  private final Clock clock;
  private final Map<String, Session> byHash = new LinkedHashMap<>();

  /** The token that a browser has shown, and the end of the session. */
  private record Session(String token, Instant end) {}

  Sessions(Clock clock) {
    this.clock = clock;
  }

  /**
   * Begins a session.
   *
   * @param tokenHash of the token that was shown
   * @return the cookie's value
   */
  synchronized String begin(String tokenHash) {
    Instant now = clock.instant();
    byHash.values().removeIf(session -> session.end().isBefore(now));
    List<String> own =
        byHash.entrySet().stream()
            .filter(session -> session.getValue().token().equals(tokenHash))
            .map(Map.Entry::getKey)
            .toList();
    if (own.size() >= MOST_OF_A_TOKEN) {
      byHash.remove(own.get(0));
    } else if (byHash.size() >= MOST) {
      byHash.remove(byHash.keySet().iterator().next());
    }
    String word = AccessToken.newSecret();
    byHash.put(AccessToken.hashOf(word), new Session(tokenHash, now.plus(LIFE)));
    return word;
  }

  /**
   * Returns the hash of the session's token. Sessions are stored by the hash of the cookie's word.
   */
  synchronized Optional<String> token(String word) {
    return Optional.ofNullable(byHash.get(AccessToken.hashOf(word)))
        .filter(session -> session.end().isAfter(clock.instant()))
        .map(Session::token);
  }

  synchronized void end(String word) {
    byHash.remove(AccessToken.hashOf(word));
  }
}
