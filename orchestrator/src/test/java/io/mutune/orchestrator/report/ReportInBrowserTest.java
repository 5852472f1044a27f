package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.testing.Effort;
import io.mutune.testing.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The page as a browser shows it: every kind of study, wide and as narrow as a small phone. */
class ReportInBrowserTest {
  private static final int PHONE = 360;
  private static final int DESK = 1100;

  /** The pages whose parts the others have too; axe takes two seconds for each. */
  private static final Set<String> DIFFERENT =
      Set.of("scale-free", "secret-trials", "void", "regression");

  /** How far the page goes beyond what is seen of it. */
  private static final String SCROLLED =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  @TempDir private static Path folder;

  private static Browser browser;

  @BeforeAll
  static void open() throws IOException {
    Optional<Path> binary = Browser.installed();
    assumeTrue(binary.isPresent(), "no Chromium or Chrome on the path");
    browser = Browser.open(binary.orElseThrow());
  }

  @AfterAll
  static void close() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  private static Path written(String name, String page) throws IOException {
    return Files.writeString(folder.resolve(name + ".html"), page);
  }

  @Test
  void everyPage_drawsItsChartsAndAsksForNothing() throws IOException {
    assertThat(SamplePages.studies()).containsKeys(DIFFERENT.toArray(String[]::new));
    for (Map.Entry<String, StudyDocuments> study : SamplePages.studies().entrySet()) {
      StudyCharts charts = StudyCharts.of(study.getValue(), SamplePages.others());
      Path page = written(study.getKey(), ReportPage.html(study.getValue(), charts));
      assertDrawnWell(page, charts.all().size());
      if (Effort.isThorough() || DIFFERENT.contains(study.getKey())) {
        assertThat(browser.violations()).as(study.getKey()).isEmpty();
      }
    }
  }

  @Test
  void aComparison_drawsItsChartsAndAsksForNothing() throws IOException {
    assertShownWell(written("compare", ComparePage.html(SamplePages.comparison())), 4);
  }

  @Test
  @Thorough
  void attacks_drawTheirCharts_onPagesOfTheirOwnAndInAStudys() throws IOException {
    StudyDocuments study = SamplePages.scaleFree();
    StudyCharts charts = StudyCharts.of(study, SamplePages.others());
    for (Map.Entry<AttackDocument, Integer> attack : SampleAttacks.all().entrySet()) {
      String name = attack.getKey().subject().attack();
      assertDrawnWell(written(name, AttackPage.html(attack.getKey())), attack.getValue());
      if (Effort.isThorough() || name.equals("canary")) {
        assertThat(browser.violations()).as(name).isEmpty();
      }
      Path report = written("study-" + name, ReportPage.html(study, charts));
      AttackPage.putInto(report, attack.getKey());
      AttackPage.putInto(report, attack.getKey());
      assertDrawnWell(report, charts.all().size() + attack.getValue());
    }
  }

  private static void assertShownWell(Path page, int charts) throws IOException {
    assertDrawnWell(page, charts);
    assertThat(browser.violations()).as(page.getFileName().toString()).isEmpty();
  }

  private static void assertDrawnWell(Path page, int charts) throws IOException {
    for (int width : new int[] {DESK, PHONE}) {
      browser.size(width, 800);
      browser.load(page);

      String where = page.getFileName() + " at " + width;
      assertThat(browser.complaints).as(where).isEmpty();
      assertThat(browser.requests).as(where).containsExactly(page.toUri().toString());
      assertThat(browser.value(SCROLLED).asInt()).as(where).isZero();
      assertDrawn(where, charts);
    }
  }

  /**
   * Of each chart: the size of its drawing, how many shapes it has, and any text that is cut or
   * lies over another by more than the blank parts of its box.
   */
  private static void assertDrawn(String where, int charts) {
    JsonNode plots =
        browser.value(
            """
            [...document.querySelectorAll('.plot')].map(plot => {
              const svg = plot.querySelector('svg');
              const box = svg.getBoundingClientRect();
              const cut = [...svg.querySelectorAll('text')].filter(text => {
                const t = text.getBoundingClientRect();
                return t.left < box.left - 1 || t.right > box.right + 1
                    || t.top < box.top - 1 || t.bottom > box.bottom + 1;
              }).map(text => text.textContent);
              const boxes = [...svg.querySelectorAll('text')].map(text =>
                  ({said: text.textContent, box: text.getBoundingClientRect()}));
              const over = boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
                  Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1
                  && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 3)
                  .map(b => a.said + ' over ' + b.said));
              return {over, id: plot.id, width: box.width, height: box.height, cut,
                  shapes: svg.querySelectorAll('path').length,
                  closed: !plot.parentElement.querySelector('details').open};
            })
            """);
    assertThat(plots.size()).as(where).isEqualTo(charts);
    for (JsonNode plot : plots) {
      String which = where + ", " + plot.path("id").asString();
      assertThat(plot.path("width").asDouble()).as(which).isGreaterThan(250);
      assertThat(plot.path("height").asDouble()).as(which).isGreaterThan(100);
      // Axes alone are fewer.
      assertThat(plot.path("shapes").asInt()).as(which).isGreaterThan(5);
      assertThat(plot.path("cut").valueStream().map(JsonNode::asString)).as(which).isEmpty();
      assertThat(plot.path("over").valueStream().map(JsonNode::asString)).as(which).isEmpty();
      assertThat(plot.path("closed").asBoolean()).as(which).isTrue();
    }
  }

  @Test
  void withoutScripts_theTablesShowEverything() throws IOException {
    StudyDocuments study = SamplePages.scaleFree();
    StudyCharts charts = StudyCharts.of(study, SamplePages.others());
    Path page = written("tables", ReportPage.html(study, charts));
    browser.size(PHONE, 800);
    browser.scripts(false);
    try {
      browser.load(page);

      assertThat(browser.value("document.querySelectorAll('svg').length").asInt()).isZero();
      assertThat(
              browser
                  .value(
                      "[...document.querySelectorAll('figure table')].filter(t => t.offsetHeight > 20).length")
                  .asInt())
          .isEqualTo(charts.all().size());
      assertThat(browser.value(SCROLLED).asInt()).isZero();
    } finally {
      browser.scripts(true);
    }
  }

  @Test
  void aHostileName_runsNothing() throws IOException {
    String hostile = "</script><script>document.title = 'taken'</script>\u2028<img src=x>";
    StudyDocuments study =
        StudyDocuments.of(Results.of(Results.sweep(hostile, hostile), Path.of("/nowhere/run")));
    Path page =
        written(
            "hostile", ReportPage.html(study, StudyCharts.of(study, SamplePages.others(hostile))));
    browser.size(DESK, 800);
    browser.load(page);

    assertThat(browser.value("document.title").asString()).startsWith("</script>");
    assertThat(browser.requests).containsExactly(page.toUri().toString());
    assertThat(browser.complaints).isEmpty();
    assertThat(browser.value("document.images.length").asInt()).isZero();
  }
}
