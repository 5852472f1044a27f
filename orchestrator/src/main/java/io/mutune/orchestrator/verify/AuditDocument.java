package io.mutune.orchestrator.verify;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.Document;
import io.mutune.orchestrator.document.GuaranteeNote;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.StatementDocument.ChargeEntry;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.study.AccountAudit;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.sweep.StatedUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Audits for people and for programs.
 *
 * @param warning that what follows is private, where data files were looked at
 * @param data what became of the files
 */
public record AuditDocument(
    boolean agrees,
    List<StudyEntry> studies,
    List<AccountEntry> accounts,
    List<String> adopted,
    List<String> problems,
    Optional<String> warning,
    Optional<List<DataComparison>> data)
    implements Document {
  /** By no more are roots of an audit off, relatively. */
  private static final double ROOT_ERROR = 1e-9;

  record StudyEntry(
      String study,
      String name,
      String state,
      boolean agrees,
      @JsonUnwrapped GuaranteeNote guarantee,
      double epsilon,
      double delta,
      OptionalDouble mu,
      Figures recomputed,
      Figures budget,
      Chain ledger,
      List<ChargeEntry> charges,
      List<String> problems,
      List<String> warnings) {
    static StudyEntry of(StudyAudit audit) {
      Study study = audit.study();
      Budget budget = audit.spending().budget();
      return new StudyEntry(
          study.id(),
          study.record().name(),
          audit.state(),
          audit.agrees(),
          GuaranteeNote.of(VoidReasons.of(study.plan())),
          audit.epsilonSpent().value(),
          budget.delta().value(),
          PlanDocument.value(audit.spending().inMu().map(balance -> balance.spent().mu())),
          new Figures(audit.epsilon(), audit.mu()),
          new Figures(budget.epsilon().value(), OptionalDouble.of(budget.cap().mu().value())),
          Chain.of(audit.ledger(), Optional.of(audit.ledger().original())),
          audit.charges().stream().map(ChargeEntry::of).toList(),
          audit.problems(),
          audit.warnings());
    }
  }

  record Figures(double epsilon, OptionalDouble mu) {}

  /** What the chain of a ledger says; the last two of a study's alone. */
  record Chain(
      OptionalLong entries, String head, Optional<String> original, Optional<Long> covered) {
    static Chain of(LedgerFinding ledger, Optional<String> original) {
      return new Chain(
          ledger.count(), ledger.head(), original, original.flatMap(o -> ledger.covered()));
    }
  }

  record AccountEntry(String account, boolean agrees, Chain ledger, List<String> problems) {
    static AccountEntry of(AccountAudit audit) {
      return new AccountEntry(
          audit.account().name(),
          audit.agrees(),
          Chain.of(audit.ledger(), Optional.empty()),
          audit.problems());
    }
  }

  /**
   * Of an audit.
   *
   * @param data what became of the files, where they were looked at
   */
  public static AuditDocument of(StoreAudit audit, Optional<List<DataComparison>> data) {
    return new AuditDocument(
        audit.agrees(),
        audit.studies().stream().map(StudyEntry::of).toList(),
        audit.accounts().stream().map(AccountEntry::of).toList(),
        audit.adopted(),
        audit.problems(),
        data.map(comparisons -> DataComparison.WARNING),
        data);
  }

  /** What does not agree last, each in a line. */
  public static String text(StoreAudit audit) {
    StringBuilder text = new StringBuilder();
    audit.studies().forEach(study -> text.append(text(study)).append('\n'));
    audit.accounts().forEach(account -> text.append(text(account)).append('\n'));
    audit.adopted().forEach(line -> text.append("Adopted ").append(line).append('\n'));
    appendProblems(text, audit.problems());
    return text.toString();
  }

  private static void appendProblems(StringBuilder text, List<String> problems) {
    problems.forEach(problem -> text.append("DOES NOT AGREE: ").append(problem).append('\n'));
  }

  private static String text(StudyAudit audit) {
    DataTable table =
        DataTable.of(
            List.of("entry", "charge", "reserved", "mu"),
            audit.charges(),
            charge ->
                DataTable.row(
                    Long.toString(charge.sequence()),
                    charge.charge().what(),
                    charge.reserved().toString(),
                    charge.charge().mechanism().mu().map(DisplayNumber::cost).orElse("")));
    List<String> voided = VoidReasons.of(audit.study().plan());
    StringBuilder text = new StringBuilder(GuaranteeNote.line(voided));
    text.append(audit.study().record().name()).append('-').append(audit.study().id());
    text.append(": ").append(audit.state());
    text.append("\n\n").append(table).append('\n');
    text.append(totals(audit)).append(ledger(audit.ledger()));
    if (audit.agrees()) {
      text.append(
          voided.isEmpty()
              ? "Everything agrees: every question has its charge, and the total is kept.\n"
              : "Everything agrees with the plan, which is no guarantee here.\n");
    }
    appendProblems(text, audit.problems());
    audit.warnings().forEach(w -> text.append("Warning: ").append(w).append('\n'));
    return text.toString();
  }

  private static String text(AccountAudit audit) {
    AccountStanding standing = AccountStanding.of(audit.account(), audit.entries());
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "account %s: mu %s of %s%s held by studies%s, of which mu %s was charged%n",
            audit.account().name(),
            DisplayNumber.cost(standing.held().mu()),
            DisplayNumber.cost(standing.cap().mu()),
            delta0(standing.held(), standing.cap()),
            audit.unit().flatMap(StatedUnit::column).isPresent() ? " of people" : "",
            DisplayNumber.mu(charged(audit))));
    text.append(ledger(audit.ledger()));
    if (audit.agrees()) {
      text.append("Everything agrees: what each study was charged for is held.\n");
    }
    appendProblems(text, audit.problems());
    return text.toString();
  }

  /** Not below it. */
  private static double charged(AccountAudit audit) {
    double square = audit.charged().doubleValue();
    return square == 0 ? 0 : Math.nextUp(Math.sqrt(square));
  }

  private static String delta0(ApproximateGaussianDp held, ApproximateGaussianDp cap) {
    return cap.delta0().value() == 0
        ? ""
        : ", delta0 %s of %s"
            .formatted(DisplayNumber.cost(held.delta0()), DisplayNumber.cost(cap.delta0()));
  }

  private static String ledger(LedgerFinding ledger) {
    String original =
        ledger.original().equals("1") ? "" : ", chained as made from entry " + ledger.original();
    String covered =
        ledger.covered().filter(entry -> entry == 1).isPresent()
            ? ""
            : ledger
                .covered()
                .map(entry -> ", with runs and releases from entry " + entry)
                .orElse(", without runs and releases");
    return "ledger:          %s entries, head %s%s%s%n"
        .formatted(ledger.entries(), ledger.head(), original, covered);
  }

  private static String totals(StudyAudit audit) {
    Budget budget = audit.spending().budget();
    Optional<Balance> inMu = audit.spending().inMu();
    if (inMu.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "by composition:  epsilon %s at delta %s%nby other routes: epsilon %s at least%n"
              + "budget:          epsilon %s%n",
          DisplayNumber.cost(audit.epsilonSpent()),
          DisplayNumber.delta(budget.delta()),
          PrintedNumber.down(audit.epsilon(), 6),
          DisplayNumber.cost(budget.epsilon()));
    }
    return String.format(
        Locale.ROOT,
        "by composition:  mu %s, epsilon %s at delta %s%nby integration:  mu %s, epsilon %s%n"
            + "budget:          mu %s, epsilon %s%n",
        DisplayNumber.cost(inMu.get().spent().mu()),
        DisplayNumber.cost(audit.epsilonSpent()),
        DisplayNumber.delta(budget.delta()),
        DisplayNumber.mu(shown(audit.mu().orElse(0))),
        DisplayNumber.epsilon(shown(audit.epsilon())),
        DisplayNumber.cost(budget.cap().mu()),
        DisplayNumber.cost(budget.epsilon()));
  }

  /** Without that, so that 2 is not shown as 2.00001. */
  private static double shown(double root) {
    return root * (1 - ROOT_ERROR);
  }
}
