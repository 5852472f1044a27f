package io.mutune.orchestrator.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Browsers that have shown a token: each has a random word of its own in a cookie, so that the
 * token itself is not kept there. They end with the process, after half a day, or when the token is
 * revoked.
 */
final class Sessions {
  static final Duration LIFE = Duration.ofHours(12);
  private static final int MOST = 1000;

  /** One token's holder ends own sessions only by beginning too many. */
  private static final int MOST_OF_A_TOKEN = 50;

  private final Clock clock;
  private final Map<String, Session> byHash = new LinkedHashMap<>();

  /** Which token a browser has shown, and until when that is good. */
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

  /** The hash of the token that this session was begun with. Looked up by a hash, not the word. */
  synchronized Optional<String> token(String word) {
    return Optional.ofNullable(byHash.get(AccessToken.hashOf(word)))
        .filter(session -> session.end().isAfter(clock.instant()))
        .map(Session::token);
  }

  synchronized void end(String word) {
    byHash.remove(AccessToken.hashOf(word));
  }
}
