package io.mutune.orchestrator.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.store.AccountEntry;
import io.mutune.orchestrator.store.AccountRecord;
import io.mutune.orchestrator.store.AccountRefusedException;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StoredCharge;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyAudit;
import io.mutune.orchestrator.study.StudyInterruptedException;
import io.mutune.orchestrator.study.StudyListener;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.gradient.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Audits of private rows: charged like any study, before a row is read. */
@Timeout(300)
class ChargedStudyTest {
  private static final String ACCOUNT = "patients";

  @TempDir Path folder;
  private StudyStore store;
  private final List<StudyResult> kept = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    SmallStudies.write(folder.resolve("private.csv"), 200, 40, 1);
    SmallStudies.write(folder.resolve("test.csv"), 60, 40, 2);
    store = Stores.open(folder.resolve("runs").resolve("mutune.db"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void account(double mu) {
    store.createAccount(
        new AccountRecord(
            ACCOUNT,
            "0123",
            Instant.parse("2026-11-22T00:00:00Z"),
            Adjacency.ADD_REMOVE,
            new ApproximateGaussianDp(Mu.of(mu), Delta.of(1e-5)),
            Optional.empty()));
  }

  private static String text(String data, String budget) {
    return """
    version: 1
    name: audited
    data:
      private: {path: private.csv, format: csv, classes: 3, rows: 200}
      %s
    features: [{type: l2-normalize}]
    budget: {epsilon: 2, delta: 1.0e-5%s}
    search:
      strategy: scale-free
      space: {logitNoise: {min: 0.1, max: 10, scale: log}, steps: 6}
      sweeps:
        - {epsilon: 0.4, trials: 2}
      score: {on: private, epsilon: 0.3}
    train: {method: noisy-gd, loss: softmax, clipNorm: 0.5}
    run: {parallelTrials: 1}
    """
        .formatted(data, budget);
  }

  private static final String SWEEP = text("test: {path: test.csv}", ", account: patients");

  private ChargedStudy study(String text, StudyStore in, BooleanSupplier cancelled)
      throws IOException {
    SweepContext context = SweepContext.ofFile(folder.resolve("sweep.yaml"));
    return new ChargedStudy(
        SweepReader.read("sweep.yaml", text, context),
        text,
        context,
        in,
        folder.resolve("runs"),
        kept::add,
        new RunEnvironment(Engine.REFERENCE, StudyListener.SILENT, cancelled));
  }

  private static CanaryReport audit(ChargedStudy study) throws IOException {
    return new CanaryAudit(CanaryKind.GRADIENT, 100, 1, 10, 0.999, 5).run(study);
  }

  private StudyRecord only() {
    assertThat(store.studies()).hasSize(1);
    return store.studies().get(0);
  }

  private List<String> charged() {
    return store.charges(only().id()).stream().map(c -> c.charge().what()).toList();
  }

  /**
   * Noise is not seeded, since an account takes no seeded study. No 20 guesses show more than 2 at
   * 99.9%: were ε = 2, all of them would be right with a probability of 0.08, (e^2/(1 + e^2))^20.
   */
  @Test
  void anAudit_isAStudyThatIsChargedToItsAccount_andKept() throws IOException {
    account(1);

    CanaryReport report = audit(study(SWEEP, store, () -> false));

    assertThat(report.problems()).isEmpty();
    assertThat(report.refutes()).isFalse();
    assertThat(report.used())
        .containsExactly(
            "the noisy sums that the iterates of 3 runs tell, less what public rows would add");
    assertThat(only().state()).isEqualTo(StudyState.FINISHED);
    assertThat(Study.hasCanaries(only())).isTrue();
    assertThat(charged()).containsExactly("trial 1", "score 1", "trial 2", "score 2", "final");
    assertThat(kept).containsExactly(report.result());
    assertThat(store.accountEntries(ACCOUNT).get(0))
        .satisfies(
            entry -> {
              assertThat(entry.kind()).isEqualTo(AccountEntry.Kind.RESERVED);
              assertThat(entry.study()).isEqualTo(only().id());
              assertThat(entry.cost().mu().value())
                  .isEqualTo(report.result().study().plan().budget().cap().mu().value());
            });
    assertThat(report.result().statement().epsilon().value()).isBetween(1.99, 2.0);
    assertThat(report.result().statement().excluded())
        .contains(
            "any use of the model: made-up rows took part in training, for 'mutune attack canary'"
                + " alone");
    assertThat(StudyAudit.of(store, Study.ofRecord(only()), Optional.empty()).problems()).isEmpty();
  }

  /** How long a charged study took shows how many secret runs it had. */
  @Test
  void theTimeOfSecretRuns_isInNoReport() throws IOException {
    account(3);
    CanaryReport shown = audit(study(SWEEP, store, () -> false));
    assertThat(AttackDocument.of(shown).subject().seconds()).isPresent();
    String secret =
        SWEEP
            .replace("strategy: scale-free", "strategy: random-stopping\n  runs: {mean: 3}")
            .replaceAll("\\s+sweeps:\\s+- .*", "");
    CanaryReport report = audit(study(secret, store, () -> false));
    assertThat(AttackDocument.of(report).subject().seconds()).isEmpty();
  }

  @Test
  void anAccountWithoutRoom_refuses_beforeARowIsRead() throws IOException {
    account(0.1);
    Files.writeString(folder.resolve("private.csv"), "a row that whoever reads it chokes on\n");

    assertThatThrownBy(() -> audit(study(SWEEP, store, () -> false)))
        .isInstanceOf(AccountRefusedException.class)
        .hasMessageContaining("over the account 'patients'");
    assertThat(only().state()).isEqualTo(StudyState.REFUSED);
    assertThat(charged()).isEmpty();
    assertThat(store.accountEntries(ACCOUNT)).isEmpty();
    assertThat(kept).isEmpty();
  }

  /** Rows that cannot be read are found out by reading them, and that is charged by then. */
  @Test
  void theCharge_isThereBeforeTheFirstRead_andStays() throws IOException {
    account(1);
    Files.writeString(folder.resolve("private.csv"), "a row that whoever reads it chokes on\n");

    assertThatThrownBy(() -> audit(study(SWEEP, store, () -> false)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the protected rows cannot be read");
    assertThat(charged()).containsExactly("trial 1");
    assertThat(only().state()).isEqualTo(StudyState.CANCELLED);
    assertThat(store.accountEntries(ACCOUNT))
        .extracting(AccountEntry::kind)
        .containsExactly(AccountEntry.Kind.RESERVED, AccountEntry.Kind.SETTLED);
    GaussianDp spent =
        GaussianDp.compose(
            store.charges(only().id()).stream()
                .map(StoredCharge::charge)
                .map(c -> GaussianDp.of(c.mechanism().mu().orElseThrow()))
                .toList());
    assertThat(store.accountEntries(ACCOUNT).get(1).cost())
        .isEqualTo(ApproximateGaussianDp.of(spent));
  }

  /** When the last figure is released the file is taken away: guessing reads no private row. */
  @Test
  void guesses_comeFromWhatWasReleased_andNoPrivateRowIsReadForThem() throws IOException {
    account(1);
    StudyStore watched =
        StoreDecorator.of(
            store,
            (name, arguments, call) -> {
              if (name.equals("test")) {
                Files.delete(folder.resolve("private.csv"));
              }
              return call.run(arguments);
            });

    assertThat(audit(study(SWEEP, watched, () -> false)).curve().area()).isBetween(0.0, 1.0);
    assertThat(folder.resolve("private.csv")).doesNotExist();
    assertThat(charged()).hasSize(5);
  }

  @Test
  void anInterruptedAudit_isEnded_sinceItsCoinsAreGone() {
    account(1);

    assertThatThrownBy(
            () -> audit(study(SWEEP, store, () -> !store.charges(only().id()).isEmpty())))
        .isInstanceOf(StudyInterruptedException.class);
    assertThat(only().state()).isEqualTo(StudyState.CANCELLED);
    assertThat(only().reason()).hasValue("an audit that did not come to its end");
    assertThat(charged()).containsExactly("trial 1");
  }

  @ParameterizedTest
  @CsvSource({"MISLABELLED, rows of the data", "AMPLIFIED, charged for once more"})
  void canariesThatFollowFromPrivateRows_areRefused(CanaryKind kind, String reason)
      throws IOException {
    account(1);
    ChargedStudy study = study(SWEEP, store, () -> false);

    assertThatThrownBy(() -> new CanaryAudit(kind, 100, 1, 10, 0.999, 5).run(study))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
    assertThat(store.studies()).isEmpty();
  }

  @Test
  void sweepsWithoutAnAccount_orWithoutPublicRows_areRefused() {
    assertThatThrownBy(() -> study(text("test: {path: test.csv}", ""), store, () -> false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("budget.account");
    assertThatThrownBy(
            () ->
                study(
                    text("test: {path: test.csv, private: true, rows: 60}", ", account: patients"),
                    store,
                    () -> false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("public");
    assertThat(store.studies()).isEmpty();
  }
}
