package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.report.Browser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.StringNode;

/** The dashboard as somebody uses it: sign in, plan, submit, watch, open the report. */
class DashboardInBrowserTest {
  private static final int PHONE = 360;
  private static final int DESK = 1100;
  private static final long PATIENCE_NANOS = 90_000_000_000L;
  private static final String SCROLLED =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  /** Controls that nothing names for those who do not see them. */
  private static final String NAMELESS =
      """
      [...document.querySelectorAll('button, input, textarea, a, progress')].filter(e =>
          e.offsetParent && !(e.getAttribute('aria-label') || e.textContent.trim()
              || (e.labels && e.labels.length))).map(e => e.outerHTML)
      """;

  @TempDir private static Path folder;

  private static Browser browser;
  private static TestServer server;

  @BeforeAll
  static void open() throws IOException {
    Optional<Path> binary = Browser.installed();
    assumeTrue(binary.isPresent(), "no Chromium or Chrome on the path");
    server = TestServer.in(folder);
    browser = Browser.open(binary.orElseThrow());
  }

  @AfterAll
  static void close() throws IOException {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aSweep_isPlannedSubmittedWatchedAndReported() throws IOException {
    browser.size(DESK, 900);
    browser.load(URI.create(server.origin() + "/"));
    until("!document.getElementById('sign-in').hidden");
    assertThat(browser.value("document.activeElement.id").asString()).isEqualTo("token");
    picture("1-sign-in");

    enter("token", AccessToken.newSecret());
    click("#sign-in button");
    until("document.getElementById('sign-in-trouble').textContent !== ''");
    browser.complaints.clear(); // the browser notes the 401

    enter("token", server.submit);
    click("#sign-in button");
    until("!document.getElementById('inside').hidden");
    until("document.getElementById('sweep').value.includes('quickstart')");
    assertThat(browser.value("JSON.stringify([localStorage.length, sessionStorage.length])"))
        .isEqualTo(StringNode.valueOf("[0,0]"));
    assertThat(browser.value("document.cookie").asString()).isEmpty();
    picture("2-empty");

    enter("sweep", TestServer.sweep(5).replace("epsilon: 3.0", "epsilon: -3"));
    click("#plan");
    until("!document.getElementById('mistakes').hidden");
    assertThat(text("mistakes")).contains("Line 24: budget.epsilon");
    assertThat(browser.value("document.getElementById('send').disabled").asBoolean()).isTrue();
    picture("3-mistakes");
    browser.complaints.clear(); // the browser notes the 400

    enter("sweep", TestServer.sweep(300));
    click("#plan");
    until("!document.getElementById('planned').hidden");
    assertThat(text("planned")).contains("at most ε 3 at δ 1e-5").contains("trial 3");
    picture("4-plan");

    click("#send");
    until("document.querySelectorAll('#studies > li').length === 1");
    picture("5-running");
    until("document.querySelector('#studies .state').textContent === 'finished'");
    assertThat(text("news")).contains("is finished");
    picture("6-finished");
    click("#studies button[data-focus$=budget]");
    until("!document.getElementById('budget-section').hidden");
    assertThat(text("budget-said")).isEqualTo("7 charges: all of μ 0.7191 charged.");
    assertThat(browser.value("document.querySelectorAll('#budget-table tbody tr').length").asInt())
        .isEqualTo(8);
    assertThat(browser.value("document.querySelectorAll('#budget-plot svg path').length").asInt())
        .isGreaterThan(5);
    picture("6-budget");
    assertAsksOnlyItsServer();
    for (int width : new int[] {DESK, PHONE}) {
      browser.size(width, 900);
      assertThat(browser.value(SCROLLED).asInt()).as("at " + width).isZero();
    }
    picture("7-phone");
    assertThat(browser.value(NAMELESS).size()).isZero();

    String report = browser.value("document.querySelector('#studies a').href").asString();
    browser.size(DESK, 900);
    browser.load(URI.create(report));
    assertThat(browser.value("document.querySelector('h1').textContent").asString())
        .isEqualTo("quickstart");
    assertThat(browser.value("document.querySelectorAll('svg').length").asInt()).isPositive();
    assertThat(browser.complaints).isEmpty();
    assertThat(browser.requests).containsExactly(report);
    assertThat(
            browser
                .value("fetch('/api/v1/studies').then(r => r.status, e => 'refused')")
                .asString())
        .as("what runs in a report asks nothing of the server")
        .isEqualTo("refused");
    picture("8-report");
  }

  private static void assertAsksOnlyItsServer() {
    assertThat(browser.complaints).isEmpty();
    assertThat(browser.requests)
        .allMatch(url -> url.startsWith(server.origin() + "/") || url.equals("data:,"));
  }

  private static String text(String id) {
    return browser.value("document.getElementById('" + id + "').textContent").asString();
  }

  private static void enter(String id, String text) {
    browser.value(
        "(e => { e.value = %s; e.dispatchEvent(new Event('input')); return 1; })(document.getElementById('%s'))"
            .formatted(StringNode.valueOf(text), id));
  }

  private static void click(String selector) {
    browser.value("(document.querySelector('" + selector + "').click(), 1)");
  }

  private static void until(String condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!browser.value(condition).asBoolean(false)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            condition + " never came: " + browser.value("document.body.innerText"));
      }
      browser.value("new Promise(done => setTimeout(done, 50))");
    }
  }

  /** Kept where somebody wants to look at it. */
  private static void picture(String name) throws IOException {
    String pictures = System.getProperty("mutune.pictures", "");
    if (!pictures.isEmpty()) {
      Path place = Files.createDirectories(Path.of(pictures));
      browser.picture(place.resolve(name + ".png"));
    }
  }
}
