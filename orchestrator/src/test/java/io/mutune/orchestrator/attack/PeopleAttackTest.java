package io.mutune.orchestrator.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.orchestrator.document.AttackDocument;
import io.mutune.orchestrator.report.AttackPage;
import io.mutune.orchestrator.report.ReleasedDocuments;
import io.mutune.trainer.attack.CanaryKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on studies of people who have many rows. Seeded, so that every figure repeats. */
@Timeout(300)
class PeopleAttackTest {
  private static final int ROWS = 20;
  private static final String OF_PEOPLE = "  unit: {column: who, rows: 20, people: 100}\n";

  @TempDir Path folder;

  /** Made-up people, each with one to twenty rows. */
  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    StringBuilder text = new StringBuilder("who,item,class\n");
    for (int person = 0; person < 100; person++) {
      for (int row = random.nextInt(ROWS); row >= 0; row--) {
        int item = random.nextInt(100);
        text.append("p%d,i%d,c%d%n".formatted(person, item, item % 3));
      }
    }
    Files.writeString(folder.resolve("visits.csv"), text);
  }

  private AttackedSweep sweep(String unit) throws IOException {
    String text =
        """
        version: 1
        name: visits
        data:
          columns:
            who: {type: id}
            item: {type: hashed, buckets: 160}
            class: {type: label, values: [c0, c1, c2]}
        %s  private: {path: visits.csv, format: csv, rows: 1000, declared: simulated}
        features: []
        budget: {epsilon: 2, delta: 1.0e-5}
        search: {strategy: fixed, space: {logitNoise: 1, steps: 4}}
        train: {method: noisy-gd, clipNorm: 0.5}
        run: {noise: {seed: 5}}
        """
            .formatted(unit);
    return SmallStudies.attacked(folder, text);
  }

  private CanaryReport audited(String unit) throws IOException {
    try (UnchargedStudy study = SmallStudies.uncharged(sweep(unit))) {
      return new CanaryAudit(CanaryKind.GRADIENT, 400, ROWS, 100, 0.999, 5).run(study);
    }
  }

  /** All of 200 guesses are right: more than 3.1 at 99.9%. */
  @Test
  void aPersonOfTwentyRows_showsMoreThanTheRowsEpsilon_whereARowIsTheUnit() throws IOException {
    CanaryReport report = audited("");
    assertThat(report.epsilonAtLeast())
        .isGreaterThan(report.result().statement().epsilon().value());
    assertThat(report.covered()).isFalse();
    assertThat(report.refutes()).isFalse();
  }

  /**
   * What a study of the same rows and the same noise states where a row is the unit, clipped to a
   * twentieth so that a person of twenty rows adds no more than here.
   */
  private static double ofARow() {
    GaussianDp ofAPerson = GaussianDp.ofBudget(Epsilon.of(2), Delta.of(1e-5));
    double mu = ofAPerson.mu().value() / ROWS;
    return GaussianDp.of(Mu.of(mu)).epsilon(Delta.of(1e-5)).value();
  }

  /** 132 of 200 are right, which is more than chance. */
  @Test
  void aPersonOfTwentyRows_showsLessThanTheirEpsilon_whereAPersonIsTheUnit() throws IOException {
    CanaryReport report = audited(OF_PEOPLE);
    assertThat(report.epsilonAtLeast()).isGreaterThan(ofARow()).isLessThan(2);
    assertThat(report.problems()).isEmpty();
    assertThat(report.covered()).isTrue();
    assertThat(report.used()).containsExactly("the noisy sums that the iterates of 1 run tell");
    assertThat(AttackPage.html(AttackDocument.of(report)))
        .contains(", on 100 people (public count) ");
  }

  @Test
  void aPersonWhoAddsNothing_changesNoByte_andALoudOneStaysWithinTheGuarantee() throws IOException {
    NeighbourReport report =
        new Neighbours(sweep(OF_PEOPLE), ROWS, 20, 0.999, 5)
            .run(ReleasedDocuments::of, SmallStudies.ENVIRONMENT);
    assertThat(report.silent().outcome()).isEqualTo(NeighbourReport.Outcome.SAME);
    assertThat(report.silent().compared()).isGreaterThan(10);
    assertThat(report.problems()).isEmpty();
    assertThat(report.refutes()).isFalse();
  }

  @Test
  void moreRowsThanAPersonHas_areRefused_andSoIsMembership() throws IOException {
    AttackedSweep sweep = sweep(OF_PEOPLE);
    assertThatThrownBy(() -> new Neighbours(sweep, ROWS + 1, 20, 0.999, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 20 rows, as the unit says; was 21");
    assertThatThrownBy(() -> new MembershipAttack(sweep, 0, 5))
        .hasMessageContaining("the unit of this data set is a person");
  }
}
