package io.mutune.orchestrator.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.LedgerFinding;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.sweep.StatedUnit;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An account whose study has sampled steps, and so no μ. */
class AccountAuditTest {
  private static final String SWEEP =
      StudyAuditTest.SWEEP.replace("rows: 100", "rows: 1000")
          + "train: {method: dp-sgd, batchSize: 50}\n";

  @TempDir Path folder;

  /** The audit with these figures on the account, which the tables have no place for. */
  private AccountAudit audit(double mu, double delta0, double capDelta0) {
    return audit(mu, delta0, capDelta0, List.of());
  }

  private AccountAudit audit(double mu, double delta0, double capDelta0, List<StatedUnit> units) {
    SweepContext context = new SweepContext(folder, folder, Map.of());
    StudyPlan plan = StudyPlan.of(SweepReader.read("small.yaml", SWEEP, context));
    AccountRecord account =
        new AccountRecord(
            "rows",
            "00",
            Instant.EPOCH,
            Adjacency.ADD_REMOVE,
            new ApproximateGaussianDp(Mu.of(1), Delta.of(capDelta0)),
            Optional.empty());
    ApproximateGaussianDp cost = plan.accountCost().orElseThrow();
    try (StudyStore store = TestStores.inMemory()) {
      Study study = Study.create(plan, SWEEP, context, folder);
      store.create(study.record(), 1, AccountClaim.NONE);
      plan.whole().forEach(charge -> store.reserve(study.id(), plan.filter(), charge));
      AccountEntry entry =
          new AccountEntry(
              1,
              AccountEntry.Kind.RESERVED,
              study.id(),
              new ApproximateGaussianDp(
                  Mu.of(mu * cost.mu().value()), Delta.of(delta0 * cost.delta0().value())),
              Instant.EPOCH);
      StudyStore decorated =
          StoreDecorator.of(
              store,
              (operation, arguments, inner) ->
                  switch (operation) {
                    case "accountEntries" -> List.of(entry);
                    case "accountLedger" ->
                        new LedgerFinding("1", "head", "1", Optional.of(1L), Optional.empty());
                    case "accountUnits" -> units;
                    default -> inner.run(arguments);
                  });
      return AccountAudit.of(decorated, account);
    }
  }

  @Test
  void entriesThatAStoreSaysAsNoNumber_areNotCounted() {
    for (String entries : List.of("many", "1.5", "", "123456789012345678901")) {
      assertThat(
              new LedgerFinding(entries, "head", "1", Optional.of(1L), Optional.of("none")).count())
          .isEmpty();
    }
  }

  @Test
  void chargesThatWhatIsHeldCovers_areFoundSo() {
    assertThat(audit(1, 1, 1e-5).problems()).isEmpty();
    assertThat(audit(1.2, 1, 1e-5).problems()).isEmpty();
  }

  @Test
  void aStudyThatHoldsTooLittle_isFound_byEitherFigure() {
    assertThat(audit(0.99, 1, 1e-5).problems())
        .hasSize(1)
        .allMatch(problem -> problem.contains("was charged more than entry 1 holds for it"));
    // With no δ₀ the samples cost what they would without sampling.
    assertThat(audit(1, 0, 1e-5).problems()).hasSize(1);
  }

  /** Earlier versions let them onto one account. */
  @Test
  void peopleAndRowsOnOneAccount_areFound() {
    StatedUnit rows = new StatedUnit("the data set rows", Optional.empty(), false);
    StatedUnit people = new StatedUnit("the data set people", Optional.of("who"), false);
    assertThat(audit(1, 1, 1e-5, List.of(rows)).problems()).isEmpty();
    assertThat(audit(1, 1, 1e-5, List.of(people)).problems())
        .singleElement()
        .asString()
        .matches(
            "study [0-9a-f]{8} is of single rows, the data set people of people:"
                + " what they cost does not add up");
    assertThat(audit(1, 1, 1e-5, List.of(rows, people)).problems())
        .anyMatch(problem -> problem.startsWith("the data set people is of people, the data set"));
  }

  @Test
  void moreDelta0ThanTheCap_isFound() {
    assertThat(audit(1, 1, 1e-7).problems()).containsExactly("its studies hold more than its cap");
  }
}
