package io.mutune.orchestrator.cli.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Accountant;
import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cost.Decimal;
import io.mutune.orchestrator.cost.Keys;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that every command of {@code mutune cost} has: how it prints, under which neighbours,
 * by which accountant. A value that makes no sense is a usage error that names its rule.
 */
abstract class CostQuestionCommand extends CliCommand {
  /** The forms, named as the option takes them. */
  enum Form {
    TEXT,
    JSON
  }

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "how to print the answer (default: text)",
      defaultValue = "text")
  private Form form = Form.TEXT;

  @Option(
      names = "--adjacency",
      paramLabel = "add-remove|replace-one",
      description =
          "which data sets are neighbours (default: add-remove); replacing a row doubles the"
              + " sensitivity of a sum",
      defaultValue = "add-remove")
  private String adjacency = "add-remove";

  @Option(
      names = "--with",
      paramLabel = "ACCOUNTANT",
      description = "gdp, pld, rdp, zcdp, advanced or basic (default: the tightest that applies)")
  private @Nullable String accountant;

  @Override
  public final Integer call() throws IOException {
    try {
      out().print(answer());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    return ExitCode.DONE;
  }

  /**
   * The whole answer as it is printed.
   *
   * @throws IllegalArgumentException if a value makes no sense; the message names rule and value
   */
  abstract String answer() throws IOException;

  final boolean json() {
    return form == Form.JSON;
  }

  final Adjacency adjacency() {
    return Keys.adjacency(adjacency);
  }

  final Optional<Accountant> by() {
    return Optional.ofNullable(accountant).map(Keys::accountant);
  }

  /** The value of an option that this question needs. */
  static Decimal needed(String option, @Nullable String text) {
    if (text == null) {
      throw new IllegalArgumentException(option + " is missing");
    }
    return Decimal.of(option, text);
  }
}
