package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelpCommandTest {
  private static final Path BASH = Path.of("/bin/bash");

  @ParameterizedTest
  @ValueSource(strings = {"run", "data add", "cost gaussian", "completion"})
  void helpOfACommand_isWhatItsOptionPrints(String command) {
    String asked = CommandRun.of(("help " + command).split(" ")).succeeded().out();
    assertThat(asked).isEqualTo(CommandRun.of((command + " --help").split(" ")).out());
    assertThat(asked).startsWith("Usage: mutune " + command);
  }

  @Test
  void helpAlone_listsAllCommands() {
    assertThat(CommandRun.of("help").succeeded().out())
        .isEqualTo(CommandRun.of("--help").out())
        .contains("  validate ", "  completion ");
  }

  @Test
  void whatIsNoCommand_isNamedWithThoseThatThereAre() {
    assertThat(CommandRun.of("help", "data", "ad").failedWith(ExitCode.INVALID))
        .startsWith("mutune: there is no command 'ad' below 'mutune data'; there are: draft, add,");
    assertThat(CommandRun.of("help", "run", "it").failedWith(ExitCode.INVALID))
        .isEqualTo("mutune: there is nothing below 'mutune run'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rnu | there is no command 'rnu'; did you mean run? | mutune help",
        "frobnicate | there is no command 'frobnicate' | mutune help",
        "data ad card.yaml | there is no command 'data ad'; did you mean add? | mutune help data",
        "token list x | Unmatched argument at index 2: 'x' | mutune token list --help",
        "account list | there is no command 'account list'; there are: create, show, history"
            + " | mutune help account",
        "token shw | there is no command 'token shw'; there are: create, list, revoke"
            + " | mutune help token"
      })
  void aMistypedCommand_isAnsweredInTwoLines(String words, String message, String more) {
    assertThat(CommandRun.of(words.split(" ")).toldWhy(ExitCode.INVALID).lines())
        .startsWith("mutune: " + message)
        .last()
        .asString()
        .startsWith("'" + more + "' ");
  }

  @Test
  void aMissingWord_isToldWithTheCommandsWordsAlone() {
    assertThat(CommandRun.of("validate").toldWhy(ExitCode.INVALID).lines())
        .hasSizeLessThan(8)
        .startsWith("mutune: Missing required parameter: 'SWEEP'")
        .anyMatch(line -> line.startsWith("Usage: mutune validate "))
        .endsWith("'mutune validate --help' says more");
    assertThat(CommandRun.of("data").toldWhy(ExitCode.INVALID)).contains("  draft  ");
  }

  @Test
  void aVersion_namesJavaAndWhatComputes() {
    assertThat(CommandRun.of("--version").succeeded().out().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("Java " + System.getProperty("java.version")))
        .anyMatch(line -> line.matches("engine: (kernel|nd4j .*)"));
  }

  @Test
  void bash_completesCommandsAndOptionsByTheScript(@TempDir Path folder) throws Exception {
    assumeTrue(Files.isExecutable(BASH), "there is no Bash");
    Path script = folder.resolve("mutune.bash");
    Files.writeString(script, CommandRun.of("completion").succeeded().out());
    assertThat(completed(script, "mutune", "vali")).contains("validate");
    assertThat(completed(script, "mutune", "status", "--for")).contains("--format");
  }

  private static String completed(Path script, String... words) throws Exception {
    String line =
        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_mutune; echo \"${COMPREPLY[*]}\""
            .formatted(script, String.join(" ", words), words.length - 1);
    Process bash = new ProcessBuilder(BASH.toString(), "-c", line).start();
    return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
