package io.mutune.orchestrator.cli.study;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Format;
import io.mutune.orchestrator.cli.command.UsageException;
import io.mutune.orchestrator.cli.input.StudyFinder;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.verify.CardSignature;
import io.mutune.orchestrator.verify.Verification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mutune verify}. */
@Command(
    name = "verify",
    description =
        "Hold a study's folder, wherever it is now, against its ledger: statement, model and card."
            + " Exit status 6 if anything does not agree.")
final class VerifyCommand extends CliCommand {
  @Parameters(
      paramLabel = "STUDY|MODEL",
      description = "a study's folder, its id or name-id, or its model.npz")
  private Path place = Path.of("");

  @Option(
      names = "--folder-alone",
      description = "look at no store: what the folder says of itself is all that is checked")
  private boolean alone;

  @Option(
      names = "--signer",
      paramLabel = "PUBLIC",
      description = "the public key that the card must be signed by, or a file with it")
  private @Nullable String signer;

  @Mixin private StudyFinder finder = new StudyFinder();
  @Mixin private Format format = new Format();

  @Override
  public Integer call() throws IOException {
    Path given = finder.folderOf(place).toAbsolutePath().normalize();
    if (!Files.exists(given)) {
      throw new UsageException(
          given
              + ": there is no such file or folder; only finished studies have a folder, and 'mutune list' shows which they are");
    }
    Path folder = folder(Files.isDirectory(given) ? given : given.resolveSibling("").normalize());
    String named = folder.relativize(given).toString().replace('\\', '/');
    Verification found = verified(folder, named);
    out().print(format.json() ? Json.write(found) : found.text());
    return found.agrees() ? ExitCode.DONE : ExitCode.AUDIT_DISAGREES;
  }

  /** Of a model beside the final one it is the folder that its own stands in. */
  private static Path folder(Path given) {
    Path above = given.getParent();
    return above != null
            && !Files.exists(given.resolve(StatementDocument.FILE))
            && Files.exists(above.resolve(StatementDocument.FILE))
        ? above
        : given;
  }

  private Verification verified(Path folder, String named) throws IOException {
    if (alone) {
      return Verification.of(folder, named, signerKey());
    }
    try (StudyStore store = finder.open(Optional.of(folder.toString()))) {
      return Verification.of(folder, named, store, signerKey());
    } catch (StoreException e) {
      throw e.isNone()
          ? new StoreException(
              folder
                  + ": there is no store beside it; name it by --store, or look at the folder alone:"
                  + " --folder-alone",
              e)
          : e;
    }
  }

  private @Nullable String signerKey() throws IOException {
    return signer == null ? null : CardSignature.known(signer);
  }
}
