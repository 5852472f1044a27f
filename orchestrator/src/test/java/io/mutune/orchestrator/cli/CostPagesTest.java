package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every command on the pages about privacy costs is run, and the page must show what it prints.
 * {@code -Dmutune.pages=write} writes what it prints into the pages, to be read before it is
 * committed.
 */
class CostPagesTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```console\n(.*?)```");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String PROMPT = "$ ./mutune ";

  @ParameterizedTest
  @CsvSource({"docs/accounting.md, 7", "docs/composition-examples.md, 12"})
  void thePage_showsWhatItsCommandsPrint(String name, int fewest) throws IOException {
    Path page = Path.of(System.getProperty("mutune.root", ".")).resolve(name);
    String text = Files.readString(page);
    assertThat(BLOCK.matcher(text).results().mapToLong(CostPagesTest::commands).sum())
        .as("commands on the page")
        .isGreaterThanOrEqualTo(fewest);
    String today =
        BLOCK
            .matcher(text)
            .replaceAll(
                block -> Matcher.quoteReplacement("```console\n" + run(block.group(1)) + "```"));
    if ("write".equals(System.getProperty("mutune.pages"))) {
      Files.writeString(page, today);
    }
    assertThat(text).isEqualTo(today);
  }

  private static long commands(MatchResult block) {
    return block.group(1).lines().filter(line -> line.startsWith(PROMPT)).count();
  }

  /** The commands of a block, each with what it prints. */
  private static String run(String block) {
    StringBuilder today = new StringBuilder();
    for (String line : block.lines().filter(each -> each.startsWith(PROMPT)).toList()) {
      CommandRun run = CommandRun.of(words(line.substring(PROMPT.length())));
      today.append(line).append('\n').append(run.out()).append(run.err());
    }
    return today.toString();
  }

  /** As a shell splits them: single quotes hold a word together. */
  private static String[] words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words.toArray(String[]::new);
  }
}
