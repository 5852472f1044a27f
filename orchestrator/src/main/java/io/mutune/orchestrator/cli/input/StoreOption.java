package io.mutune.orchestrator.cli.input;

import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.DataSetRecord;
import io.mutune.orchestrator.store.FileOwners;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the store is, if it is not beside the studies. */
public final class StoreOption {
  /** The store's file beside the studies that it knows. */
  public static final String FILE = "mutune.db";

  /** The folder of studies where nothing names one. */
  private static final Path USUAL_FOLDER = Path.of("runs");

  private static final String VARIABLE = "MUTUNE_STORE";

  @Option(
      names = "--store",
      paramLabel = "LOCATION",
      description =
          "the store: a file, or postgresql://USER@HOST/DATABASE with its password in PGPASSWORD"
              + " (default: MUTUNE_STORE, else mutune.db in the folder of the studies)")
  private @Nullable String location;

  /** The one that was named, by the option or in the environment. */
  private Optional<StoreLocation> named() {
    String text = location == null ? System.getenv(VARIABLE) : location;
    if (text == null || (location == null && text.isBlank())) {
      return Optional.empty();
    }
    try {
      return Optional.of(StoreLocation.of(text));
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          (location == null ? VARIABLE : "--store") + " cannot be understood: " + e.getMessage());
    }
  }

  /** The folder of the studies, where none is given: that of the store's file, else the usual. */
  public Path folder() {
    return named()
        .filter(StoreLocation.File.class::isInstance)
        .map(file -> Stores.beside(((StoreLocation.File) file).path()))
        .orElse(USUAL_FOLDER);
  }

  /** The folder for the studies of a sweep: its own, and where that is the usual, the store's. */
  public Path folder(Path ofSweep) {
    Path usual = USUAL_FOLDER.toAbsolutePath().normalize();
    return (ofSweep.equals(usual) ? folder() : ofSweep).toAbsolutePath().normalize();
  }

  /**
   * Which files are accounts' in the one of this folder, if it is there; one that was named has to
   * be, since a mistake in its name would leave its accounts' rows to anybody.
   *
   * @throws io.mutune.orchestrator.store.StoreException if it is not
   */
  public FileOwners owners(Path folder) {
    if (named().isEmpty()) {
      return Stores.owners(in(folder), folder);
    }
    try (StudyStore store = Stores.openExisting(in(folder), folder)) {
      return store.owners();
    }
  }

  /** The data sets that are registered in the one of a sweep's folder. */
  public SweepFile.Cards cards() {
    return cards(directory -> directory);
  }

  /**
   * The same where studies may go to another folder.
   *
   * @param folder by that which the sweep names
   */
  public SweepFile.Cards cards(UnaryOperator<Path> folder) {
    return (name, directory) -> {
      Path studies = folder.apply(directory);
      return Stores.dataSet(in(studies), studies, name).map(DataSetRecord::card);
    };
  }

  /** Whether a sweep's data set takes no new studies. */
  public boolean isRetired(SweepDefinition sweep) {
    Path studies = sweep.output().directory();
    return sweep
        .card()
        .flatMap(card -> Stores.dataSet(in(studies), studies, card.name()))
        .filter(DataSetRecord::retired)
        .isPresent();
  }

  /** How the account stands that a sweep draws on, if the store has it. */
  public Optional<AccountStanding> account(SweepDefinition sweep) {
    Path studies = sweep.output().directory();
    return sweep.chargedAccount().flatMap(name -> Stores.account(in(studies), studies, name));
  }

  /** The one to use for studies in this folder. */
  public StoreLocation in(Path folder) {
    return named().orElseGet(() -> new StoreLocation.File(folder.resolve(FILE)));
  }
}
