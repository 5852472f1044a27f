package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ClaimsDocument;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Figures;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Strip;
import io.mutune.orchestrator.reproduce.ClaimResult;
import io.mutune.orchestrator.reproduce.ClaimResult.Ours;
import io.mutune.trainer.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.commons.text.WordUtils;

/** Pages of claims in Markdown, each from its document alone. */
public final class ClaimsPage {
  private static final String FIGURES = "figures";

  /** Of a line of text, less what continues an item. */
  private static final int WIDTH = 118;

  private ClaimsPage() {}

  /** What is in the way of pages in a folder, in a sentence: to be asked before the figures are. */
  public static Optional<String> problem(Path folder) throws IOException {
    return ClaimsIndex.problem(folder);
  }

  /**
   * Leaves {@code NAME.json}, {@code NAME.md} and its figure in a folder, and beside the folder a
   * page under its name that lists all that are in it.
   *
   * @param folder made if need be
   */
  public static void write(ClaimsDocument document, Path folder) throws IOException {
    Files.createDirectories(folder);
    WholeFile.make(
        folder.resolve(document.name() + ClaimsIndex.JSON),
        file -> Files.writeString(file, Json.write(document)));
    Figures.write(chart(document).stream().toList(), folder.resolve(FIGURES));
    Files.writeString(folder.resolve(document.name() + ".md"), page(document));
    Files.writeString(ClaimsIndex.fileOf(folder), ClaimsIndex.text(folder));
  }

  static String page(ClaimsDocument document) {
    StringBuilder text = new StringBuilder("# " + document.title() + "\n\n");
    text.append(
            paragraph(
                document.paper().map(paper -> paper + ". ").orElse("")
                    + "The figure is "
                    + words(document.figure())
                    + ", with its 95% interval over the repeats."))
        .append('\n');
    text.append(table(document).markdown()).append('\n');
    chart(document)
        .ifPresent(
            chart ->
                text.append(picture(document, ""))
                    .append('\n')
                    .append(paragraph(chart.summary()))
                    .append('\n'));
    says(document).ifPresent(lines -> text.append(lines).append('\n'));
    reasons(document, "worse", "## Why some are worse").ifPresent(text::append);
    reasons(document, "not obtainable", "## Not obtainable").ifPresent(text::append);
    reasons(document, "not tried", "## Not tried").ifPresent(text::append);
    text.append("## How it was made\n\n");
    document
        .counted()
        .map(counted -> paragraph("**What the paper's ε counts.** " + counted) + "\n")
        .ifPresent(text::append);
    text.append(paragraph("**Seeds and choices.** " + document.seeds())).append('\n');
    text.append(
            paragraph(
                "**Again.** "
                    + DisplayNumber.time(document.seconds())
                    + " for its studies, added up; with "
                    + String.join("; ", document.made())
                    + "."))
        .append('\n');
    text.append("```sh\n").append(document.command()).append("\n```\n");
    return text.toString();
  }

  /**
   * A document's figure as a line of Markdown.
   *
   * @param folder of the page, as seen from where the line stands, with a slash at its end
   */
  static String picture(ClaimsDocument document, String folder) {
    return "![%s](%s%s/%s.svg)\n".formatted(document.title(), folder, FIGURES, document.name());
  }

  static String paragraph(String text) {
    return WordUtils.wrap(text, WIDTH, "\n", false) + "\n";
  }

  static String item(String text) {
    return WordUtils.wrap("- " + text, WIDTH, "\n  ", false) + "\n";
  }

  static String words(String figure) {
    return figure.replace('-', ' ');
  }

  private static DataTable table(ClaimsDocument document) {
    boolean published = document.paper().isPresent();
    List<String> head = new ArrayList<>(List.of(published ? "claim" : "figure"));
    if (published) {
      head.add("published");
    }
    head.addAll(List.of("ours", "95%", "repeats", "ε, all counted", "ε, last run alone"));
    if (published) {
      head.add("verdict");
    }
    List<DataTable.Row> rows = new ArrayList<>();
    for (ClaimResult claim : document.claims()) {
      List<String> cells = new ArrayList<>();
      if (published) {
        cells.add(DisplayNumber.ifPresent(claim.published(), document::shown));
      }
      cells.addAll(
          claim
              .ours()
              .map(
                  our ->
                      List.of(
                          document.shown(our),
                          interval(document, our),
                          Integer.toString(our.repeats()),
                          epsilon(our.epsilon()),
                          epsilon(our.finalEpsilon())))
              .orElse(List.of("", "", "", "", "")));
      if (published) {
        cells.add(claim.verdict());
      }
      rows.add(new DataTable.Row(claim.name(), cells));
    }
    return new DataTable(head, rows);
  }

  static String epsilon(OptionalDouble epsilon) {
    return epsilon.isPresent() ? DisplayNumber.epsilon(epsilon.getAsDouble()) : "none holds";
  }

  static String interval(ClaimsDocument document, Ours ours) {
    return DisplayNumber.interval(ours.low(), ours.high(), document::shown);
  }

  private static Optional<String> says(ClaimsDocument document) {
    String lines =
        document.claims().stream()
            .filter(claim -> claim.says().isPresent())
            .map(claim -> item("`" + claim.name() + "`: " + claim.says().orElseThrow().strip()))
            .collect(Collectors.joining());
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines);
  }

  private static Optional<String> reasons(ClaimsDocument document, String verdict, String title) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    for (ClaimResult claim : document.claims()) {
      if (claim.verdict().equals(verdict)) {
        String why = claim.why().map(String::strip).orElse("Not known.");
        byReason.computeIfAbsent(why, reason -> new ArrayList<>()).add("`" + claim.name() + "`");
      }
    }
    if (byReason.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder(title + "\n\n");
    byReason.forEach((why, names) -> text.append(item(String.join(", ", names) + ": " + why)));
    return Optional.of(text.append('\n').toString());
  }

  /** Ours with intervals, and the published figures as a ring beside them. */
  static Optional<Chart> chart(ClaimsDocument document) {
    List<Strip> strips = new ArrayList<>();
    List<String> without = new ArrayList<>();
    for (ClaimResult claim : document.claims()) {
      Ours ours = claim.ours().orElse(null);
      if (ours != null && ours.value().isPresent()) {
        strips.add(
            new Strip(
                claim.name(),
                ours.value().getAsDouble(),
                ours.low().orElse(Double.NEGATIVE_INFINITY),
                ours.high().orElse(Double.POSITIVE_INFINITY),
                claim.published().stream().boxed().toList()));
      } else if (ours != null) {
        without.add("`" + claim.name() + "`");
      }
    }
    if (strips.isEmpty()) {
      return Optional.empty();
    }
    boolean shares = !document.shown(1).equals(DisplayNumber.value(1));
    Axis x = Axis.linear(words(document.figure()), drawn(strips)).inPercent(shares);
    StringBuilder summary = new StringBuilder("A diamond is our mean, the bar its 95% interval.");
    if (strips.stream().anyMatch(strip -> !strip.values().isEmpty())) {
      summary.append(" A ring is the published figure.");
    }
    if (strips.stream().anyMatch(strip -> !x.holds(strip.low()) || !x.holds(strip.high()))) {
      summary.append(" A bar with an arrow goes on; the table says how far.");
    }
    if (!without.isEmpty()) {
      summary.append(" Not drawn, since there is no mean: " + String.join(", ", without) + ".");
    }
    return Optional.of(
        new Chart(
            document.name(),
            document.title(),
            summary.toString(),
            new Plot.Strips(x, strips, List.of()),
            table(document)));
  }

  /**
   * All figures, and ends of intervals as far as they leave the figures room: the longer of the
   * range of the figures and three times the length of the shorter intervals beyond them.
   */
  private static double[] drawn(List<Strip> strips) {
    double[] figures =
        strips.stream()
            .flatMapToDouble(
                strip ->
                    DoubleStream.concat(
                        DoubleStream.of(strip.value()),
                        strip.values().stream().mapToDouble(value -> value)))
            .sorted()
            .toArray();
    double[] lengths =
        strips.stream().mapToDouble(strip -> strip.high() - strip.low()).sorted().toArray();
    double least = figures[0];
    double most = figures[figures.length - 1];
    double beyond = Math.max(most - least, 3 * lengths[(lengths.length - 1) / 3]);
    return DoubleStream.concat(
            DoubleStream.of(figures),
            strips.stream()
                .flatMapToDouble(strip -> DoubleStream.of(strip.low(), strip.high()))
                .filter(Double::isFinite)
                .map(end -> Math.max(least - beyond, Math.min(most + beyond, end))))
        .toArray();
  }
}
