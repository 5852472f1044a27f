package io.mutune.orchestrator.study;

import io.mutune.accountant.compare.GaussianCover;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.orchestrator.sweep.yaml.StatedUnitReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks one account: that its entries are what was written, that each study's charges are covered
 * by what it holds, and that everything together stays below the cap.
 *
 * @param unit whom it protects; empty before anything draws on it
 * @param ledger what its chain of hashes says
 * @param charged μ² of all charges of its studies, added up in exact decimals; of those whose
 *     charges have no μ, that of what covers them
 * @param problems empty if everything agrees; each one sentence
 */
public record AccountAudit(
    AccountRecord account,
    Optional<StatedUnit> unit,
    LedgerFinding ledger,
    List<AccountEntry> entries,
    BigDecimal charged,
    List<String> problems) {
  /** By what share chords may raise a μ ({@code ProfileHullTest}). */
  private static final double CHORDS = 1e-3;

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
    BigDecimal failures = BigDecimal.ZERO;
    List<StatedUnit> units = store.accountUnits(account.name());
    units.forEach(unit -> checkUnit(unit, units.get(0), problems));
    for (AccountEntry entry : last.values()) {
      store
          .study(entry.study())
          .map(
              study ->
                  StatedUnitReader.ofSweep(
                      "study " + study.id(), study.definition(), study.context()))
          .ifPresent(unit -> units.forEach(known -> checkUnit(unit, known, problems)));
      Optional<BigDecimal> known = spent(account, store.charges(entry.study()), entry.cost());
      BigDecimal covered = square(entry.cost());
      BigDecimal spent = known.orElse(covered);
      if (known.isEmpty() || spent.compareTo(covered) > 0) {
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
        failures = failures.add(new BigDecimal(entry.cost().delta0().value()));
      }
    }
    ApproximateGaussianDp cap = AccountStanding.of(account, entries).cap();
    if (held.compareTo(square(cap)) > 0
        || failures.compareTo(new BigDecimal(cap.delta0().value())) > 0) {
      problems.add("its studies hold more than its cap");
    }
    return new AccountAudit(
        account, units.stream().findFirst(), ledger, entries, charged, problems);
  }

  private static void checkUnit(StatedUnit unit, StatedUnit known, List<String> problems) {
    unit.clash(known)
        .map(why -> "%s %s: what they cost does not add up".formatted(unit.what(), why))
        .filter(problem -> !problems.contains(problem))
        .ifPresent(problems::add);
  }

  private static void checkEnded(StudyStore store, AccountEntry entry, List<String> problems) {
    StudyState state =
        store.study(entry.study()).map(StudyRecord::state).orElse(StudyState.PLANNED);
    if (!state.isFinal()) {
      problems.add("entry %d settles a study that has not ended".formatted(entry.entry()));
    }
  }

  /**
   * By another route than composition: Σμ² in exact decimals, where charges have a μ each. Others
   * are covered anew: a part of a plan has no greater μ than the whole but for the chords by which
   * it is found.
   *
   * @return empty where what is held covers them not
   */
  private static Optional<BigDecimal> spent(
      AccountRecord account, List<StoredCharge> stored, ApproximateGaussianDp held) {
    List<Charge> charges = stored.stream().map(StoredCharge::charge).toList();
    if (!PlanTotal.isInMu(charges)) {
      Releases releases = PlanTotal.releases(account.adjacency(), charges);
      return GaussianCover.within(releases, held.delta0())
          .map(found -> found.mu().value())
          .filter(mu -> mu <= held.mu().value() * (1 + CHORDS))
          .map(mu -> square(Math.min(mu, held.mu().value())));
    }
    return Optional.of(
        charges.stream()
            .map(charge -> square(charge.mechanism().mu().orElseThrow().value()))
            .reduce(BigDecimal.ZERO, BigDecimal::add));
  }

  private static BigDecimal square(ApproximateGaussianDp cost) {
    return square(cost.mu().value());
  }

  private static BigDecimal square(double mu) {
    return new BigDecimal(mu).pow(2);
  }
}
