package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * What holds for every page of the documentation: lines, links, index, commands, keys and names.
 */
class DocsTest {
  private static final Path ROOT = Path.of(System.getProperty("mutune.root", "."));
  private static final int LONGEST = 120;

  /** A fence, its language, and what is between the fences. */
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\w*)\n(.*?)^ *```$");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)`");

  /** Words in the form of a class of this project that are none. */
  private static final Set<String> NO_CLASSES = Set.of("COUNTxEPSILON", "Origin", "SecureRandom");

  @Test
  void everyLine_hasAtMost120Characters() throws IOException {
    List<String> longer = new ArrayList<>();
    for (Path page : pages()) {
      // What a command prints stays as it is.
      String text =
          BLOCK
              .matcher(Files.readString(page))
              .replaceAll(
                  block ->
                      block.group(1).equals("console")
                          ? ""
                          : Matcher.quoteReplacement(block.group()));
      text.lines()
          .filter(line -> line.codePointCount(0, line.length()) > LONGEST)
          .forEach(line -> longer.add(page.getFileName() + ": " + line));
    }
    assertThat(longer).isEmpty();
  }

  @Test
  void everyLink_leadsToAFileAndAHeadingThatAreThere() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages = new ArrayList<>(pages());
    pages.addAll(pagesIn(ROOT.resolve("docs/results")));
    for (Path page : pages) {
      for (String link : found(LINK, prose(page))) {
        if (link.startsWith("https://")) {
          continue;
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file);
        if (!Files.exists(target)
            || (hash >= 0 && !anchors(target).contains(link.substring(hash + 1)))) {
          broken.add(page.getFileName() + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPage_isInTheIndex() throws IOException {
    List<String> index = found(LINK, prose(ROOT.resolve("docs/README.md")));
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      assertThat(name.equals("README.md") || name.equals("CONTRIBUTING.md") || index.contains(name))
          .as(name)
          .isTrue();
    }
  }

  @Test
  void everyCommand_isOnThePageOfCommands() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/commands.md"));
    assertThat(found(Pattern.compile("\\b([a-z]+)\\b"), page))
        .containsAll(
            commands(MutuneCommand.commandLine())
                .map(CommandLine::getCommandName)
                .filter(name -> !name.equals("help"))
                .toList());
  }

  @Test
  void everyKeyAndNameOfTheSweepFile_isInItsReference() throws IOException {
    StringBuilder reference = new StringBuilder();
    for (String page :
        List.of(
            "sweep-format sweep-keys data-card search-strategies training-methods features"
                .split(" "))) {
      reference.append(Files.readString(ROOT.resolve("docs/" + page + ".md")));
    }
    Set<String> words =
        new HashSet<>(found(Pattern.compile("([A-Za-z][A-Za-z0-9-]*)"), reference.toString()));
    words.add("yes"); // YAML's other words for true
    Set<String> keys = new HashSet<>();
    collect(new ObjectMapper().readTree(ROOT.resolve("docs/sweep.schema.json").toFile()), keys);
    assertThat(keys).hasSizeGreaterThan(150);
    assertThat(words).containsAll(keys);
  }

  /** A third of what it was when it had every key; the rest is found by name in the references. */
  @Test
  void thePageOfTheSweepFile_isReadInFiveMinutes() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/sweep-format.md"));
    assertThat(page.strip().split("\\s+")).hasSizeLessThanOrEqualTo(1053);
  }

  /** The names of a schema's properties, and the texts that they may have. */
  private static void collect(JsonNode schema, Set<String> names) {
    names.addAll(schema.path("properties").propertyNames());
    schema.path("enum").forEach(value -> names.add(value.asString()));
    schema.forEach(below -> collect(below, names));
  }

  @Test
  void everyClassThatIsNamed_isThere() throws IOException {
    Set<String> known = new HashSet<>(NO_CLASSES);
    try (Stream<Path> files = Files.walk(ROOT)) {
      files
          .map(Path::toString)
          .filter(file -> file.contains("/src/") && file.endsWith(".java"))
          .forEach(file -> known.add(file.substring(file.lastIndexOf('/') + 1, file.length() - 5)));
    }
    for (Path page : pages()) {
      assertThat(known).as(page.getFileName().toString()).containsAll(found(CLASS, prose(page)));
    }
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(DocsTest::commands));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(pagesIn(ROOT.resolve("docs")));
    pages.addAll(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
    return pages;
  }

  private static List<Path> pagesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** A page without what is between fences. */
  private static String prose(Path page) throws IOException {
    return BLOCK.matcher(Files.readString(page)).replaceAll("");
  }

  /** The anchors of a page's headings, as the usual viewers make them. */
  private static Set<String> anchors(Path page) throws IOException {
    return found(HEADING, prose(page)).stream()
        .map(heading -> heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1"))
        .map(heading -> heading.toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }
}
