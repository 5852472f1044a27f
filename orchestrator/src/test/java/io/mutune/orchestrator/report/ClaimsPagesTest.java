package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ClaimsDocument;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.reproduce.ClaimResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of results in the documentation: made from their documents, and by nobody's hand. */
class ClaimsPagesTest {
  private static final Path RESULTS =
      Path.of(System.getProperty("mutune.root", ".")).resolve("docs/results");

  @Test
  void everyPage_isThatOfItsDocument() throws IOException {
    List<ClaimsDocument> documents = ClaimsIndex.documents(RESULTS);

    assertThat(documents).isNotEmpty();
    for (ClaimsDocument document : documents) {
      assertThat(RESULTS.resolve(document.name() + ".md")).hasContent(ClaimsPage.page(document));
      assertThat(RESULTS.resolve(document.name() + ".json")).hasContent(Json.write(document));
    }
  }

  private static ClaimResult claim(
      String name, OptionalDouble value, OptionalDouble low, OptionalDouble high) {
    return new ClaimResult(
        name,
        Optional.empty(),
        OptionalDouble.of(0.8),
        Optional.of(
            new ClaimResult.Ours(value, low, high, 10, OptionalDouble.of(1), OptionalDouble.of(1))),
        "",
        Optional.empty());
  }

  @Test
  void aBarThatIsFarLonger_orHasNoEnd_goesOnBeyondTheAxis_andWhatHasNoMeanIsNamed(
      @TempDir Path folder) throws IOException {
    OptionalDouble none = OptionalDouble.empty();
    OptionalDouble mean = OptionalDouble.of(0.9);
    ClaimsDocument document =
        new ClaimsDocument(
            "drawn",
            "Drawn",
            Optional.of("A paper"),
            Optional.empty(),
            "None.",
            "error-reduction",
            "./mutune reproduce drawn",
            List.of(),
            false,
            1,
            List.of(
                claim("usual", mean, OptionalDouble.of(0.85), OptionalDouble.of(0.95)),
                claim("far", mean, OptionalDouble.of(-20), OptionalDouble.of(0.95)),
                claim("open", mean, OptionalDouble.of(0.7), none),
                claim("bare", none, none, none)));

    Chart chart = ClaimsPage.chart(document).orElseThrow();
    Plot.Strips plot = (Plot.Strips) chart.plot();
    assertThat(plot.strips()).extracting(Plot.Strip::label).containsExactly("usual", "far", "open");
    assertThat(plot.x().min()).isBetween(0.0, 0.7);
    assertThat(plot.x().max()).isBetween(0.95, 1.5);
    assertThat(plot.strips().get(2).high()).isInfinite();
    assertThat(chart.summary())
        .contains("A bar with an arrow goes on", "Not drawn, since there is no mean: `bare`.");
    ClaimsPage.write(document, Files.createDirectory(folder.resolve("results")));
    assertThat(folder.resolve("results/drawn.md"))
        .content()
        .contains(
            "A diamond is our mean, the bar its 95% interval. A ring is the published figure.");
    String svg = Files.readString(folder.resolve("results/figures/drawn.svg"));
    assertThat(svg).contains("</svg>").doesNotContain("NaN", "Infinity");
    int ticks = plot.x().ticks().length;
    assertThat(count(svg, "stroke:rgb(221,221,221)")).as("grid").isEqualTo(ticks);
    // Texts are the title, the axis, three names and the ticks.
    assertThat(count(svg, "<g transform")).as("texts").isEqualTo(5 + ticks);
    // Three bars, and two lines for the head of each of two arrows.
    assertThat(count(svg, "stroke-width:2;")).as("bars and arrows").isEqualTo(3 + 4);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void theListOfResults_isMadeFromTheDocuments_andShort() throws IOException {
    String list = Files.readString(ClaimsIndex.fileOf(RESULTS));

    assertThat(list).isEqualTo(ClaimsIndex.text(RESULTS));
    assertThat(list.lines().count()).isLessThanOrEqualTo(150);
  }
}
