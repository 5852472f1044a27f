package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.report.Browser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.StringNode;

/** A server of its own and its dashboard in a browser, as somebody uses it. */
final class DashboardPage implements AutoCloseable {
  static final int PHONE = 360;
  static final int DESK = 1100;
  private static final int HEIGHT = 900;
  private static final long PATIENCE_NANOS = 300_000_000_000L;

  /** Charts hear of a new size before the next frame, and are then drawn in it. */
  private static final String DRAWN =
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))";

  private static final String SCROLLED =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  /** Controls that nothing names for those who do not see them. */
  private static final String NAMELESS =
      """
      [...document.querySelectorAll('button, input, textarea, a, progress')].filter(e =>
          e.offsetParent && !(e.getAttribute('aria-label') || e.textContent.trim()
              || (e.labels && e.labels.length))).map(e => e.outerHTML)
      """;

  final TestServer server;
  final Browser browser;

  private DashboardPage(TestServer server, Browser browser) {
    this.server = server;
    this.browser = browser;
  }

  /** Skips the test where there is no browser. */
  static DashboardPage in(Path folder) throws IOException {
    Optional<Path> binary = Browser.installed();
    assumeTrue(binary.isPresent(), "no Chromium or Chrome on the path");
    TestServer server = TestServer.in(folder);
    try {
      return new DashboardPage(server, Browser.open(binary.orElseThrow()));
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  void load(String url) throws IOException {
    browser.size(DESK, HEIGHT);
    browser.load(URI.create(url));
  }

  void signIn(String token) {
    until("!document.getElementById('sign-in').hidden");
    enter("token", token);
    click("#sign-in button");
    until("!document.getElementById('inside').hidden");
  }

  String text(String id) {
    return browser.value("document.getElementById('" + id + "').textContent").asString();
  }

  int count(String selector) {
    return browser.value("document.querySelectorAll('" + selector + "').length").asInt();
  }

  void enter(String id, String text) {
    browser.value(
        "(e => { e.value = %s; e.dispatchEvent(new Event('input')); return 1; })(document.getElementById('%s'))"
            .formatted(StringNode.valueOf(text), id));
  }

  void click(String selector) {
    browser.value(clicking(selector));
  }

  /** Clicks on what makes the page load itself anew, and waits until it has. */
  void clickToReload(String selector) {
    browser.reload(clicking(selector));
  }

  private static String clicking(String selector) {
    return "(document.querySelector('" + selector + "').click(), 1)";
  }

  void until(String condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!browser.value(condition).asBoolean(false)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            condition + " never came: " + browser.value("document.body.innerText"));
      }
      browser.value("new Promise(done => setTimeout(done, 50))");
    }
  }

  /** That the page asked nobody else for anything, and its browser has nothing against it. */
  void assertAsksOnlyItsServer() {
    assertThat(browser.complaints).isEmpty();
    assertThat(browser.requests)
        .allMatch(url -> url.startsWith(server.origin() + "/") || url.equals("data:,"));
  }

  /** At a planning and on a phone: nothing is cut off, and everything has a name. */
  void assertFitsAndIsNamed(String picture) throws IOException {
    for (int width : new int[] {DESK, PHONE}) {
      browser.size(width, HEIGHT);
      browser.value(DRAWN);
      assertThat(browser.value(SCROLLED).asInt()).as("at " + width).isZero();
      picture(picture + (width == DESK ? "-planning" : "-phone"));
    }
    assertThat(browser.value(NAMELESS).size()).isZero();
    assertAccessible();
  }

  /** That axe finds nothing serious, or worse, in the light and in the dark. */
  void assertAccessible() throws IOException {
    assertThat(browser.violations()).isEmpty();
  }

  /** Walks on by the Tab key alone until the focus is on what the condition wants of e. */
  void tabTo(String condition) {
    for (int presses = 0; presses < 100; presses++) {
      browser.key("Tab");
      if (browser.value("(e => " + condition + ")(document.activeElement)").asBoolean(false)) {
        return;
      }
    }
    throw new AssertionError("no Tab came to where " + condition);
  }

  /** Kept where somebody wants to look at it. */
  void picture(String name) throws IOException {
    String pictures = System.getProperty("mutune.pictures", "");
    if (!pictures.isEmpty()) {
      Path place = Files.createDirectories(Path.of(pictures));
      browser.picture(place.resolve(name + ".png"));
    }
  }

  @Override
  public void close() throws IOException {
    browser.close();
    server.close();
  }
}
