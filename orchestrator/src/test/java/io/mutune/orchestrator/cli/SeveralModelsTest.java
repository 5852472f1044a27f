package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StudiesHere.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Audit;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.StatusDocument;
import io.mutune.orchestrator.metrics.StoreState;
import io.mutune.orchestrator.plan.ModelCost;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TestStores;
import io.mutune.orchestrator.study.Piece;
import io.mutune.orchestrator.study.ReleasedModel;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyPieces;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One tuning and three final models: two of an ε of their own, and one of what is left. */
@Timeout(240)
class SeveralModelsTest {
  private static final String RELEASES = "[0.5, 1]";
  private static final RunEnvironment SILENT =
      new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, () -> false);

  @TempDir Path folder;

  private SmallSweep sweep() throws IOException {
    return SmallSweep.in(folder).steps(20).trials(2).releases(RELEASES);
  }

  private StudyPlan plan(SmallSweep sweep) throws IOException {
    sweep.command("run");
    Path file = folder.resolve("sweep.yaml");
    return StudyPlan.of(
        SweepReader.read("sweep.yaml", Files.readString(file), SweepContext.ofFile(file)));
  }

  private Study entered(StudyStore store) throws IOException {
    SmallSweep sweep = sweep().seed(3);
    StudyPlan plan = plan(sweep);
    Path file = folder.resolve("sweep.yaml");
    Study study =
        Study.create(plan, Files.readString(file), SweepContext.ofFile(file), sweep.runs());
    study.enter(store);
    return study;
  }

  private static List<Charge> charges(StudyStore store, Study study) {
    return store.charges(study.id()).stream().map(StoredCharge::charge).toList();
  }

  private static void requireSame(StudyResult one, StudyResult other) {
    assertThat(other.model().weights()).isEqualTo(one.model().weights());
    assertThat(other.releases()).hasSameSizeAs(one.releases());
    for (int i = 0; i < one.releases().size(); i++) {
      ReleasedModel released = other.releases().get(i);
      assertThat(released.model().weights()).isEqualTo(one.releases().get(i).model().weights());
      assertThat(released.decision().point()).isEqualTo(one.releases().get(i).decision().point());
    }
    assertThat(other.statement().epsilon()).isEqualTo(one.statement().epsilon());
  }

  private static void requireWhole(StudyStore store, Study study) {
    assertThat(StudyAudit.of(store, study, Optional.empty()).problems()).isEmpty();
    assertThat(charges(store, study))
        .extracting(Charge::what)
        .containsExactlyInAnyOrder(
            "trial 1", "score 1", "trial 2", "score 2", "final", "release 1", "release 2");
  }

  @Test
  void thePlan_chargesEachAloneAndGivesTheFinalRunWhatIsLeft() throws IOException {
    StudyPlan plan = plan(sweep());
    double budget = plan.budget().cap().mu().value();
    double left = budget * budget;
    for (Charge charge : plan.whole()) {
      if (!charge.what().equals("final")) {
        left -= Math.pow(charge.mechanism().mu().orElseThrow().value(), 2);
      }
    }

    assertThat(plan.releases())
        .extracting(release -> release.epsilon().value())
        .containsExactly(0.5, 1.0);
    for (var release : plan.releases()) {
      Mu alone = GaussianDp.ofBudget(release.epsilon(), plan.budget().delta()).mu();
      assertThat(release.mu()).isEqualTo(alone);
    }
    // Sigma is rounded to a double, and with it each charge.
    assertThat(plan.target().mu().value()).isCloseTo(Math.sqrt(left), within(1e-12));
    assertThat(plan.totalMu().orElseThrow().value()).isLessThanOrEqualTo(budget);
    assertThat(plan.charges())
        .extracting(charge -> charge.what())
        .endsWith("release 1", "release 2", "final");
    List<Charge> spent = new ArrayList<>();
    for (Charge charge : plan.whole()) {
      plan.filter().check(spent, charge);
      spent.add(charge);
    }
  }

  @Test
  void releasesThatDoNotFit_areRefusedWithTheNumbers() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).steps(20).trials(0).releases("[1.2, 1.5, 1.9]");
    CommandRun run = CommandRun.of(sweep.command("run"));

    assertThat(run.status()).isEqualTo(ExitCode.REFUSED);
    assertThat(run.err())
        .contains("over budget: asked for epsilon ", "(mu 0.69", "left of epsilon 2 ");
  }

  /** The same posterior for all, and a rate for the noise of each. */
  @Test
  void eachModel_hasItsOwnNoiseAndItsOwnPoint() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult result = run(store, entered(store), () -> false);

      requireWhole(store, result.study());
      List<double[]> models =
          Stream.concat(
                  Stream.of(result.model()), result.releases().stream().map(ReleasedModel::model))
              .map(model -> model.weights())
              .toList();
      assertThat(models.get(0)).isNotEqualTo(models.get(1));
      assertThat(models.get(1)).isNotEqualTo(models.get(2));
      double before = 0;
      for (ReleasedModel released : result.releases()) {
        assertThat(released.decision().point().radius()).isGreaterThan(before);
        before = released.decision().point().radius();
        assertThat(released.charge().mechanism().mu().orElseThrow().value())
            .isLessThanOrEqualTo(released.planned().mu().value());
      }
    }
  }

  @Test
  void furtherModels_areNoTrialsInTheMeters() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult result = run(store, entered(store), () -> false);

      StatusDocument status = StatusDocument.of(store, result.study());
      assertThat(result.releases()).isNotEmpty();
      assertThat(StoreState.trials(List.of(status)).values().stream().mapToLong(n -> n).sum())
          .isEqualTo(result.trials().size());
    }
  }

  /** What a model and the tuning are said to cost, by 50 digits and by integration. */
  @Test
  void whatEachModelCostsWithTheTuning_isConfirmedByTheSecondRoute() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      Study study = run(store, entered(store), () -> false).study();
      List<Charge> made = charges(store, study);
      List<ModelCost> costs = ModelCost.of(study.plan());

      assertThat(costs)
          .extracting(ModelCost::model)
          .containsExactly("release 1", "release 2", "final");
      for (ModelCost cost : costs) {
        List<Charge> own = ModelCost.charges(cost.model(), made);
        assertThat(own).hasSize(5);
        assertThat(Audit.check(study.plan().budget(), own, cost.epsilon(), cost.mu()).problems())
            .isEmpty();
        Epsilon less = Epsilon.of(cost.epsilon().value() * (1 - 1e-5));
        assertThat(Audit.check(study.plan().budget(), own, less, cost.mu()).problems())
            .isNotEmpty();
        assertThat(cost.mu().value()).isLessThan(study.plan().totalMu().orElseThrow().value());
      }
    }
  }

  @Test
  void aStudyThatStops_withinAReleaseOrBetweenTwo_endsAsIfItHadNot() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult whole = run(store, entered(store), () -> false);
      requireSame(whole, run(store, whole.study(), () -> false));
      for (String last : List.of("final", "release 1", "release 2")) {
        Study broken = entered(store);
        AtomicInteger looked = new AtomicInteger();
        assertThatThrownBy(
                () ->
                    run(
                        store,
                        broken,
                        () ->
                            charges(store, broken).stream().anyMatch(c -> c.what().equals(last))
                                && looked.incrementAndGet() > 8))
            .isInstanceOf(StudyInterruptedException.class);

        requireSame(whole, run(store, broken, () -> false));
        requireWhole(store, broken);
      }
    }
  }

  @Test
  void workersThatShareAStudy_comeToTheSame() throws IOException {
    try (StudyStore store = TestStores.inMemory()) {
      StudyResult alone = run(store, entered(store), () -> false);
      Study shared = entered(store);
      StudyPieces one = new StudyPieces(store, shared, SILENT);
      StudyPieces other = new StudyPieces(store, Study.ofRecord(shared.record()), SILENT);

      one.trial(1);
      other.trial(2);
      assertThat(one.next()).containsExactly(Piece.LAST);
      requireSame(alone, other.last());
      requireSame(alone, one.last());
      requireWhole(store, shared);
    }
  }

  @Test
  void theFolder_hasEveryModelWithItsFigures() throws IOException {
    SmallSweep sweep = sweep();
    CommandRun run = CommandRun.run(sweep).succeeded();
    ObjectNode result = Json.read(Files.readString(run.folder().resolve("result.json")));
    ObjectNode statement = Json.read(Files.readString(run.folder().resolve("statement.json")));

    JsonNode releases = result.path("releases");
    assertThat(releases).hasSize(2);
    for (JsonNode release : releases) {
      assertThat(release.propertyNames()).containsExactly("model", "folder", "run", "test");
      Path own = run.folder().resolve(release.path("folder").asString());
      CommandRun.of("predict", own.toString(), sweep.testRows().toString()).succeeded();
      double figure = release.path("test").path("accuracy").path("value").asDouble();
      assertThat(figure).isBetween(0.0, 1.0);
    }
    assertThat(statement.path("models").path("validFor").asString()).contains("no other model");
    assertThat(statement.path("models").path("costs")).hasSize(3);
    assertThat(run.out()).contains("Each model and the tuning alone", "release-1");
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .contains("What each model is worth", "release 2");
    assertThat(run.folder().resolve("figures/releases.svg")).exists();
    CommandRun.of(sweep.command("audit")).succeeded();
    CommandRun.of(sweep.command("status")).succeeded();
  }

  @Test
  void anAudit_findsAModelThatIsSaidToCostLess_andOneThatWasReplaced() throws IOException {
    SmallSweep sweep = sweep();
    Path study = CommandRun.run(sweep).succeeded().folder();
    Path file = study.resolve("statement.json");
    String text = Files.readString(file);
    ObjectNode statement = Json.read(text);
    ObjectNode cost = (ObjectNode) statement.path("models").path("costs").get(0);
    cost.put("epsilon", cost.path("epsilon").asDouble() * 0.99);
    Files.writeString(file, Json.write(statement));

    assertThat(CommandRun.of(sweep.command("audit")).out())
        .contains("DOES NOT AGREE: release 1 and the tuning: the stated epsilon");

    ((ObjectNode) statement.path("models")).putArray("costs");
    Files.writeString(file, Json.write(statement));
    assertThat(CommandRun.of(sweep.command("audit")).out())
        .contains("the statement's models are not the plan's");

    Files.writeString(file, text);
    Files.copy(
        study.resolve("model.npz"),
        study.resolve("release-1/model.npz"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(CommandRun.of(sweep.command("audit")).out())
        .contains("the model of release 1 is not the one whose digest is in the ledger");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{strategy: grid, points: {values: 2}, space: {learningRate: {min: 0.1, max: 9}, steps: 9},"
            + " score: {on: private, epsilon: 0.2}}",
        "{strategy: random-stopping, space: {learningRate: {min: 0.1, max: 9}, steps: 9}, runs:"
            + " {mean: 3}, score: {on: private, epsilon: 0.2}}"
      })
  void strategiesWithoutAFinalRun_areRefused(String search) throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(search).releases(RELEASES);
    CommandRun run = CommandRun.of(sweep.command("run"));

    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.err())
        .contains("search.strategy must not be with budget.releases: no final run");
  }

  @Test
  void methodsWhosePlanIsNotInMu_areRefused() throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .steps(9)
            .trials(0)
            .train("{method: dp-sgd, samplingRate: 0.1}")
            .releases(RELEASES);
    assertThat(CommandRun.of(sweep.command("run")).err())
        .contains("must not be with budget.releases and dp-sgd: each release needs a run");
  }

  @Test
  void aComparison_asksForASweepWithout() throws IOException {
    SmallSweep sweep = sweep().declaredPublic();
    assertThat(CommandRun.of(sweep.command("compare")).err()).contains("leave budget.releases out");
  }
}
