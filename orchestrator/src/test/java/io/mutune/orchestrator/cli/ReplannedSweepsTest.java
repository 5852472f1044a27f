package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.SecretRuns;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.PostgresServer;
import io.mutune.orchestrator.store.StoreLocation;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a store keeps of a study is enough to plan it again, to the last bit. */
@Timeout(120)
class ReplannedSweepsTest {
  private static final Path SWEEPS =
      Path.of(System.getProperty("mutune.root", ".")).resolve("sweeps").toAbsolutePath();

  @TempDir Path folder;

  static List<Path> sweeps() throws IOException {
    try (var files = Files.list(SWEEPS)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("sweeps")
  void aSweepThatWasStoredAndReadBack_hasTheVerySamePlan(Path sweep) throws IOException {
    String name = String.valueOf(sweep.getFileName());
    String text = Files.readString(sweep);
    // No file is read for a plan, so none has to be there.
    SweepContext context =
        new SweepContext(SWEEPS, folder, Map.of("MUTUNE_DATA", "/nowhere", "HOME", "/nowhere"));
    StudyPlan plan = StudyPlan.of(SweepReader.read(name, text, context));
    for (StoreLocation location :
        List.of(
            new StoreLocation.File(folder.resolve("mutune.db")), PostgresServer.get().schema())) {
      Study study = Study.create(plan, text, context, folder);
      try (StudyStore store = Stores.open(location, folder)) {
        plan.sweep().account().ifPresent(drawn -> store.createAccount(account(drawn, plan)));
        study.enter(store);
      }
      try (StudyStore store = Stores.openExisting(location, folder)) {
        Study again = Study.ofRecord(store.study(study.id()).orElseThrow());
        assertThat(charges(again.plan())).isEqualTo(charges(plan));
        assertThat(again.plan().trials()).isEqualTo(plan.trials());
        assertThat(again.plan().totalMu()).isEqualTo(plan.totalMu());
        assertThat(again.plan().noiseLevels()).isEqualTo(plan.noiseLevels());
        assertThat(again.plan().budget()).isEqualTo(plan.budget());
        StudyAudit audit = StudyAudit.of(store, again, Optional.empty());
        assertThat(audit.problems()).isEmpty();
        assertThat(audit.warnings()).isEmpty();
      }
    }
  }

  private static AccountRecord account(String name, StudyPlan plan) {
    return new AccountRecord(
        name,
        "00",
        Instant.EPOCH,
        plan.budget().adjacency(),
        ApproximateGaussianDp.of(plan.budget().cap()),
        Optional.empty());
  }

  /**
   * Every charge that a study of this plan may make, with the final run's at some numbers of steps.
   */
  private static List<Charge> charges(StudyPlan plan) {
    List<Charge> charges = new ArrayList<>();
    plan.meanCharge().ifPresent(charges::add);
    plan.secretRuns().map(SecretRuns::charge).ifPresent(charges::add);
    for (PlannedTrial trial : plan.trials()) {
      charges.add(plan.trialCharge(trial));
      plan.scoreCharge(trial).ifPresent(charges::add);
    }
    charges.addAll(plan.testCharges());
    if (plan.chargesFinal() && plan.isInMu()) {
      for (int steps : new int[] {1, 7, 100, 1000}) {
        charges.add(plan.finalCharge(new TrialPoint(1, steps)));
      }
    }
    if (plan.chargesFinal() && !plan.isInMu()) {
      int steps = plan.sweep().search().fixedSteps().orElseThrow();
      charges.add(plan.finalCharge(new TrialPoint(1, steps)));
    }
    assertThat(charges).isNotEmpty();
    return charges;
  }
}
