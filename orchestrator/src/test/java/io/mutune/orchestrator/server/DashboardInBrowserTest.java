package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.testing.Thorough;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.StringNode;

/** The dashboard as somebody uses it: sign in, plan, submit, watch, open the report; accounts. */
class DashboardInBrowserTest {
  @TempDir private Path folder;

  private DashboardPage page;

  @BeforeEach
  void open() throws IOException {
    page = DashboardPage.in(folder);
  }

  @AfterEach
  void close() throws IOException {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void aSweep_isPlannedSubmittedWatchedAndReported() throws IOException {
    page.load(page.server.origin() + "/");
    page.until("!document.getElementById('sign-in').hidden");
    assertThat(page.browser.value("document.activeElement.id").asString()).isEqualTo("token");
    page.assertFitsAndIsNamed("1-sign-in");
    page.browser.size(DashboardPage.DESK, 900);

    page.enter("token", AccessToken.newSecret());
    page.click("#sign-in button");
    page.until("document.getElementById('sign-in-trouble').textContent !== ''");
    page.browser.complaints.clear(); // the browser notes the 401

    page.signIn(page.server.submit);
    page.until("document.getElementById('sweep').value.includes('data: digits')");
    assertThat(page.browser.value("JSON.stringify([localStorage.length, sessionStorage.length])"))
        .isEqualTo(StringNode.valueOf("[0,0]"));
    assertThat(page.browser.value("document.cookie").asString()).isEmpty();
    page.picture("2-empty");

    assertWordsFit();
    page.enter("sweep", TestServer.sweep(5).replace("epsilon: 3.0", "epsilon: -3"));
    page.click("#plan");
    page.until("!document.getElementById('mistakes').hidden");
    assertThat(page.text("mistakes")).contains("Line 13: budget.epsilon");
    assertThat(
            page.browser
                .value("document.querySelector('.CodeMirror-gutter-wrapper.wrong').textContent")
                .asString())
        .isEqualTo("13");
    assertThat(
            page.browser
                .value(
                    "document.querySelector('.CodeMirror .mistake').parentNode.parentNode.innerText")
                .asString())
        .as("the mistake is said below its line")
        .containsSubsequence("epsilon: -3", "budget.epsilon");
    page.click("#mistakes button");
    assertThat(
            page.browser
                .value("document.activeElement.closest('.CodeMirror').CodeMirror.getSelection()")
                .asString())
        .contains("epsilon: -3");
    assertThat(page.browser.value("document.getElementById('send').disabled").asBoolean()).isTrue();
    page.picture("3-mistakes");
    page.browser.complaints.clear(); // the browser notes the 400

    page.enter("sweep", TestServer.sweep(300));
    page.click("#plan");
    page.until("!document.getElementById('planned').hidden");
    assertThat(page.text("planned")).contains("at most ε 3 at δ 1e-5").contains("trial 3");
    page.assertFitsAndIsNamed("4-plan");
    page.browser.size(DashboardPage.DESK, 900);

    page.click("#send");
    page.until("document.activeElement.id === 'study-section'");
    page.picture("5-running");
    page.click("#back a");
    page.until("document.querySelectorAll('#studies > li').length === 1");
    page.until("document.querySelector('#studies .state').textContent === 'finished'");
    page.picture("6-finished");
    assertThat(page.browser.value("document.querySelector('.figures-line').textContent").asString())
        .matches("accuracy \\d+\\.\\d\\d% · ε 3 · scale-free with noisy-gd · .*");
    String report =
        page.browser.value("document.querySelector('#studies .actions a').href").asString();
    page.click("#studies a.open");
    page.until("!document.getElementById('study-section').hidden");
    page.until("document.activeElement.id === 'study-section'");
    // What was seen of it before stands there until the server answers.
    page.until("document.getElementById('study-figures').textContent.includes('accuracy')");
    assertThat(page.text("study-figures"))
        .contains("accuracy", "against", "ε 3all of it at δ 1e-5", "4 of 4");
    assertThat(page.count("#study-runs tbody tr")).isEqualTo(4);
    assertThat(page.text("budget-said")).isEqualTo("7 charges: all of μ 0.7192 charged.");
    assertThat(page.count("#budget-table tbody tr")).isEqualTo(8);
    assertThat(page.count("#budget-plot svg path")).isGreaterThan(5);
    page.until("document.querySelectorAll('#study-section figure').length >= 6");
    assertThat(page.text("study-test")).contains("What it says of rows of each class");
    assertThat(page.text("study-cost")).contains("Where the budget went");
    assertThat(page.count("#study-section figure .plot svg")).isGreaterThanOrEqualTo(6);
    page.assertAsksOnlyItsServer();
    page.assertFitsAndIsNamed("7-study");

    page.load("about:blank"); // what the page before was still asking for comes to its end
    page.load(report);
    assertThat(page.browser.value("document.querySelector('h1').textContent").asString())
        .isEqualTo("quickstart");
    assertThat(page.count("svg")).isPositive();
    assertThat(page.browser.complaints).isEmpty();
    assertThat(page.browser.requests).containsExactly(report);
    assertThat(
            page.browser
                .value("fetch('/api/v1/studies').then(r => r.status, e => 'refused')")
                .asString())
        .as("what runs in a report asks nothing of the server")
        .isEqualTo("refused");
    page.picture("8-report");
  }

  /** What the editor lists at the end of a text, by the schema. */
  private void assertWordsFit() {
    Map<String, List<String>> fits = new LinkedHashMap<>();
    fits.put("ver", List.of("version"));
    fits.put("version: 1\ndata: d", List.of("digits"));
    fits.put("budget:\n  epsilon: 1\n  adj", List.of("adjacency"));
    fits.put("budget:\n  epsilon: 1\nsea", List.of("search"));
    fits.put("budget: {epsilon: 1, # so much\n  adjacency: ", List.of("add-remove", "replace-one"));
    fits.put("budget: {epsilon: 1, delta: 1}\ntrain: {loss: hub", List.of("huber-hinge"));
    fits.put("search:\n  sweeps: [{epsilon: 0.2, tr", List.of("trials"));
    fits.put("search:\n  sweeps:\n  - {epsilon: 1, trials: 2}\n  - ep", List.of("epsilon"));
    fits.put("search:\n  space: {steps: {m", List.of("min", "max"));
    fits.put("search: # the stra", List.of());
    fits.put("name: \"sea", List.of());
    fits.forEach(
        (text, words) ->
            assertThat(
                    page.browser
                        .value(
                            "mutuneSubmit.editor.words("
                                + StringNode.valueOf(text)
                                + ").then(words => words.join(' '))")
                        .asString())
                .as(text)
                .isEqualTo(String.join(" ", words)));
  }

  private String drawn(int steps) throws IOException {
    String answer = page.server.submit(AccountsApiTest.sweep(steps, "digits")).body();
    return Json.read(answer).path("study").asString();
  }

  @Test
  void anAccount_isShownOverTime_withTheStudiesThatHaveDrawnOnIt() throws IOException {
    page.server.post(
        "/api/v1/accounts",
        page.server.admin,
        "application/json",
        "{\"name\": \"digits\", \"mu\": 1.5}");
    page.server.post(
        "/api/v1/accounts",
        page.server.admin,
        "application/json",
        "{\"name\": \"sampled\", \"epsilon\": 6, \"delta\": 1e-5, \"sampledDelta\": 1e-6}");
    for (int ended = 0; ended < 2; ended++) {
      page.server.untilState(drawn(5), "finished");
    }
    drawn(100_000);
    page.load(page.server.origin() + "/");
    page.signIn(page.server.read);
    page.until("document.getElementById('accounts').textContent.includes('69%')");
    page.picture("9-accounts");

    assertThat(page.text("accounts"))
        .contains("digits: 1,300 rows", "10 classes")
        .contains("μ 1.304 and δ₀ 1e-6, all of it left");
    // What runs has a bar, and, once steps have begun, the time that these leave.
    page.until("/about .* of steps left/.test(document.getElementById('studies').textContent)");
    page.click("#studies > li a[data-focus$=account]");
    page.until("!document.getElementById('account-section').hidden");
    page.until("document.activeElement.id === 'account-section'");
    assertThat(page.text("account-tiles")).contains("μ 1.017, by ended", "μ 0.7192, by open");
    assertThat(page.text("account-said"))
        .contains("2 ended studies and 1 open study have drawn on it");
    assertThat(page.count("#account-table tbody tr")).isEqualTo(6);
    assertThat(page.count("#account-studies tbody a")).isEqualTo(3);
    assertThat(page.count("#account-plot svg path")).isGreaterThan(5);
    page.assertAsksOnlyItsServer();
    page.assertFitsAndIsNamed("10-account");

    page.browser.value("(history.back(), 1)");
    page.until("!document.getElementById('overview').hidden");
    assertThat(page.browser.value("document.activeElement.id").asString())
        .as("focus goes to the list")
        .isEqualTo("studies-title");
    page.browser.value(
        "(document.querySelectorAll('#studies input').forEach(box => box.click()), 1)");
    page.click("#compare");
    page.until("document.querySelectorAll('#compare-table thead th').length === 4");
    assertThat(page.text("compare-table")).contains("finished", "running", "Best score");
    page.assertFitsAndIsNamed("11-compare");
    assertThat(page.browser.complaints).isEmpty();
  }

  /** From the list of data sets to one of them: what its card says, and what is left. */
  @Test
  void aDataSet_hasItsCard_andItsBudgetInEpsilonAndInMu() throws IOException {
    page.server.submit(AccountsApiTest.sweep(5, "rows-add-remove"));
    String set = page.server.store.dataSets().get(0).name();
    page.load(page.server.origin() + "/#/data-sets/" + set);
    page.signIn(page.server.read);
    page.until("document.getElementById('account-title').textContent === 'Data set " + set + "'");
    assertThat(page.text("account-facts")).contains("1,300 (public count), ", "test rows public");
    page.until("document.getElementById('account-tiles').textContent.includes('by open')");
    assertThat(page.text("account-tiles")).containsPattern("Leftε [0-9.]+μ [0-9.]+");
    page.assertFitsAndIsNamed("12-data-set");
    assertThat(page.browser.complaints).isEmpty();
    page.clickToReload("#sign-out");
    assertOneBeginsWithWhatFits();
    assertNobodyElseSeesADraft();
  }

  /** A sweep of the set that was registered last, at the very delta of its account. */
  private void assertOneBeginsWithWhatFits() throws IOException {
    Path files = TestServer.ROOT.resolve("sweeps");
    String sweep = AccountsApiTest.sweep(5, "rows-add-remove");
    RegisteredSets.register(page.server.store, files, "a-newer-set", sweep);
    page.signIn(page.server.submit);
    page.browser.value("(location.hash = '#/', 1)");
    page.until("document.getElementById('sweep').value.includes('data: a-newer-set')");
    page.click("#plan");
    page.until("!document.getElementById('planned').hidden");
    page.enter("sweep", "");
    // As if the one that is registered last, while the page is open, had nothing left.
    page.browser.value(
        """
        (fetched => {
          window.fetch = async (path, options) => {
            const answer = await fetched(path, options);
            if (path.endsWith('/data-sets')) {
              const { dataSets } = await answer.json();
              return Response.json({ dataSets: dataSets.map(set =>
                  set.name === 'the-newest-set' ? { ...set, account: 'spent' } : set) });
            }
            if (!path.endsWith('/accounts')) {
              return answer;
            }
            const { accounts } = await answer.json();
            accounts.forEach(account => { account.delta = 1.26e-5; });
            accounts.push({ ...accounts[0], account: 'spent', held: accounts[0].cap,
                left: { mu: 0, epsilon: 0 } });
            return Response.json({ accounts });
          };
          return 1;
        })(window.fetch)
        """);
    RegisteredSets.register(page.server.store, files, "the-newest-set", sweep);
    page.until("document.getElementById('sweep').value !== ''");
    assertThat(draft()).contains("data: a-newer-set", "delta: 1.26e-5}");
    assertThat(page.text("accounts")).contains("nothing is left");
    assertThat(
            page.browser
                .value("mutuneSubmit.editor.words('data: the-n').then(words => words.join(' '))")
                .asString())
        .isEqualTo("the-newest-set");
  }

  /** Who signs in again goes on with a draft, which is gone for anybody else. */
  private void assertNobodyElseSeesADraft() {
    page.enter("sweep", "a draft");
    endSession();
    page.signIn(page.server.submit);
    assertThat(draft()).isEqualTo("a draft");
    endSession();
    page.enter("token", page.server.admin);
    page.clickToReload("#sign-in button");
    page.until("document.getElementById('sweep').value.includes('data: ')");
    page.enter("sweep", "a draft");
    page.clickToReload("#sign-out");
    page.until("!document.getElementById('sign-in').hidden");
    assertThat(draft()).isEmpty();
  }

  private void endSession() {
    page.browser.value("fetch('/session', { method: 'DELETE' }).then(answer => answer.status)");
    page.until("!document.getElementById('sign-in').hidden");
  }

  private String draft() {
    return page.browser.value("document.getElementById('sweep').value").asString();
  }

  /** No mouse: each control is come to by Tab, and what follows takes the focus. */
  @Test
  void byTheKeyboardAlone_aSweepIsPlannedSubmittedWatchedAndItsReportOpened() throws IOException {
    page.load(page.server.origin() + "/");
    page.until("document.activeElement.id === 'token'");
    page.browser.type(page.server.submit);
    page.browser.key("Enter");
    page.until("document.activeElement.id === 'studies-title'");
    page.until("document.getElementById('sweep').value !== ''");

    page.tabTo("e.id === 'sweep-editor'");
    page.browser.value("(document.querySelector('.CodeMirror').CodeMirror.setValue(''), 1)");
    page.browser.type("b");
    page.until("document.querySelectorAll('.CodeMirror-hint').length === 1");
    assertThat(
            page.browser.value("document.querySelector('.CodeMirror-hint').textContent").asString())
        .startsWith("budget");
    page.assertAccessible();
    page.browser.key("Enter");
    page.until("document.getElementById('sweep').value === 'budget: '");
    page.browser.value(
        "(document.querySelector('.CodeMirror').CodeMirror.execCommand('selectAll'), 1)");
    page.browser.type(TestServer.sweep(100));
    page.tabTo("e.id === 'plan'");
    page.browser.key("Enter");
    page.until("document.activeElement.id === 'planned'");
    page.tabTo("e.id === 'send'");
    page.browser.key("Enter");
    page.until("document.activeElement.id === 'study-section'");
    page.until("document.querySelectorAll('#study-test figure details').length > 0");
    page.tabTo("e.id === 'study-report'");
    assertThat(page.browser.value("document.activeElement.href").asString())
        .endsWith("/report.html");
    page.browser.key("Enter");
    page.tabTo("e.tagName === 'SUMMARY' && e.offsetParent !== null");
    page.browser.key("Enter");
    page.until("document.querySelector('#study-test details').open");
    assertThat(page.browser.complaints).isEmpty();
  }

  /** What a reader finds by typing: the list asks the server for those alone. */
  @Test
  void theList_isFilteredAndOrdered() throws IOException {
    page.server.post(
        "/api/v1/accounts",
        page.server.admin,
        "application/json",
        "{\"name\": \"digits\", \"mu\": 1.5}");
    for (int ended = 0; ended < 2; ended++) {
      page.server.untilState(drawn(5), "finished");
    }
    page.load(page.server.origin() + "/");
    page.signIn(page.server.read);
    page.until("document.querySelectorAll('#studies > li').length === 2");
    page.browser.value(
        "(e => { e.value = 'accuracy'; e.dispatchEvent(new Event('change')); return 1; })"
            + "(document.getElementById('filter-sort'))");
    page.until(
        "(t => t[0] >= t[1])([...document.querySelectorAll('.figures-line')].map("
            + "p => parseFloat(p.textContent.slice(9))))");
    page.enter("filter-text", "nothing like this");
    page.until("document.querySelectorAll('#studies > li').length === 0");
    assertThat(page.text("no-studies")).isEqualTo("None of 2 is like that.");
    page.enter("filter-text", "");
    page.until("document.querySelectorAll('#studies > li').length === 2");
    assertTheLastPageIsShownOnceThereAreFewer();
    assertWhatFailsIsAskedForAgain();
    assertScoresBeyondTheirBoundsAreDrawn();
    assertTimesStandApart();
    assertThat(page.browser.complaints).isEmpty();
  }

  /** As if there were more than a page of them until the second is asked for. */
  private void assertTheLastPageIsShownOnceThereAreFewer() {
    page.browser.value(
        """
        (fetched => {
          window.fetch = async (path, options) => {
            const answer = await fetched(path, options);
            if (path.includes('offset=100')) {
              window.fetch = fetched;
            }
            return path.includes('offset=0')
                ? Response.json({ ...await answer.json(), matching: 150 })
                : answer;
          };
          return 1;
        })(window.fetch)
        """);
    page.until("!document.getElementById('pages-next').disabled");
    page.click("#pages-next");
    page.until("document.getElementById('pages').hidden");
    assertThat(page.count("#studies > li")).isEqualTo(2);
  }

  private void assertWhatFailsIsAskedForAgain() {
    page.browser.value(
        """
        ((fetched, failing) => {
          window.fetch = (path, options) => {
            const status = failing[path.split('/').pop()];
            return status
                ? Promise.resolve(new Response('{"detail": "a while"}', { status }))
                : fetched(path, options);
          };
          window.mend = () => { failing = {}; return 1; };
          return 1;
        })(window.fetch, { result: 404, charts: 503, sweep: 503 })
        """);
    page.click("#studies a.open");
    page.until("document.getElementById('study-reason').textContent.endsWith('now: a while')");
    page.browser.value("mend()");
    page.until("document.getElementById('study-figures').textContent.includes('accuracy')");
    page.until("document.querySelectorAll('#study-section figure').length >= 6");
    page.until("document.getElementById('study-sweep').textContent.includes('budget:')");
    assertThat(page.text("study-reason")).isEmpty();
  }

  private void assertScoresBeyondTheirBoundsAreDrawn() throws IOException {
    page.browser.value(
        """
        (mutuneChart.draw(document.getElementById('budget-plot'),
            { scores: [['trial 1', -0.02], ['trial 2', 0.5], ['trial 3', 1.03]] }), 1)
        """);
    page.picture("13-scores");
    assertThat(page.count("#budget-plot svg path[fill=\"#2f5da8\"]")).isEqualTo(3);
  }

  /** On phones and at a desk, from seconds to years: some labels are left out. */
  private void assertTimesStandApart() throws IOException {
    for (int width : new int[] {DashboardPage.PHONE, 390, DashboardPage.DESK}) {
      page.browser.size(width, 900);
      for (int seconds : new int[] {40, 195, 3_000, 50_000, 2_000_000, 90_000_000}) {
        double least =
            page.browser
                .value(
                    """
                    (place => {
                      const from = Date.UTC(2026, 10, 30, 23, 54, 6);
                      const at = (part) => new Date(from + part * 1000 * %d).toISOString();
                      mutuneChart.draw(place, { unit: 'mu', label: 'mu', cap: 1, points: [[at(0), 0], [at(1), 0.5]] });
                      const boxes = [...place.querySelectorAll('text')].map(t => t.getBoundingClientRect());
                      const low = Math.max(...boxes.map(box => box.top));
                      const times = boxes.filter(box => box.top > low - 5).sort((a, b) => a.left - b.left);
                      const gaps = times.slice(1).map((box, i) => box.left - times[i].right);
                      return times.length < 2 ? -times.length : Math.min(...gaps);
                    })(document.getElementById('budget-plot'))
                    """
                        .formatted(seconds))
                .asDouble();
        assertThat(least).as(seconds + " s at " + width).isGreaterThan(7);
      }
    }
  }

  /** What each study may be asked for: a schedule to end, no pause of what cannot be paused. */
  @Test
  void aStudy_isOfferedWhatItCanDo() throws IOException {
    String account = "{\"name\": \"digits\", \"mu\": 3, \"sampledDelta\": 0.000002}";
    page.server.post("/api/v1/accounts", page.server.admin, "application/json", account);
    String yearly =
        page.server.submit("schedule: 0 0 3 1 1 ?\n" + AccountsApiTest.sweep(5, "digits")).body();
    String scheduled = Json.read(yearly).path("study").asString();
    page.server.untilState(scheduled, "finished");
    String secret = secretRuns();
    page.load(page.server.origin() + "/");
    page.signIn(page.server.submit);
    page.until("document.querySelector('#study-" + secret + " .state')?.textContent === 'running'");
    page.until("document.getElementById('studies').textContent.includes('runs done')");
    assertThat(page.text("study-" + secret)).doesNotContain("Pause").contains("Cancel");
    assertThat(page.count("#studies progress")).isZero();
    page.click("#study-" + secret + " a.open");
    page.until("document.querySelectorAll('#study-runs tbody tr').length === 1");
    assertThat(page.text("study-runs")).endsWith("finalcharged");
    assertThat(page.browser.value("document.getElementById('study-steps').hidden").asBoolean())
        .isTrue();
    page.server.post(
        "/api/v1/studies/" + secret + "/cancel", page.server.submit, "application/json", "");

    page.browser.value("(location.hash = '#/compare/" + scheduled + ",ffffffff', 1)");
    page.until("document.querySelectorAll('#compare-table thead th').length === 3");
    assertThat(page.text("compare-table")).contains("ffffffff: no such study", "finished");
    page.browser.complaints.clear(); // the browser notes the 404

    page.browser.value("(window.confirm = () => true, 1)");
    page.browser.value("(location.hash = '#/studies/" + scheduled + "', 1)");
    page.until("document.getElementById('study-next').textContent.includes('runs again at')");
    page.assertFitsAndIsNamed("14-schedule");
    page.click("#study-next button");
    page.until("document.getElementById('study-next').textContent === ''");
    assertThat(page.browser.complaints).isEmpty();
  }

  /** Many long runs, of which nobody hears before the last one has ended. */
  private String secretRuns() throws IOException {
    String sweep =
        AccountsApiTest.sweep(5, "digits")
            .replaceFirst(
                "(?s)search:.*\ntrain:",
                "search: {strategy: random-stopping, space: {logitNoise: 1, steps: 100000},"
                    + " runs: {mean: 8}, score: {on: private, epsilon: 0.2}}\n\ntrain:");
    HttpResponse<String> answer = page.server.submit(sweep);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    String study = Json.read(answer.body()).path("study").asString();
    page.server.untilState(study, "running");
    return study;
  }

  @Test
  void whatIsRefused_isNotSentAgain() throws IOException {
    page.load(page.server.origin() + "/");
    page.until("!document.getElementById('sign-in').hidden");
    page.enter("token", "mutune_пароль");
    page.click("#sign-in button");
    page.until("document.getElementById('sign-in-trouble').textContent !== ''");
    assertThat(page.text("sign-in-trouble")).contains("not known here");
    assertThat(page.browser.complaints).isEmpty();

    page.server.post(
        "/api/v1/accounts",
        page.server.admin,
        "application/json",
        "{\"name\": \"digits\", \"mu\": 0.1}");
    page.signIn(page.server.submit);
    page.enter("sweep", page.server.registered(AccountsApiTest.sweep(5, "digits")));
    page.click("#plan");
    page.until("!document.getElementById('planned').hidden");
    page.click("#send");
    page.until("document.getElementById('mistakes').textContent.includes('is refused')");
    assertThat(page.browser.value("document.getElementById('planned').hidden").asBoolean())
        .isTrue();
    page.until("document.getElementById('working').textContent === ''");
    assertThat(page.browser.value("document.getElementById('send').disabled").asBoolean()).isTrue();
    assertEmptySettingsAreLeftOut();
  }

  private void assertEmptySettingsAreLeftOut() {
    String set = page.server.store.dataSets().get(0).name();
    page.browser.value(
        """
        (fetched => {
          window.fetch = async (path, options) => {
            const answer = await fetched(path, options);
            return /data-sets\\/./.test(path)
                ? Response.json({ ...await answer.json(), columns: [
                    { name: 'sex', type: 'category', spellings: {}, missing: [], values: ['a'] }] })
                : answer;
          };
          return 1;
        })(window.fetch)
        """);
    page.browser.value("(location.hash = '#/data-sets/" + set + "', 1)");
    page.until("document.querySelectorAll('#account-columns-table tbody tr').length === 1");
    assertThat(page.text("account-columns-table")).endsWith("sexcategoryvalues a");
  }

  /** On a machine so slow that the list of one takes 0.4 s, no longer than five times that. */
  @Test
  @Thorough
  void tenThousandStudies_areListedWithinTwoSeconds() throws Exception {
    page.server.untilState(
        Json.read(page.server.submit(TestServer.sweep(5)).body()).path("study").asString(),
        "finished");
    page.load(page.server.origin() + "/");
    page.signIn(page.server.read);
    page.until("document.querySelectorAll('#studies > li').length === 1");
    Duration one = listed(1);
    copies(9_999);
    Duration all = listed(100);
    assertThat(page.text("pages-said")).isEqualTo("1 to 100 of 10000");
    assertThat(all.toMillis()).isLessThan(Math.max(2000, 5 * one.toMillis()));
    page.click("#pages-next");
    page.until("document.getElementById('pages-said').textContent.startsWith('101 to 200')");
    page.assertAccessible();
    assertThat(page.browser.complaints).isEmpty();
  }

  /** The best of five times, since a test shares its machine. */
  private Duration listed(int studies) throws IOException {
    Duration best = Duration.ofDays(1);
    for (int i = 0; i < 5 && best.toMillis() > 1000; i++) {
      long begun = System.nanoTime();
      page.load(page.server.origin() + "/");
      page.until("document.querySelectorAll('#studies > li').length === " + studies);
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      best = took.compareTo(best) < 0 ? took : best;
    }
    return best;
  }

  private void copies(int more) throws SQLException {
    String file = page.server.studies.resolve("mutune.db").toString();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
              + more
              + ") INSERT INTO study (id, name, state, created, definition, context, output,"
              + " seconds, test_accuracy, noise) SELECT printf('%08x', i), name, state, created,"
              + " definition, context, output, seconds, test_accuracy, noise FROM study, n");
    }
  }
}
