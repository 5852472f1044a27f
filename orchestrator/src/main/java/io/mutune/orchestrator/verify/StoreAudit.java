package io.mutune.orchestrator.verify;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.AccountAudit;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Audits of what a store holds. What cannot be audited is a problem of its own, and does not keep
 * the rest from it.
 *
 * @param adopted what was held for entries that the store had lost
 * @param problems of the store itself, or of studies that cannot be planned again
 */
public record StoreAudit(
    List<StudyAudit> studies,
    List<AccountAudit> accounts,
    List<String> adopted,
    List<String> problems) {
  public StoreAudit {
    studies = List.copyOf(studies);
    accounts = List.copyOf(accounts);
    adopted = List.copyOf(adopted);
    problems = List.copyOf(problems);
  }

  /** Whether everything agrees. */
  public boolean agrees() {
    return problems.isEmpty()
        && studies.stream().allMatch(StudyAudit::agrees)
        && accounts.stream().allMatch(AccountAudit::agrees);
  }

  /** Of a store that could not be opened, or not be read to its end. */
  public static StoreAudit failed(StoreException damage) {
    return new StoreAudit(
        List.of(), List.of(), List.of(), List.of(String.valueOf(damage.getMessage())));
  }

  /**
   * Of everything.
   *
   * @param folder that studies leave theirs in
   */
  public static StoreAudit of(StudyStore store, Path folder) {
    Auditor auditor = new Auditor(store);
    auditor.tables();
    auditor.guarded(() -> store.ids().forEach(auditor::study));
    auditor.guarded(() -> auditor.unknown(folder));
    auditor.guarded(() -> store.accounts().forEach(auditor::account));
    return auditor.audit();
  }

  /** Of one study. */
  public static StoreAudit of(StudyStore store, String study) {
    Auditor auditor = new Auditor(store);
    auditor.tables();
    auditor.study(study);
    return auditor.audit();
  }

  private static final class Auditor {
    private final StudyStore store;
    private final List<StudyAudit> studies = new ArrayList<>();
    private final List<AccountAudit> accounts = new ArrayList<>();
    private final List<String> adopted = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    Auditor(StudyStore store) {
      this.store = store;
    }

    StoreAudit audit() {
      return new StoreAudit(studies, accounts, adopted, problems);
    }

    /** Damage goes into the audit; what else keeps a store from being read is thrown. */
    void guarded(Runnable work) {
      guarded(work, e -> String.valueOf(e.getMessage()));
    }

    private void guarded(Runnable work, Function<StoreException, String> said) {
      try {
        work.run();
      } catch (StoreException e) {
        if (!e.isDamage()) {
          throw e;
        }
        problems.add(said.apply(e));
      }
    }

    void tables() {
      guarded(() -> adopted.addAll(store.adoptions()));
      guarded(() -> store.damage().forEach(line -> problems.add("the store is damaged: " + line)));
    }

    /** What studies left that the store does not know: it lost them, or is not the right one. */
    void unknown(Path folder) {
      if (!Files.isDirectory(folder)) {
        return;
      }
      try (Stream<Path> beside = Files.list(folder)) {
        List<Path> studies = beside.sorted().toList();
        // After the list: a study is in the store before it leaves anything.
        Set<String> known = Set.copyOf(store.ids());
        for (Path study : studies) {
          String id = PublishedStudy.id(study);
          if (Files.exists(study.resolve(StatementDocument.FILE))
              && !known.contains(id)
              && adopted.stream().noneMatch(line -> line.contains("study " + id + " is lost"))) {
            problems.add(
                study.getFileName()
                    + " has a statement of a study that the store does not know: it was lost");
          }
        }
      } catch (IOException e) {
        problems.add(folder + " cannot be listed: what studies left there is not known");
      }
    }

    void study(String id) {
      guarded(() -> audit(id));
    }

    private void audit(String id) {
      String name = "study " + id;
      try {
        StudyRecord record =
            store.study(id).orElseThrow(() -> StoreException.damaged("it cannot be found"));
        name = record.name() + "-" + id;
        studies.add(PublishedStudy.audit(store, Study.ofRecord(record)));
      } catch (InvalidSweepException | OverBudgetException e) {
        problems.add(name + " cannot be planned again: " + e.getMessage());
        chain(id).ifPresent(problems::add);
      } catch (StoreException e) {
        if (!e.isDamage()) {
          throw e;
        }
        // The entry that does not fit is better news than that something makes no sense.
        problems.add(chain(id).orElse(name + ": " + e.getMessage()));
      }
    }

    private Optional<String> chain(String id) {
      return store.ledger(id).problem().map(problem -> "study " + id + ": " + problem);
    }

    void account(AccountRecord account) {
      String name = account.name();
      guarded(
          () ->
              guarded(
                  () -> accounts.add(AccountAudit.of(store, account)),
                  e ->
                      "account %s: %s"
                          .formatted(
                              name, store.accountLedger(name).problem().orElseGet(e::getMessage))));
    }
  }
}
