package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.study.StudyResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ReportPageTest {
  private static final Path OUTPUT = Path.of("/nowhere/run");

  private static String page(StudyResult result) {
    return html(StudyDocuments.of(result));
  }

  private static String html(StudyDocuments study) {
    return ReportPage.html(study, StudyCharts.of(study, List.of()));
  }

  @Test
  void whatAPersonWrote_isEscaped() {
    String hostile = "<script>alert(\"&'1\")</script>";

    String page = page(Results.of(Results.sweep(hostile, hostile + "{{id}}"), OUTPUT));

    assertThat(page)
        .doesNotContain("<script>alert", "<lost>")
        .contains("&lt;script&gt;", "1 of 3 &lt;lost&gt;")
        .contains("{{id}}");
  }

  @Test
  void thePage_saysTheTotalTheTrialsAndWhatEachCost() {
    StudyResult result = Results.of(Results.sweep(), OUTPUT);

    String page = page(result);

    assertThat(page)
        .contains("ε = " + DisplayNumber.cost(result.statement().epsilon()))
        .contains("μ = " + DisplayNumber.cost(result.statement().mu().orElseThrow()))
        .contains(
            "<th scope=\"row\">trial 3</th>",
            "<th scope=\"row\">final</th>",
            "<td>lost</td>",
            "81.25%")
        .contains(
            "<h2>How good it is</h2>", "where always saying 0 has", "<th scope=\"col\">said 2</th>")
        .contains("<li>the final model</li>", "<li>other studies on the same rows</li>")
        .doesNotContain("does not hold");
    // Its own script and the library have digests in the policy; all else must load nothing.
    assertThat(page.replaceAll("(?s)<script>.*?</script>", ""))
        .doesNotContain("{{", "src=", "href=", "url(", "http:", "https:", "@import");
  }

  @Test
  void aVoidGuarantee_standsBeforeEverythingElse() {
    StudyResult r = Results.of(Results.sweep(), OUTPUT);
    StudyResult broken =
        new StudyResult(
            r.study(),
            r.trials(),
            r.decision(),
            r.finalCharge(),
            r.finalLostSteps(),
            r.model(),
            r.testAccuracy(),
            r.test(),
            r.curve(),
            r.releases(),
            r.statement().withVoid("picked <uncharged>"),
            r.seconds(),
            r.features(),
            r.provenance());

    String page = page(broken);

    assertThat(page).contains("The stated epsilon does not hold: picked &lt;uncharged&gt;");
    assertThat(page.indexOf("does not hold")).isLessThan(page.indexOf("<h1>"));
  }

  @Test
  void aSearchThatReleasesItsResultAlone_saysSo() {
    StudyDocuments study = SamplePages.secretTrials();

    assertThat(html(study))
        .contains("its result alone was", "<td>77.00%</td>")
        .doesNotContain("the sweep fixes the point", "Ran for");
  }

  @Test
  void aSearchWithoutTrials_saysWhy_andDrawsNoScores() {
    StudyDocuments study = SamplePages.noTrials();

    assertThat(html(study))
        .contains(
            "There were no trials: on so few rows at this budget they would cost more than they tell"
                + " (the budget is &lt;small&gt;). The logit noise ν is the one that is known in"
                + " advance.")
        .doesNotContain("its result alone was", "Score against ν", "Fit:");
  }

  /** Of trial 2 its score and 4 steps, of the final run 3 steps. */
  @Test
  void whatCrashesTook_isCountedOnce_ofEveryModel() {
    StudyDocuments study = SamplePages.scaleFree();
    assertThat(html(study)).contains("Crashes took 1 score and 7 steps of training.");
    StudyDocuments several =
        SamplePages.changed(
            study,
            s -> {
              ObjectNode release = s.result().putArray("releases").addObject();
              release.put("model", "release 1").put("folder", "release-1");
              release.set("run", s.result().path("final").deepCopy());
            });
    assertThat(html(several)).contains("Crashes took 1 score and 10 steps of training.");
    StudyDocuments kept =
        SamplePages.changed(
            SamplePages.keptTrial(),
            s -> {
              ((ObjectNode) s.result().path("trials").get(2)).put("lostSteps", 5);
              s.result().withObject("final").put("lostSteps", 5);
            });
    assertThat(html(kept)).contains("Crashes took 1 score and 9 steps of training.");
  }

  /** As of one random point: a search that asks for no score loses none. */
  @Test
  void aTrialThatIsNotScored_lostNothing() {
    StudyDocuments study =
        SamplePages.changed(
            SamplePages.keptTrial(),
            s -> {
              for (JsonNode trial : s.result().path("trials")) {
                ((ObjectNode) trial).put("state", "trained").put("lostSteps", 0).remove("score");
              }
              s.result().withObject("final").put("lostSteps", 0).remove("score");
            });

    assertThat(html(study)).doesNotContain("Crashes took", "<td>lost</td>", ">score</th>");
  }

  @Test
  void aComparison_beginsWithWhatItIs() {
    String page = ComparePage.html(SamplePages.comparison());

    assertThat(page)
        .contains("compared &lt;all&gt;", "(void)", "(below 40.00%)", "ε = 1 at δ = 1e-5")
        .contains("The best of 60 points, looked at without charging anything: 91.00%");
    assertThat(page)
        .contains("<td>does not hold</td>", "<strong>Every strategy of which ε holds at a total");
    assertThat(page.indexOf("The stated epsilon does not hold for linear-scaling-uncharged:"))
        .isPositive()
        .isLessThan(page.indexOf("This is an experiment on rows that are public"));
    assertThat(page.indexOf("This is an experiment on rows that are public"))
        .isPositive()
        .isLessThan(page.indexOf("<h1>"));
  }

  @Test
  void theNumbersInTheScript_endNoScriptAndNoLine() {
    assertThat(Page.inert("{\"a\":\"</script><!--&\u2028\u2029\"}"))
        .isEqualTo("{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\u2029\"}");
  }

  @Test
  void thePage_staysSmall() {
    StudyDocuments study = SamplePages.manyTrials();

    // The charting library is 1.03 MB of it; every kind of chart adds some of its numbers.
    assertThat(ReportPage.html(study, StudyCharts.of(study, SamplePages.others())))
        .hasSizeLessThan(1_250_000);
  }

  @Test
  void aSweepWithoutADescription_leavesNoGap() {
    assertThat(page(Results.of(Results.sweep("plain", ""), OUTPUT)))
        .contains("scale-free with noisy-gd</p>");
  }
}
