package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.study.StudyResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReportPageTest {
  private static final Path OUTPUT = Path.of("/nowhere/run");

  @Test
  void whatAPersonWrote_isEscaped() {
    String hostile = "<script>alert(\"&'1\")</script>";

    String page = ReportPage.html(Results.of(Results.sweep(hostile, hostile + "{{id}}"), OUTPUT));

    assertThat(page)
        .doesNotContain("<script", "<lost>")
        .contains("&lt;script&gt;", "1 of 3 &lt;lost&gt;")
        .contains("{{id}}");
  }

  @Test
  void thePage_saysTheTotalTheTrialsAndWhatEachCost() {
    StudyResult result = Results.of(Results.sweep(), OUTPUT);

    String page = ReportPage.html(result);

    assertThat(page)
        .contains("ε = " + Show.cost(result.statement().epsilon()))
        .contains("μ = " + Show.cost(result.statement().mu().orElseThrow()))
        .contains("<td>trial 3</td>", "<td>final</td>", "<td>lost</td>", "81.25%")
        .contains("<li>the final model</li>", "<li>other studies on the same rows</li>")
        .doesNotContain("does not hold", "{{", "http:", "https:");
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
            r.statement().withVoid("picked <uncharged>"),
            r.seconds());

    String page = ReportPage.html(broken);

    assertThat(page).contains("The stated epsilon does not hold: picked &lt;uncharged&gt;");
    assertThat(page.indexOf("does not hold")).isLessThan(page.indexOf("<h1>"));
  }

  @Test
  void aSweepWithoutADescription_leavesNoGap() {
    assertThat(ReportPage.html(Results.of(Results.sweep("plain", ""), OUTPUT)))
        .contains("scale-free with noisy-gd</p>");
  }
}
