package io.mutune.orchestrator.cli.study;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.DataKeys;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.verify.AuditDocument;
import io.mutune.orchestrator.verify.DataComparison;
import io.mutune.orchestrator.verify.StoreAudit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mutune audit}. */
@Command(
    name = "audit",
    description =
        "Recompute what studies have cost from their stored charges, by a second route, and compare"
            + " with what they state. Exit status 6 if anything does not agree.")
final class AuditCommand extends CliCommand {
  @Parameters(
      paramLabel = "STUDY",
      arity = "0..1",
      description = "id, name-id or folder (default: every study of the store)")
  private @Nullable String study;

  @Option(
      names = "--data",
      description =
          "also read the data files and hold them against what studies kept of them; what that"
              + " says of private files is private")
  private boolean data;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    List<DataComparison> comparisons = new ArrayList<>();
    StoreAudit audit = audit(comparisons);
    if (format.json()) {
      Optional<List<DataComparison>> found = data ? Optional.of(comparisons) : Optional.empty();
      out().print(Json.write(AuditDocument.of(audit, found)));
    } else {
      String found = data ? "\n" + DataComparison.text(comparisons) : "";
      out().print(AuditDocument.text(audit) + found);
    }
    return audit.agrees() ? ExitCode.DONE : ExitCode.AUDIT_DISAGREES;
  }

  private StoreAudit audit(List<DataComparison> comparisons) throws IOException {
    try (StudyStore store = finder.open(Optional.ofNullable(study))) {
      StoreAudit audit =
          study == null
              ? StoreAudit.of(store, finder.results())
              : StoreAudit.of(store, id(store, study));
      for (StudyAudit audited : data ? audit.studies() : List.<StudyAudit>of()) {
        comparisons.addAll(DataComparison.of(store, audited.study(), DataKeys.here()));
      }
      return audit;
    } catch (StoreException e) {
      if (!e.isDamage()) {
        throw e;
      }
      return StoreAudit.failed(e);
    }
  }

  private static String id(StudyStore store, String study) {
    try {
      return StudyFinder.find(store, study).id();
    } catch (StoreException e) {
      // A row that makes no sense keeps studies from being found by name, and not by id.
      String id = study.replaceFirst("/+$", "").replaceFirst(".*[-/]", "");
      if (e.isDamage() && store.ids().contains(id)) {
        return id;
      }
      throw e;
    }
  }
}
