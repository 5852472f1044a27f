package io.mutune.orchestrator.verify;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.document.Document;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether a study's folder, wherever it is now, is what its ledger and its card say.
 *
 * @param checked what was looked at
 * @param problems each one sentence; none where all agrees
 * @param notProved what that leaves open
 */
public record Verification(
    boolean agrees, List<String> checked, List<String> problems, List<String> notProved)
    implements Document {
  private static final String NO_LEDGER =
      "that every release was charged: the ledger was not looked at, and the charges are those that"
          + " the statement itself names";
  private static final String NO_SWEEP =
      "whom the statement protects, whether its guarantee holds, and what it says of scoring, noise,"
          + " and what was released and is not covered: that follows from the sweep as the store has"
          + " it";
  private static final String NO_DIGESTS =
      "what result.json says, and that the models are those of the study: there is no card with"
          + " digests of them";
  private static final String NO_ROWS = "what the rows were, and that the code did what it says";

  /**
   * Of a folder alone, for whoever does not have the store.
   *
   * @param named what of it was asked about; empty for all of it
   * @param signer the public key of whoever should have signed the card; null for no such question
   */
  public static Verification of(Path folder, String named, @Nullable String signer)
      throws IOException {
    Findings findings = new Findings();
    FolderCheck check = new FolderCheck(folder, findings);
    findings.reading(
        StatementDocument.FILE,
        () -> {
          ObjectNode statement = ModelCard.document(folder, StatementDocument.FILE);
          try {
            findings.problems(PublishedStudy.alone(statement));
            findings.checked(
                "the statement's total, profile and models' costs, computed again from the charges"
                    + " that it names");
            findings.checked("the statement's kind, and its budget and each charge in themselves");
          } catch (JacksonException | IllegalArgumentException e) {
            findings.problem(folder.resolve(StatementDocument.FILE) + " is no statement");
          }
        });
    check.models(named);
    if (!Files.exists(folder.resolve(ModelCard.JSON))) {
      findings.notProved(NO_DIGESTS);
    }
    return found(folder, check, findings, signer, NO_LEDGER, NO_SWEEP, NO_ROWS);
  }

  /** Of a folder and the store with its ledger. */
  public static Verification of(
      Path folder, String named, StudyStore store, @Nullable String signer) throws IOException {
    Findings findings = new Findings();
    FolderCheck check = new FolderCheck(folder, findings);
    String id = PublishedStudy.id(folder);
    findings.checked("the ledger's chain, and its total, computed again by a second route");
    if (Files.exists(folder.resolve(StatementDocument.FILE))) {
      findings.checked("the statement against that total, its charges and its place in the ledger");
      findings.checked("the models against the digests that the ledger has of them");
    }
    try {
      Optional<StudyRecord> record = store.study(id);
      if (record.isEmpty()) {
        findings.problem("the store does not know the study '" + id + "'");
      } else {
        Study study = Study.ofRecord(record.get());
        findings.problems(PublishedStudy.audit(store, study, folder).problems());
        check.against(store, study);
      }
    } catch (InvalidSweepException | OverBudgetException e) {
      findings.problem("the study cannot be planned again: " + e.getMessage());
    } catch (StoreException e) {
      if (!e.isDamage()) {
        throw e;
      }
      findings.problem(String.valueOf(e.getMessage()));
    }
    check.models(named);
    store.setBack().ifPresent(why -> findings.notProved("that the ledger lost no entry: " + why));
    return found(folder, check, findings, signer, NO_ROWS);
  }

  /** With what the documents tell of each other. */
  private static Verification found(
      Path folder, FolderCheck check, Findings findings, @Nullable String signer, String... open) {
    check.together();
    findings.reading(ModelCard.SIGNATURE, () -> CardCheck.signature(folder, signer, findings));
    List.of(open).forEach(findings::notProved);
    return findings.all();
  }

  /** For people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    checked.forEach(line -> text.append("checked:    ").append(line).append('\n'));
    problems.forEach(line -> text.append("PROBLEM:    ").append(line).append('\n'));
    notProved.forEach(line -> text.append("not proved: ").append(line).append('\n'));
    text.append(agrees ? "Everything agrees.\n" : "NOT EVERYTHING AGREES.\n");
    return text.toString();
  }
}
