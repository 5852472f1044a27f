package io.mutune.orchestrator.cli.input;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds the store, and studies in it by id, by name with id, or by the folder that they leave. */
public final class StudyFinder {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "the folder of the studies (default: that of the store's file, else runs)")
  private @Nullable Path output;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin private StoreOption store = new StoreOption();

  /**
   * Opens the store that is there, and warns if it was set back.
   *
   * @param study the one that is looked for, whose folder may lead to the store
   */
  public StudyStore open(Optional<String> study) {
    Path folder = folder(study).toAbsolutePath().normalize();
    StudyStore opened = Stores.openExisting(store.in(folder), folder);
    opened.setBack().ifPresent(problem -> warn("warning: " + problem));
    return opened;
  }

  /** The data sets that are registered there. */
  public SweepFile.Cards lookUp() {
    return store.cards(directory -> output == null ? directory : output);
  }

  private void warn(String line) {
    if (spec != null) {
      spec.commandLine().getErr().println(line);
      spec.commandLine().getErr().flush();
    }
  }

  /** Also one that was lost whole. */
  public StudyStore openToAdopt() {
    return Stores.openToAdopt(location(), results());
  }

  /** Makes the store where there is none. */
  public StudyStore openOrCreate() {
    return Stores.open(location(), results());
  }

  public StoreLocation location() {
    return store.in(results());
  }

  /** The folder that studies leave theirs in. */
  public Path results() {
    return folder(Optional.empty()).toAbsolutePath().normalize();
  }

  /**
   * The folder that is meant: one that is there, else that of the study of this name or id, among
   * those that studies leave. No store is opened.
   */
  public Path folderOf(Path given) throws IOException {
    Path all = results();
    if (Files.exists(given) || given.getNameCount() != 1 || !Files.isDirectory(all)) {
      return given;
    }
    Path named = all.resolve(given);
    if (Files.isDirectory(named) || !ID.matcher(given.toString()).matches()) {
      return Files.isDirectory(named) ? named : given;
    }
    try (Stream<Path> folders = Files.list(all)) {
      return folders
          .filter(folder -> folder.toString().endsWith("-" + given) && Files.isDirectory(folder))
          .findFirst()
          .orElse(given);
    }
  }

  /** A study given as a path names its store's folder too. */
  private Path folder(Optional<String> study) {
    if (output != null) {
      return output;
    }
    if (study.isPresent() && study.get().contains("/")) {
      Path parent = Path.of(study.get()).toAbsolutePath().normalize().getParent();
      if (parent != null) {
        return parent;
      }
    }
    return store.folder();
  }

  /**
   * The study of this name.
   *
   * @throws UsageException if there is none
   */
  public static StudyRecord find(StudyStore store, String study) {
    String wanted = study.replaceFirst("/+$", "").replaceFirst(".*/", "");
    return store.studies().stream()
        .filter(s -> s.id().equals(wanted) || (s.name() + "-" + s.id()).equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "there is no study '" + study + "'; see 'mutune list'" + named(store, wanted)));
  }

  /** Which studies of a sweep of that name there are: a name alone is many studies'. */
  private static String named(StudyStore store, String name) {
    List<String> studies =
        store.studies().stream()
            .filter(study -> study.name().equals(name))
            .map(study -> study.name() + "-" + study.id())
            .toList();
    int last = studies.size() - 1;
    return studies.isEmpty() ? "" : "; the newest of that name is " + studies.get(last);
  }

  /** The one study that is not finished; of those that have failed, where no other is open. */
  public static StudyRecord unfinished(StudyStore store) {
    List<StudyRecord> studies = store.studies();
    List<StudyRecord> open = studies.stream().filter(s -> s.state().isOpen()).toList();
    if (open.isEmpty()) {
      open = studies.stream().filter(s -> s.state() == StudyState.FAILED).toList();
    }
    if (open.size() == 1) {
      return open.get(0);
    }
    if (open.isEmpty()) {
      throw new UsageException("there is no unfinished study here; see 'mutune list'");
    }
    throw new UsageException(
        "several studies are unfinished; name one: "
            + String.join(", ", open.stream().map(s -> s.name() + "-" + s.id()).toList()));
  }
}
