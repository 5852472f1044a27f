package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks one account: that its entries are what was written, that each study's charges are covered
 * by what it holds, and that everything together stays below the cap.
 *
 * @param ledger what its chain of hashes says
 * @param charged μ² of all charges of its studies, added up in exact decimals
 * @param problems empty if everything agrees; each one sentence
 */
public record AccountAudit(
    AccountRecord account,
    LedgerFinding ledger,
    List<AccountEntry> entries,
    BigDecimal charged,
    List<String> problems) {
  public AccountAudit {
    entries = List.copyOf(entries);
    problems = List.copyOf(problems);
  }

  public boolean agrees() {
    return problems.isEmpty();
  }

  /** Audits an account. */
  public static AccountAudit of(StudyStore store, AccountRecord account) {
    LedgerFinding ledger = store.accountLedger(account.name());
    List<AccountEntry> entries = store.accountEntries(account.name());
    List<String> problems = new ArrayList<>(ledger.problem().stream().toList());
    Map<String, AccountEntry> last = new LinkedHashMap<>();
    for (AccountEntry entry : entries) {
      if (!entry.kind().holds()) {
        continue;
      }
      boolean first = last.put(entry.study(), entry) == null;
      if (first != (entry.kind() != AccountEntry.Kind.SETTLED)) {
        problems.add("entry " + entry.entry() + " does not follow from those before it");
      }
    }
    BigDecimal charged = BigDecimal.ZERO;
    BigDecimal held = BigDecimal.ZERO;
    for (AccountEntry entry : last.values()) {
      BigDecimal spent = spent(store, entry.study());
      BigDecimal covered = square(entry.cost());
      if (spent.compareTo(covered) > 0) {
        problems.add(
            "study %s was charged more than entry %d holds for it"
                .formatted(entry.study(), entry.entry()));
      }
      if (entry.kind() == AccountEntry.Kind.SETTLED) {
        checkEnded(store, entry, problems);
      }
      charged = charged.add(spent);
      if (entry.kind() != AccountEntry.Kind.LOST) {
        held = held.add(covered); // What was lost is held in full, be there room or not.
      }
    }
    if (held.compareTo(square(AccountStanding.of(account, entries).cap())) > 0) {
      problems.add("its studies hold more than its cap");
    }
    return new AccountAudit(account, ledger, entries, charged, problems);
  }

  private static void checkEnded(StudyStore store, AccountEntry entry, List<String> problems) {
    StudyState state =
        store.study(entry.study()).map(StudyRecord::state).orElse(StudyState.PLANNED);
    if (!state.isFinal()) {
      problems.add("entry %d settles a study that has not ended".formatted(entry.entry()));
    }
  }

  /** By another route than composition: Σμ² in exact decimals. */
  private static BigDecimal spent(StudyStore store, String study) {
    BigDecimal sum = BigDecimal.ZERO;
    for (StoredCharge charge : store.charges(study)) {
      sum =
          sum.add(
              charge
                  .charge()
                  .mechanism()
                  .mu()
                  .map(GaussianDp::of)
                  .map(AccountAudit::square)
                  .orElse(BigDecimal.ZERO));
    }
    return sum;
  }

  private static BigDecimal square(GaussianDp cost) {
    BigDecimal mu = new BigDecimal(cost.mu().value());
    return mu.multiply(mu);
  }
}
