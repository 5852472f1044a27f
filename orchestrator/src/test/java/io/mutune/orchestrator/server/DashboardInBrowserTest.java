package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.report.Json;
import java.io.IOException;
import java.nio.file.Path;
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
    page.picture("1-sign-in");

    page.enter("token", AccessToken.newSecret());
    page.click("#sign-in button");
    page.until("document.getElementById('sign-in-trouble').textContent !== ''");
    page.browser.complaints.clear(); // the browser notes the 401

    page.signIn(page.server.submit);
    page.until("document.getElementById('sweep').value.includes('quickstart')");
    assertThat(page.browser.value("JSON.stringify([localStorage.length, sessionStorage.length])"))
        .isEqualTo(StringNode.valueOf("[0,0]"));
    assertThat(page.browser.value("document.cookie").asString()).isEmpty();
    page.picture("2-empty");

    page.enter("sweep", TestServer.sweep(5).replace("epsilon: 3.0", "epsilon: -3"));
    page.click("#plan");
    page.until("!document.getElementById('mistakes').hidden");
    assertThat(page.text("mistakes")).contains("Line 13: budget.epsilon");
    assertThat(page.browser.value("document.getElementById('send').disabled").asBoolean()).isTrue();
    page.picture("3-mistakes");
    page.browser.complaints.clear(); // the browser notes the 400

    page.enter("sweep", TestServer.sweep(300));
    page.click("#plan");
    page.until("!document.getElementById('planned').hidden");
    assertThat(page.text("planned")).contains("at most ε 3 at δ 1e-5").contains("trial 3");
    page.picture("4-plan");

    page.click("#send");
    page.until("document.querySelectorAll('#studies > li').length === 1");
    page.picture("5-running");
    page.until("document.querySelector('#studies .state').textContent === 'finished'");
    assertThat(page.text("news")).contains("is finished");
    page.picture("6-finished");
    page.click("#studies button[data-focus$=budget]");
    page.until("!document.getElementById('budget-section').hidden");
    assertThat(page.text("budget-said")).isEqualTo("7 charges: all of μ 0.7191 charged.");
    assertThat(page.count("#budget-table tbody tr")).isEqualTo(8);
    assertThat(page.count("#budget-plot svg path")).isGreaterThan(5);
    page.assertAsksOnlyItsServer();
    page.assertFitsAndIsNamed("7-budget");

    String report = page.browser.value("document.querySelector('#studies a').href").asString();
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
    for (int ended = 0; ended < 2; ended++) {
      page.server.untilState(drawn(5), "finished");
    }
    drawn(100_000);
    page.load(page.server.origin() + "/");
    page.signIn(page.server.read);
    page.until("document.getElementById('accounts').textContent.includes('69 %')");
    page.picture("9-accounts");

    page.click("#studies > li button[data-focus$=account]");
    page.until("!document.getElementById('account-section').hidden");
    assertThat(page.browser.value("document.activeElement.id").asString())
        .isEqualTo("account-section");
    assertThat(page.text("account-said"))
        .contains("μ 1.017 spent · 0.7192 reserved · 0.8")
        .contains("2 ended studies and 1 open study have drawn on it");
    assertThat(page.count("#account-table tbody tr")).isEqualTo(6);
    assertThat(page.count("#account-studies tbody a")).isEqualTo(3);
    assertThat(page.count("#account-plot svg path")).isGreaterThan(5);
    page.assertAsksOnlyItsServer();
    page.assertFitsAndIsNamed("10-account");

    page.click("#account-close");
    assertThat(page.browser.value("document.activeElement.textContent").asString())
        .as("focus goes back to what opened it")
        .isEqualTo("Account digits");
    page.click("#accounts button");
    page.until("!document.getElementById('account-section').hidden");
    assertThat(page.browser.complaints).isEmpty();
  }
}
