package io.mutune.orchestrator.cli.experiment;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.command.Version;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.document.ClaimsDocument;
import io.mutune.orchestrator.report.ClaimsPage;
import io.mutune.orchestrator.reproduce.ClaimFile;
import io.mutune.orchestrator.reproduce.ClaimsException;
import io.mutune.orchestrator.reproduce.Reproduction;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.study.RunEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mutune reproduce}. */
@Command(
    name = "reproduce",
    description =
        "Try what papers state, every look at the rows charged, on data that is public. Leaves a"
            + " page for each table, with the published figures beside ours, and beside their"
            + " folder a page that lists them. What ended is kept, so that the same command goes on"
            + " after a kill.")
final class ReproduceCommand extends ExperimentCommand {
  private static final String LIST = "list";
  private static final String ALL = "all";
  private static final Path CLAIMS = Path.of("sweeps", "claims");

  @Parameters(
      arity = "1..*",
      paramLabel = "NAME",
      description = "tables to try, all of them (all), or what there is (list)")
  private List<String> names = List.of();

  @Option(names = "--quick", description = "few repeats, for a first look")
  private boolean quick;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "where the data files are (default: MUTUNE_DATA)")
  private @Nullable Path data;

  @Option(
      names = "--claims",
      paramLabel = "FOLDER",
      description = "files of claims, beside the sweeps (default: ${DEFAULT-VALUE})")
  private Path claims = CLAIMS;

  @Option(
      names = "--output",
      paramLabel = "FOLDER",
      description = "where pages and journals go (default: ${DEFAULT-VALUE})")
  private Path output = Path.of("reproduce");

  @Mixin private StoreOption location = new StoreOption();

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(claims)) {
      throw new UsageException(
          "there is no folder " + claims + ": run this where sweeps/ is, or give --claims");
    }
    try {
      List<ClaimFile> files = ClaimFile.in(claims);
      if (names.contains(LIST)) {
        list(files);
        return ExitCode.DONE;
      }
      return reproduce(named(files));
    } catch (ClaimsException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private void list(List<ClaimFile> files) {
    PrintWriter out = out();
    for (ClaimFile file : files) {
      int claims = file.claims().size();
      out.printf(
          "%-24s %3d %-6s  %s%n",
          file.name(), claims, claims == 1 ? "claim" : "claims", file.title());
    }
    out.flush();
  }

  private List<ClaimFile> named(List<ClaimFile> files) {
    if (names.contains(ALL)) {
      return files;
    }
    List<ClaimFile> named = new ArrayList<>();
    for (String name : names) {
      named.add(
          files.stream()
              .filter(file -> file.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "no table is called "
                              + name
                              + "; there are "
                              + String.join(", ", files.stream().map(ClaimFile::name).toList()))));
    }
    return named;
  }

  private int reproduce(List<ClaimFile> files) throws IOException {
    Optional<String> problem = ClaimsPage.problem(output);
    if (problem.isPresent()) {
      throw new UsageException(problem.get());
    }
    RunEnvironment environment = environment();
    FileOwners owners = location.owners(location.folder());
    Reproduction.Folders folders =
        new Reproduction.Folders(
            data(), claims.toAbsolutePath().normalize().resolveSibling("."), work());
    Map<ClaimFile, Reproduction> tables = new LinkedHashMap<>();
    List<String> leftOut = new ArrayList<>();
    for (ClaimFile file : files) {
      Reproduction table = new Reproduction(file, quick, folders, owners, environment, this::tell);
      whyNone(file, table).ifPresentOrElse(leftOut::add, () -> tables.put(file, table));
    }
    // Before the others, which may take hours.
    if (!leftOut.isEmpty() && (!names.contains(ALL) || tables.isEmpty())) {
      throw new UsageException(String.join("; ", leftOut));
    }
    leftOut.forEach(this::tell);
    boolean isMade = false;
    for (Map.Entry<ClaimFile, Reproduction> table : tables.entrySet()) {
      isMade |= reproduce(table.getKey(), table.getValue());
    }
    if (!isMade) {
      throw new UsageException("no table has a figure");
    }
    return ExitCode.DONE;
  }

  /** Why a table is not begun, known before any is. */
  private Optional<String> whyNone(ClaimFile file, Reproduction table) {
    if (quick && file.quick() == 0) {
      return Optional.of(file.name() + ": left out, since one repeat of it takes long");
    }
    List<String> missing = table.missing();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            file.name()
                + ": left out, since there are no such files: "
                + String.join(", ", missing));
  }

  /** Makes a page, but for a table without a figure: an earlier page may have some. */
  private boolean reproduce(ClaimFile file, Reproduction table) throws IOException {
    Reproduction.Tried tried = table.run();
    Optional<String> lacking = tried.lacking();
    if (lacking.isPresent()) {
      String why = file.name() + ": left out, since it has no figure: " + lacking.get();
      if (!names.contains(ALL)) {
        throw new UsageException(why);
      }
      tell(why);
      return false;
    }
    List<String> made = List.of(new Version().getVersion());
    ClaimsPage.write(ClaimsDocument.of(file, quick, tried, command(file), made), output);
    out().println(output.resolve(file.name() + ".md"));
    out().flush();
    return true;
  }

  private Path data() {
    String variable = System.getenv("MUTUNE_DATA");
    if (data == null && (variable == null || variable.isBlank())) {
      throw new UsageException("give --data, the folder of data files, or set MUTUNE_DATA");
    }
    Path folder = (data == null ? Path.of(variable) : data).toAbsolutePath().normalize();
    if (!Files.isDirectory(folder)) {
      throw new UsageException(folder + ": is no folder of data files; give another --data");
    }
    return folder;
  }

  /** Apart from what is worth keeping. */
  private Path work() {
    return output.toAbsolutePath().resolve("work");
  }

  private String command(ClaimFile file) {
    return "./mutune reproduce "
        + file.name()
        + (quick ? " --quick" : "")
        + (claims.equals(CLAIMS) ? "" : " --claims FOLDER")
        + " --data FOLDER";
  }
}
