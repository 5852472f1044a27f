package io.mutune.orchestrator.paired;

import io.mutune.orchestrator.cli.MutuneCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Runs a sweep by its command on one data set after the other, always in the same folder, so that
 * no path differs, and gives what is seen of each.
 */
final class PairedStudy {
  private final Path folder;
  private final Supplier<CommandLine> command;
  private Plant plant = (runs, rows) -> {};

  /** A bug between a study and who looks at what it leaves. */
  @FunctionalInterface
  interface Plant {
    /**
     * Tampers with what a study left.
     *
     * @param rows how many there were, which nobody may know
     */
    void tamper(Path runs, int rows) throws IOException, SQLException;
  }

  PairedStudy(Path folder) {
    this(folder, MutuneCommand::commandLine);
  }

  /**
   * @param command the command line
   */
  PairedStudy(Path folder, Supplier<CommandLine> command) {
    this.folder = folder;
    this.command = command;
  }

  PairedStudy planted(Plant bug) {
    plant = bug;
    return this;
  }

  Path folder() {
    return folder;
  }

  Path runs() {
    return folder.resolve("runs");
  }

  /** What a study on these rows shows. */
  Seen on(PairedSweep sweep, PairedForm form, List<PairedRow> rows)
      throws IOException, SQLException {
    return on(sweep, form, rows, true);
  }

  /** The same of rows that need protection, with noise that is secret. */
  Seen onProtected(PairedSweep sweep, PairedForm form, List<PairedRow> rows)
      throws IOException, SQLException {
    return on(sweep, form, rows, false);
  }

  private Seen on(PairedSweep sweep, PairedForm form, List<PairedRow> rows, boolean open)
      throws IOException, SQLException {
    deleteTree(runs());
    Path file = sweep.write(folder, form, open);
    form.write(folder, rows);
    return run(rows.size(), "run", file.toString(), "--no-check", "--output", runs().toString());
  }

  private Seen run(int rows, String... words) throws IOException, SQLException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = command.get();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    int status = line.execute(words);
    line.getOut().flush();
    line.getErr().flush();
    plant.tamper(runs(), rows);
    return Seen.in(runs())
        .put("exit status", Integer.toString(status))
        .put("standard output", out.toString())
        .put("standard error", withoutHoldersLine(err.toString()));
  }

  /** The number of rows that did not fit is private, and told at this terminal to the holder. */
  private static String withoutHoldersLine(String err) {
    return err.replaceAll(
        "mutune: data\\.\\w+: \\d+ rows? did not fit and w(as|ere) left out"
            + " \\(private: for whoever holds the file\\)\\R",
        "");
  }

  static void deleteTree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
