package io.mutune.orchestrator.server;

import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import io.javalin.security.RouteRole;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Authenticates requests by a token, or by the cookie of a browser that has shown one. A request
 * with a cookie that changes anything must come from a page of this server: cookies do not
 * distinguish ports, so another server on this machine counts as the same site. On loopback only
 * the names of loopback are accepted as host, which stops DNS rebinding.
 */
final class Authentication {
  private static final Pattern BEARER = Pattern.compile("Bearer +(\\S+)", Pattern.CASE_INSENSITIVE);
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String CALLER = "caller";

  private final AcceptedTokens keys;
  private final Sessions sessions;
  private final ServerSettings settings;

  Authentication(AcceptedTokens keys, Sessions sessions, ServerSettings settings) {
    this.keys = keys;
    this.sessions = sessions;
    this.settings = settings;
  }

  /** Checks the host before anything else. */
  void checkHost(Context ctx) {
    String host = Optional.ofNullable(ctx.header("Host")).orElse("").toLowerCase(Locale.ROOT);
    String name = host.replaceFirst(":\\d*$", "");
    boolean known =
        settings.hosts().contains(name)
            || (settings.bind().isLoopbackAddress()
                ? LOOPBACK_NAMES.contains(name) || name.equals(settings.bind().getHostAddress())
                : settings.hosts().isEmpty());
    if (!known) {
      throw new HttpProblem(421, "this server does not answer to that name");
    }
  }

  /** Checks the role that the route needs, or none for a route that is open to all. */
  void admit(Context ctx) throws IOException {
    Set<RouteRole> needed = ctx.routeRoles();
    if (needed.isEmpty()) {
      return;
    }
    AccessToken caller = caller(ctx);
    boolean allowed =
        needed.stream().anyMatch(role -> role instanceof Role r && caller.role().covers(r));
    if (!allowed) {
      throw new HttpProblem(
          403, "a token with the role " + caller.role().key() + " may not do this");
    }
    ctx.attribute(CALLER, caller);
  }

  /** Returns the caller, if the request has one. */
  Optional<AccessToken> visitor(Context ctx) throws IOException {
    try {
      return Optional.of(caller(ctx));
    } catch (HttpProblem nobody) {
      return Optional.empty();
    }
  }

  static AccessToken callerOf(Context ctx) {
    AccessToken caller = ctx.attribute(CALLER);
    if (caller == null) {
      throw new IllegalStateException("a route without a role has no caller");
    }
    return caller;
  }

  private AccessToken caller(Context ctx) throws IOException {
    String header = ctx.header("Authorization");
    if (header != null) {
      Matcher bearer = BEARER.matcher(header.strip());
      return (bearer.matches() ? keys.find(bearer.group(1)) : Optional.<AccessToken>empty())
          .orElseThrow(() -> new HttpProblem(401, "this token is not known here, or was revoked"));
    }
    String word = ctx.cookie(cookieName(ctx));
    if (word == null) {
      throw new HttpProblem(401, "send a token as 'Authorization: Bearer mutune_...'");
    }
    requireOwnPage(ctx);
    Optional<String> hash = sessions.token(word);
    Optional<AccessToken> caller =
        hash.isPresent() ? keys.withHash(hash.get()) : Optional.<AccessToken>empty();
    return caller.orElseThrow(
        () -> new HttpProblem(401, "the session has ended; show the token again"));
  }

  /**
   * Gives the caller's browser a cookie that scripts cannot read, in place of the token. A request
   * with a cookie only gets no new one, which would make sessions endless.
   */
  void signIn(Context ctx) {
    requireOwnPage(ctx);
    if (ctx.header("Authorization") == null) {
      throw new HttpProblem(401, "sign in with the token itself");
    }
    setCookie(ctx, sessions.begin(callerOf(ctx).hash()), (int) Sessions.LIFE.toSeconds());
  }

  void signOut(Context ctx) {
    requireOwnPage(ctx);
    String word = ctx.cookie(cookieName(ctx));
    if (word != null) {
      sessions.end(word);
    }
    setCookie(ctx, "", 0);
  }

  private static void setCookie(Context ctx, String value, int seconds) {
    boolean secure = "https".equals(ctx.header("X-Forwarded-Proto"));
    ctx.cookie(
        new Cookie(cookieName(ctx), value, "/", seconds, secure, true, null, SameSite.STRICT));
  }

  /** Two servers on one machine share their cookies, so the name has the port. */
  private static String cookieName(Context ctx) {
    return "mutune-" + ctx.req().getLocalPort();
  }

  /** Checks the header Origin, which browsers send with every request that changes something. */
  private static void requireOwnPage(Context ctx) {
    if (Set.of("GET", "HEAD").contains(ctx.req().getMethod())) {
      return;
    }
    String origin = ctx.header("Origin");
    String host = ctx.header("Host");
    if (origin == null || host == null || !origin.replaceFirst("^https?://", "").equals(host)) {
      throw new HttpProblem(403, "a browser may ask for this from a page of this server alone");
    }
  }
}
