package io.mutune.orchestrator.report;

import io.mutune.orchestrator.report.ClaimsDocument.Entry;
import io.mutune.orchestrator.report.ClaimsDocument.Ours;
import io.mutune.orchestrator.report.Plot.Strip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.WordUtils;

/** Pages of claims in Markdown, each from its document alone, and one that lists them all. */
public final class ClaimsPage {
  private static final String JSON = ".json";
  private static final String MARKDOWN = ".md";
  private static final String INDEX = "README.md";
  private static final String FIGURES = "figures";

  /** Of a line of text, less what continues an item. */
  private static final int WIDTH = 118;

  private ClaimsPage() {}

  /**
   * Leaves {@code NAME.json}, {@code NAME.md} and its figure in a folder, and lists all pages that
   * are there.
   *
   * @param folder made if need be
   */
  public static void write(ClaimsDocument document, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(document.name() + JSON), Json.write(document));
    List<Chart> charts = chart(document).stream().toList();
    Figures.write(charts, folder.resolve(FIGURES));
    Files.writeString(
        folder.resolve(document.name() + MARKDOWN), page(document, !charts.isEmpty()));
    Files.writeString(folder.resolve(INDEX), index(folder));
  }

  private static String page(ClaimsDocument document, boolean drawn) {
    StringBuilder text = new StringBuilder("# " + document.title() + "\n\n");
    text.append(
            paragraph(
                document.paper()
                    + ". The figure is "
                    + words(document.figure())
                    + ", with its 95% interval over the repeats."))
        .append('\n');
    text.append(table(document).markdown()).append('\n');
    if (drawn) {
      text.append("![").append(document.title()).append("](").append(FIGURES).append('/');
      text.append(document.name()).append(".svg)\n\n");
    }
    says(document).ifPresent(lines -> text.append(lines).append('\n'));
    reasons(document, "worse", "## Why some are worse").ifPresent(text::append);
    reasons(document, "not obtainable", "## Not obtainable").ifPresent(text::append);
    text.append("## How it was made\n\n");
    text.append(paragraph("**What the paper's ε counts.** " + document.counted())).append('\n');
    text.append(paragraph("**Seeds and choices.** " + document.seeds())).append('\n');
    text.append(
            paragraph(
                "**Again.** "
                    + DisplayNumber.time(document.seconds())
                    + " in all, with "
                    + String.join("; ", document.made())
                    + "."))
        .append('\n');
    text.append("```sh\n").append(document.command()).append("\n```\n");
    return text.toString();
  }

  private static String paragraph(String text) {
    return WordUtils.wrap(text, WIDTH, "\n", false) + "\n";
  }

  private static String item(String text) {
    return WordUtils.wrap("- " + text, WIDTH, "\n  ", false) + "\n";
  }

  private static String words(String figure) {
    return figure.replace('-', ' ');
  }

  private static DataTable table(ClaimsDocument document) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (Entry claim : document.claims()) {
      Optional<Ours> ours = claim.ours();
      rows.add(
          DataTable.row(
              claim.name(),
              claim.published().isPresent() ? document.shown(claim.published().getAsDouble()) : "",
              ours.map(our -> document.shown(our.value())).orElse(""),
              ours.map(our -> interval(document, our)).orElse(""),
              ours.map(our -> Integer.toString(our.repeats())).orElse(""),
              ours.map(our -> DisplayNumber.epsilon(our.epsilon())).orElse(""),
              ours.map(our -> DisplayNumber.epsilon(our.finalEpsilon())).orElse(""),
              claim.verdict()));
    }
    return new DataTable(
        List.of(
            "claim",
            "published",
            "ours",
            "95%",
            "repeats",
            "ε, all counted",
            "ε, last run alone",
            "verdict"),
        rows);
  }

  private static String interval(ClaimsDocument document, Ours ours) {
    String low = ours.low().isPresent() ? document.shown(ours.low().getAsDouble()) : "";
    String high = ours.high().isPresent() ? document.shown(ours.high().getAsDouble()) : "";
    if (low.isEmpty() || high.isEmpty()) {
      return low.isEmpty() ? high.isEmpty() ? "no bound" : "below " + high : "above " + low;
    }
    return low + " to " + high;
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
    for (Entry claim : document.claims()) {
      if (claim.verdict().equals(verdict)) {
        String why = claim.why().map(String::strip).orElse("Not known.");
        byReason.computeIfAbsent(why, reason -> new ArrayList<>()).add("`" + claim.name() + "`");
      }
    }
    if (byReason.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder(title + "\n\n");
    byReason.forEach(
        (why, names) ->
            text.append("- ")
                .append(String.join(", ", names))
                .append(": ")
                .append(why)
                .append('\n'));
    return Optional.of(text.append('\n').toString());
  }

  /** Ours with intervals, and the published figures as a ring beside them. */
  private static Optional<Chart> chart(ClaimsDocument document) {
    List<Strip> strips = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    for (Entry claim : document.claims()) {
      Ours ours = claim.ours().orElse(null);
      if (ours == null || ours.low().isEmpty() || ours.high().isEmpty()) {
        continue;
      }
      List<Double> published = claim.published().stream().boxed().toList();
      double low = ours.low().getAsDouble();
      double high = ours.high().getAsDouble();
      strips.add(new Strip(claim.name(), ours.value(), low, high, published));
      all.addAll(List.of(low, high));
      all.addAll(published);
    }
    if (strips.isEmpty()) {
      return Optional.empty();
    }
    Axis x = Axis.linear(words(document.figure()), all.stream().mapToDouble(v -> v).toArray());
    boolean plain = document.shown(1).equals(DisplayNumber.value(1));
    return Optional.of(
        new Chart(
            document.name(),
            document.title(),
            "A diamond is our mean, with its 95% interval; a ring is the published figure.",
            new Plot.Strips(plain ? x : x.inPercent(), strips, List.of()),
            table(document)));
  }

  /** Of all documents in the folder. */
  private static String index(Path folder) throws IOException {
    List<DataTable.Row> rows = new ArrayList<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> documents = files.filter(file -> file.toString().endsWith(JSON)).sorted().toList();
      for (Path file : documents) {
        ClaimsDocument document = Json.read(Files.readString(file), ClaimsDocument.class);
        Map<String, Integer> own = new LinkedHashMap<>();
        for (Entry claim : document.claims()) {
          String verdict = claim.verdict().isEmpty() ? "without a figure" : claim.verdict();
          own.merge(verdict, 1, Integer::sum);
          counts.merge(verdict, 1, Integer::sum);
        }
        rows.add(
            DataTable.row(
                "[" + document.title() + "](" + document.name() + MARKDOWN + ")",
                document.paper(),
                Integer.toString(document.claims().size()),
                counted(own) + (document.quick() ? " (quick)" : "")));
      }
    }
    return "# Claims of papers, tried here\n\n"
        + paragraph(
            counted(counts)
                + ". Every look at the rows is charged; the pages say what the papers count.")
        + "\n"
        + new DataTable(List.of("page", "paper", "claims", "verdicts"), rows).markdown();
  }

  private static String counted(Map<String, Integer> verdicts) {
    return verdicts.entrySet().stream()
        .map(verdict -> verdict.getValue() + " " + verdict.getKey())
        .collect(Collectors.joining(", "));
  }
}
