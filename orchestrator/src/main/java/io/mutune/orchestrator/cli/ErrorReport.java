package io.mutune.orchestrator.cli;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.display.NearestWord;
import io.mutune.orchestrator.schedule.StudyStateException;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.trainer.data.UnreadableRowsException;
import io.mutune.trainer.network.EncoderFailedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns what went wrong into a line on standard error and an exit status. A user's mistake never
 * shows a stack trace; a mistake of ours always does.
 *
 * @param usage says what is wrong with a command that has others, and shows these
 */
record ErrorReport(IParameterExceptionHandler usage)
    implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final String FORMAT = "--format";
  private static final String JSON = "json";

  /** So many commands fit into a line. */
  private static final int MOST_NAMED = 12;

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    int code = code(e);
    Optional<String> memory =
        code == CommandLine.ExitCode.SOFTWARE ? ofMemory(e) : Optional.empty();
    boolean isBug = code == CommandLine.ExitCode.SOFTWARE && memory.isEmpty();
    String message = memory.orElseGet(() -> message(e));
    if (isBug) {
      command.getErr().println("mutune: this is a bug in Mutune, please report it:");
      e.printStackTrace(command.getErr());
    }
    if (asksForJson(parsed.originalArgs())) {
      command.getErr().println(json(e, message, code));
    } else if (e instanceof InvalidSweepException) {
      command.getErr().println(e.getMessage());
    } else if (!isBug) {
      command.getErr().println("mutune: " + message);
    }
    command.getErr().flush();
    return code;
  }

  /** What to say where memory was too little, on whichever thread that was noticed. */
  static Optional<String> ofMemory(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
        .filter(OutOfMemoryError.class::isInstance)
        .map(
            e ->
                "not enough memory (%s): give Java more, as by MUTUNE_JAVA_OPTS=-Xmx4g"
                    .formatted(e.getMessage()))
        .findFirst();
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) throws Exception {
    CommandLine command = e.getCommandLine();
    if (asksForJson(List.of(arguments))) {
      command.getErr().println(json(e, message(e), ExitCode.INVALID));
    } else if (command.getSubcommands().isEmpty()) {
      shortUsage(e, command);
    } else if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().get(0).startsWith("-")) {
      unknownCommand(unmatched.getUnmatched().get(0), command);
    } else {
      return usage.handleParseException(e, arguments); // which names the commands
    }
    command.getErr().flush();
    return ExitCode.INVALID;
  }

  /** Of few commands all are named; of many the one that was probably meant. */
  private static void unknownCommand(String word, CommandLine command) {
    Set<String> known = command.getSubcommands().keySet();
    String below = command.getCommandSpec().qualifiedName().replaceFirst("^\\S+ ?", "");
    command
        .getErr()
        .printf(
            "mutune: there is no command '%s'%s%n",
            (below + " " + word).strip(),
            NearestWord.advice(word, known)
                .orElse(
                    known.size() > MOST_NAMED ? "" : "; there are: " + String.join(", ", known)));
    command.getErr().println("'" + ("mutune help " + below).strip() + "' lists the commands");
  }

  private static void shortUsage(ParameterException e, CommandLine command) {
    command.getErr().println("mutune: " + message(e));
    if (!UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
      CommandLine.Help help = command.getHelp();
      command.getErr().print(help.synopsisHeading() + help.synopsis(help.synopsisHeadingLength()));
    }
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("'" + name + " --help' says more");
  }

  /** Whoever asks for the answer as JSON is a program, and has errors so too. */
  private static boolean asksForJson(List<String> arguments) {
    int option = arguments.indexOf(FORMAT);
    return arguments.stream().anyMatch((FORMAT + "=" + JSON)::equalsIgnoreCase)
        || (option >= 0
            && option + 1 < arguments.size()
            && arguments.get(option + 1).equalsIgnoreCase(JSON));
  }

  /** On one line, so that it is the last one whatever was said before it. */
  private static String json(Exception e, String message, int status) {
    ObjectNode json = Json.document().put("status", status).put("error", message);
    if (e instanceof InvalidSweepException invalid) {
      ArrayNode problems = json.putArray("problems");
      invalid.problems().forEach(problem -> problems.add(Json.tree(problem)));
    }
    return json.toString();
  }

  private static int code(Exception e) {
    if (e instanceof InvalidSweepException
        || e instanceof UsageException
        || e instanceof UnknownStudyException
        || e instanceof StudyStateException) {
      return ExitCode.INVALID;
    }
    if (e instanceof OverBudgetException || e instanceof AccountRefusedException) {
      return ExitCode.REFUSED;
    }
    if (e instanceof SearchFailedException) {
      return ExitCode.TRIALS_FAILED;
    }
    if (e instanceof StoreException || e instanceof EncoderFailedException) {
      return ExitCode.STORAGE;
    }
    if (e instanceof StudyInterruptedException) {
      return ExitCode.INTERRUPTED;
    }
    return e instanceof IOException ? ExitCode.INVALID : CommandLine.ExitCode.SOFTWARE;
  }

  private static String message(Exception e) {
    if (e instanceof UnreadableRowsException && e.getCause() instanceof Exception cause) {
      return e.getMessage() + ": " + message(cause); // whoever starts a study holds the files
    }
    if (e instanceof MissingParameterException missing) {
      return missing(missing);
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + ": there is no such file";
    }
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": may not be read or written";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /**
   * By the names of the synopsis: the library takes the longest of each here, the shortest there.
   */
  private static String missing(MissingParameterException e) {
    String message = String.valueOf(e.getMessage());
    for (ArgSpec argument : e.getMissing()) {
      if (argument instanceof OptionSpec option) {
        message = message.replace(option.longestName(), option.shortestName());
      }
    }
    return message;
  }
}
