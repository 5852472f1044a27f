package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who comes in, and who does not. */
class AuthenticationTest {
  @TempDir private static Path folder;

  @AutoClose private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.in(folder);
  }

  @Test
  void withoutAToken_onlyWhatIsTheSameForEveryoneIsShown() throws IOException {
    for (String open : List.of("/", "/health", "/openapi.yaml", "/assets/dashboard.js")) {
      assertThat(server.get(open, "").statusCode()).as(open).isEqualTo(200);
    }
    for (String closed :
        List.of(
            ("/metrics /api/v1/studies /api/v1/studies/00000000 /api/v1/accounts"
                    + " /api/v1/accounts/none /api/v1/accounts/none/history /api/v1/tokens")
                .split(" "))) {
      HttpResponse<String> answer = server.get(closed, "");
      assertThat(answer.statusCode()).as(closed).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
      assertThat(server.get(closed, AccessToken.newSecret()).statusCode()).isEqualTo(401);
      assertThat(server.get(closed, "x").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void aRole_mayDoWhatThoseBeforeItMay_andNoMore() throws IOException {
    String sweep = TestServer.sweep(5);
    for (String path : List.of("/api/v1/plans", "/api/v1/studies", "/api/v1/studies/x/cancel")) {
      HttpResponse<String> answer = server.post(path, server.read, "application/yaml", sweep);
      assertThat(answer.statusCode()).as(path).isEqualTo(403);
    }
    assertThat(server.store.studies()).isEmpty();
    assertThat(server.get("/api/v1/tokens", server.submit).statusCode()).isEqualTo(403);
    assertThat(server.get("/api/v1/tokens", server.admin).statusCode()).isEqualTo(200);
    assertThat(server.get("/metrics", server.read).statusCode()).isEqualTo(200);
    assertThat(server.post("/api/v1/plans", server.admin, "application/yaml", sweep).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aRevokedToken_isRefusedAtOnce_andItsSessionsToo() throws IOException {
    String secret = server.tokens.create("guest", Role.READ);
    assertThat(server.get("/api/v1/studies", secret).statusCode()).isEqualTo(200);
    String cookie = cookie(signIn(secret, server.origin()));
    assertThat(withCookie(cookie, "/api/v1/studies").statusCode()).isEqualTo(200);

    assertThat(server.delete("/api/v1/tokens/guest", server.admin).statusCode()).isEqualTo(204);

    assertThat(server.get("/api/v1/studies", secret).statusCode()).isEqualTo(401);
    assertThat(withCookie(cookie, "/api/v1/studies").statusCode()).isEqualTo(401);
    assertThat(server.delete("/api/v1/tokens/guest", server.admin).statusCode()).isEqualTo(404);
  }

  @Test
  void theListOfTokens_hasNoSecretAndNoHash() throws IOException {
    String list = server.get("/api/v1/tokens", server.admin).body();
    assertThat(list)
        .contains("keeper")
        .doesNotContain(server.admin)
        .doesNotContain(AccessToken.hashOf(server.admin));
  }

  @Test
  void aSession_isACookieThatScriptsAndOtherSitesCannotUse() throws IOException {
    HttpResponse<String> answer = signIn(server.submit, server.origin());
    String set = answer.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(set)
        .contains("HttpOnly")
        .contains("SameSite=Strict")
        .contains("Path=/")
        .doesNotContain(server.submit);
    String cookie = cookie(answer);

    assertThat(Json.read(withCookie(cookie, "/session").body()).path("role").asString())
        .isEqualTo("submit");
    String study = "/api/v1/plans";
    String sweep = TestServer.sweep(5);
    HttpRequest.Builder post =
        server
            .request(study, "")
            .header("Cookie", cookie)
            .header("Content-Type", "application/yaml")
            .POST(HttpRequest.BodyPublishers.ofString(sweep));
    assertThat(server.send(post.copy()).statusCode()).as("no origin").isEqualTo(403);
    for (String origin :
        List.of("http://127.0.0.1:1", "https://elsewhere.example", "null", server.origin() + "0")) {
      assertThat(server.send(post.copy().header("Origin", origin)).statusCode())
          .as(origin)
          .isEqualTo(403);
    }
    assertThat(server.send(post.copy().header("Origin", server.origin())).statusCode())
        .isEqualTo(200);
    server.send(
        server
            .request("/session", "")
            .header("Cookie", cookie)
            .header("Origin", server.origin())
            .DELETE());
    assertThat(withCookie(cookie, "/api/v1/studies").statusCode()).isEqualTo(401);
  }

  @Test
  void aSession_begetsNoOther_soThatItEnds() throws IOException {
    String cookie = cookie(signIn(server.read, server.origin()));
    HttpResponse<String> again =
        server.send(
            server
                .request("/session", "")
                .header("Cookie", cookie)
                .header("Origin", server.origin())
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(again.statusCode()).isEqualTo(401);
    assertThat(again.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void whoSignsInTooOften_endsNoSessionButTheirOwn() {
    Sessions sessions = new Sessions(Clock.systemUTC());
    String other = sessions.begin("a".repeat(64));
    String first = sessions.begin("b".repeat(64));
    String last = first;
    for (int i = 0; i < 2000; i++) {
      last = sessions.begin("b".repeat(64));
    }
    assertThat(sessions.token(other)).contains("a".repeat(64));
    assertThat(sessions.token(first)).isEmpty();
    assertThat(sessions.token(last)).contains("b".repeat(64));
  }

  @Test
  void methodsThatSomebodyMakesUp_areNoMetersOfTheirOwn() throws IOException {
    for (int i = 0; i < 3; i++) {
      server.raw(
          "MADEUP"
              + "X".repeat(i)
              + " /health HTTP/1.1\r\nHost: localhost\r\n"
              + "Connection: close\r\n\r\n");
    }
    assertThat(server.get("/metrics", server.read).body())
        .contains("method=\"other\"")
        .doesNotContain("MADEUP");
  }

  @Test
  void signingIn_fromAnotherSite_isRefused() throws IOException {
    assertThat(signIn(server.read, "http://127.0.0.1:1").statusCode()).isEqualTo(403);
    assertThat(signIn(AccessToken.newSecret(), server.origin()).statusCode()).isEqualTo(401);
  }

  @Test
  void onLoopback_noOtherNameIsAnsweredTo() throws IOException {
    for (String host :
        List.of("evil.example", "evil.example:" + server.port(), "127.0.0.1.nip.io")) {
      assertThat(server.raw("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
          .as(host)
          .startsWith("HTTP/1.1 421");
    }
    for (String host : List.of("localhost", "127.0.0.1:" + server.port(), "[::1]:7070")) {
      assertThat(server.raw("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
          .as(host)
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void whatIsNoRequest_isRefusedWithoutAWordOfJava() throws IOException {
    for (String request :
        List.of(
            "GARBAGE\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /a%2fb HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000) + "\r\n\r\n",
            "POST /api/v1/plans HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n")) {
      String answer = server.raw(request);
      assertThat(answer).as(request).matches("(?s)HTTP/1.1 (4\\d\\d|505) .*");
      assertThat(answer)
          .doesNotContain("Exception")
          .doesNotContain("\tat ")
          .doesNotContain("Jetty");
    }
  }

  @Test
  void everyAnswer_tellsTheBrowserToBeCareful() throws IOException {
    for (String path : List.of("/", "/health", "/api/v1/studies", "/nothing")) {
      HttpResponse<String> answer = server.get(path, "");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("default-src 'none'")
          .contains("frame-ancestors 'none'");
      assertThat(answer.headers().firstValue("Server")).isEmpty();
    }
  }

  private static HttpResponse<String> signIn(String secret, String origin) throws IOException {
    return server.send(
        server
            .request("/session", secret)
            .header("Origin", origin)
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  private static String cookie(HttpResponse<String> answer) {
    return answer.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
  }

  private static HttpResponse<String> withCookie(String cookie, String path) throws IOException {
    return server.send(server.request(path, "").header("Cookie", cookie).GET());
  }
}
