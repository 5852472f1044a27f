package io.mutune.orchestrator.cli;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.schedule.StudyStateException;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.trainer.data.UnreadableRowsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns what went wrong into a line on standard error and an exit status. A user's mistake never
 * shows a stack trace; a mistake of ours always does.
 */
final class ErrorReport implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    int code = code(e);
    if (code == CommandLine.ExitCode.SOFTWARE) {
      command.getErr().println("mutune: this is a bug in Mutune, please report it:");
      e.printStackTrace(command.getErr());
    } else if (e instanceof InvalidSweepException) {
      command.getErr().println(e.getMessage());
    } else {
      command.getErr().println("mutune: " + message(e));
    }
    command.getErr().flush();
    return code;
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
    if (e instanceof StoreException) {
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
}
