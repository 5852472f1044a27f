package io.mutune.orchestrator.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.attack.CanaryKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class CanaryAuditTest {
  @TempDir Path folder;

  private static CanaryReport report(CanaryAudit audit, AttackedSweep sweep) throws Exception {
    try (UnchargedStudy study = SmallStudies.uncharged(sweep)) {
      return audit.run(study);
    }
  }

  /**
   * At ε = 2 no 20 guesses of 100 are right often enough for more than 2 at 99.9%: it would take
   * every one, and the best attacker gets 0.72 of them.
   */
  @ParameterizedTest
  @EnumSource
  void everyKindOfCanary_auditsAWholeStudy_andStaysBelowTheGuarantee(CanaryKind kind)
      throws Exception {
    AttackedSweep sweep = SmallStudies.sweep(folder, 200, 40, SmallStudies.SCALE_FREE);
    CanaryReport report = report(new CanaryAudit(kind, 100, 1, 10, 0.999, 5), sweep);

    assertThat(report.refutes()).as("%s", report.problems()).isFalse();
    assertThat(report.guesses().made()).isEqualTo(20);
    assertThat(report.result().trials()).hasSize(3);
    assertThat(report.used())
        .containsExactly("the noisy sums that the iterates of 4 runs tell", "3 noisy scores");
    assertThat(report.curve().area()).isBetween(0.0, 1.0);
  }

  /** Whatever trials are compared by, their noisy counts are looked at, and the guarantee holds. */
  @ParameterizedTest
  @ValueSource(strings = {"balanced-accuracy", "macro-f1", "auc", "log-loss", "{recall: 1}"})
  void noisyCountsOfEveryMetric_areLookedAt(String metric) throws Exception {
    String search =
        SmallStudies.SCALE_FREE.replace("  score:", "  metric: " + metric + "\n  score:");
    AttackedSweep sweep = SmallStudies.sweep(folder, 200, 40, search);
    CanaryReport report = report(new CanaryAudit(CanaryKind.GRADIENT, 100, 1, 10, 0.999, 5), sweep);

    assertThat(report.refutes()).as("%s", report.problems()).isFalse();
    assertThat(report.used()).contains("3 noisy scores");
    assertThat(report.problems()).isEmpty();
  }

  /**
   * At ε = 1000 noise is next to nothing, so nearly every coin of 120 is told, which shows an ε
   * above 1.5 at 99.9% as long as nine at most are not. Four are not whatever the noise, since the
   * seed's coins are not half and half; μ is 40 or so, and in 150 such studies no other was told
   * wrongly and the least area was 0.999.
   */
  @Test
  void aStudyWithHardlyAnyNoise_isSeenThrough() throws Exception {
    AttackedSweep sweep =
        SmallStudies.sweep(
            folder,
            200,
            60,
            "search: {strategy: fixed, space: {logitNoise: 1, steps: 6}}\n",
            "public",
            1000);
    CanaryReport report = report(new CanaryAudit(CanaryKind.GRADIENT, 120, 1, 60, 0.999, 6), sweep);

    assertThat(report.curve().area()).isGreaterThan(0.99);
    assertThat(report.epsilonAtLeast()).isGreaterThan(1.5);
    assertThat(report.refutes()).isFalse();
    assertThat(byModels(report, 999).refutes()).isFalse();
    assertThat(byModels(report, 1001).refutes()).isTrue();
  }

  private static CanaryReport byModels(CanaryReport report, double epsilon) {
    return new CanaryReport(
        report.result(),
        report.kind(),
        report.rows(),
        report.guesses(),
        report.epsilonAtLeast(),
        OptionalDouble.of(epsilon),
        report.confidence(),
        report.curve(),
        report.used(),
        report.problems(),
        report.seed(),
        report.seconds());
  }

  @Test
  void privateRows_areRefusedBeforeTheyAreRead() throws Exception {
    Path made = Files.createDirectories(folder.resolve("made"));

    assertThatThrownBy(() -> SmallStudies.sweep(made, 10, 6, SmallStudies.SCALE_FREE, "private", 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("declared: public");
  }

  /** Only the training rows were declared; a study would spend what nobody counts on the others. */
  @Test
  void privateRowsBesideTheDeclaredOnes_areRefused() throws Exception {
    AttackedSweep sweep = SmallStudies.sweep(folder, 10, 6, SmallStudies.SCALE_FREE);
    String text =
        sweep
            .text()
            .replace(
                "test: {path: test.csv}", "test: {path: guarded.csv, private: true, rows: 60}");
    SweepDefinition definition = SweepReader.read("sweep.yaml", text, sweep.context());

    assertThatThrownBy(() -> new AttackedSweep(definition, text, sweep.context(), sweep.owners()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data.test that is private");
  }

  @Test
  void tooFewCanaries_areRefused() {
    assertThatThrownBy(() -> new CanaryAudit(CanaryKind.GRADIENT, 99, 1, 1, 0.9, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CanaryAudit(CanaryKind.GRADIENT, 100, 1, 51, 0.9, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
