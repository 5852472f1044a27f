package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ClaimsDocument;
import io.mutune.orchestrator.reproduce.ClaimResult;
import io.mutune.orchestrator.reproduce.ClaimResult.Ours;
import io.mutune.orchestrator.reproduce.Verdict;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/** The page that lists a folder's pages of claims, from their documents alone. */
final class ClaimsIndex {
  static final String JSON = ".json";

  /** A table of more rows is left to its own page. */
  private static final int MOST_ROWS = 8;

  /** So is a drawing of more bars, or of one alone. */
  private static final int MOST_BARS = 16;

  private static final String BEGIN = "# Results\n\n";

  private ClaimsIndex() {}

  /** Where it stands: beside the folder, under its name. */
  static Path fileOf(Path folder) {
    Path whole = folder.toAbsolutePath().normalize();
    return whole.resolveSibling(whole.getFileName() + ".md");
  }

  /** What is in the way of a folder's pages, in a sentence: a file, another page or documents. */
  static Optional<String> problem(Path folder) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      return Optional.of(folder + ": is where pages go, and is no folder; give another --output");
    }
    Path page = fileOf(folder);
    if (Files.exists(page) && !Files.readString(page).startsWith(BEGIN)) {
      return Optional.of(
          page
              + ": is where the list of results goes, and is another page; move it or give another --output");
    }
    try {
      if (Files.isDirectory(folder)) {
        documents(folder);
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  static String text(Path folder) throws IOException {
    String below = folder.toAbsolutePath().normalize().getFileName() + "/";
    List<ClaimsDocument> documents = documents(folder);
    List<DataTable.Row> own = new ArrayList<>();
    StringBuilder papers = new StringBuilder();
    StringBuilder pictures = new StringBuilder();
    Map<String, Integer> all = new HashMap<>();
    for (ClaimsDocument document : documents) {
      long lines = document.claims().stream().filter(claim -> claim.ours().isPresent()).count();
      String link = "[" + document.title() + "](" + below + document.name() + ".md)";
      if (document.paper().isPresent()) {
        Map<String, Integer> verdicts = new HashMap<>();
        for (ClaimResult claim : document.claims()) {
          verdicts.merge(claim.verdict(), 1, Integer::sum);
          all.merge(claim.verdict(), 1, Integer::sum);
        }
        papers.append(
            ClaimsPage.item(
                link
                    + ", "
                    + document.paper().get()
                    + ": "
                    + counted(verdicts)
                    + (document.quick() ? " (few repeats)" : "")
                    + "."));
      } else {
        String figure = " (" + ClaimsPage.words(document.figure()) + ")";
        String count = lines > MOST_ROWS ? lines + " figures" : "";
        own.add(DataTable.row("**" + link + "**" + figure, count, "", "", ""));
        if (lines <= MOST_ROWS) {
          own.addAll(figures(document));
        }
      }
      if (document.paper().isPresent() && lines > 1 && lines <= MOST_BARS) {
        pictures.append(ClaimsPage.picture(document, below)).append('\n');
      }
    }
    StringBuilder text = new StringBuilder(BEGIN);
    text.append(
        ClaimsPage.paragraph(
            "Made by `mutune reproduce`. Every ε counts everything that led to the model: trials,"
                + " scores and the final run. Each page has its intervals, its seeds, what it cost"
                + " by both ways of counting, and the line that makes it again."));
    if (!own.isEmpty()) {
      text.append("\n## Figures of its own\n\n")
          .append(new DataTable(List.of("", "mean", "95%", "studies", "ε"), own).markdown());
    }
    if (!papers.isEmpty()) {
      text.append("\n## Claims of papers\n\n");
      text.append(
              ClaimsPage.paragraph(
                  counted(all)
                      + ". A verdict is by the 95% interval of our mean; reasons for what is worse"
                      + " are on the pages."))
          .append('\n');
      text.append(papers).append('\n').append(pictures);
    }
    return text.toString().stripTrailing() + "\n";
  }

  static List<ClaimsDocument> documents(Path folder) throws IOException {
    List<ClaimsDocument> documents = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(JSON)).sorted().toList()) {
        documents.add(document(file));
      }
    }
    return documents;
  }

  private static ClaimsDocument document(Path file) throws IOException {
    try {
      return Json.read(Files.readString(file), ClaimsDocument.class);
    } catch (JacksonException | CharacterCodingException e) {
      throw new IOException(file + ": is no document of results; move it elsewhere", e);
    }
  }

  private static List<DataTable.Row> figures(ClaimsDocument document) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (ClaimResult claim : document.claims()) {
      if (claim.ours().isPresent()) {
        Ours ours = claim.ours().get();
        rows.add(
            DataTable.row(
                claim.name(),
                document.shown(ours),
                ClaimsPage.interval(document, ours),
                Integer.toString(ours.repeats()),
                ClaimsPage.epsilon(ours.epsilon())));
      }
    }
    return rows;
  }

  private static String counted(Map<String, Integer> verdicts) {
    return Arrays.stream(Verdict.values())
        .filter(verdict -> verdicts.containsKey(verdict.word()))
        .map(
            verdict ->
                verdicts.get(verdict.word())
                    + " "
                    + (verdict == Verdict.NONE ? "without a verdict" : verdict.word()))
        .collect(Collectors.joining(", "));
  }
}
