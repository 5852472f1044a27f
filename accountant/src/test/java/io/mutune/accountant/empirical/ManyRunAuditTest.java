package io.mutune.accountant.empirical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Delta;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManyRunAuditTest {
  private static final Delta DELTA = Delta.of(1e-5);

  /** By SciPy 1.17: quantiles of the beta and the normal law. */
  @ParameterizedTest
  @CsvSource({
    "1000, 10, 1000, 12, 0.05, 3.9790321166211102, 4.1260526741745664",
    "400, 0, 400, 0, 1e-6, 3.2985179814421213, 3.6078454740669472"
  })
  void bounds_areThoseOfTheReference_roundedDown(
      int without, int alarms, int with, int missed, double alpha, double epsilon, double mu) {
    ManyRunAudit audit = new ManyRunAudit(without, alarms, with, missed);

    assertThat(audit.epsilonAtLeast(DELTA, alpha))
        .isLessThan(epsilon)
        .isCloseTo(epsilon, Offset.offset(1e-7));
    assertThat(audit.muAtLeast(alpha)).isLessThan(mu).isCloseTo(mu, Offset.offset(1e-7));
  }

  @Test
  void aTestThatKnowsNothing_showsNothing() {
    ManyRunAudit audit = new ManyRunAudit(1000, 500, 1000, 500);

    assertThat(audit.epsilonAtLeast(DELTA, 0.05)).isZero();
    assertThat(audit.muAtLeast(0.05)).isZero();
  }

  @Test
  void aTestThatIsWrongWayRound_showsNothing() {
    assertThat(new ManyRunAudit(10, 10, 10, 10).epsilonAtLeast(DELTA, 0.05)).isZero();
    assertThat(new ManyRunAudit(10, 10, 10, 10).muAtLeast(0.05)).isZero();
  }

  /** A mechanism that shows the row once in ten times is caught by the rare side alone. */
  @Test
  void oneSidedEvidence_counts() {
    assertThat(new ManyRunAudit(2000, 0, 2000, 1800).epsilonAtLeast(DELTA, 1e-6)).isGreaterThan(2);
    assertThat(new ManyRunAudit(2000, 1800, 2000, 0).epsilonAtLeast(DELTA, 1e-6)).isGreaterThan(2);
  }

  /**
   * N(0, 1) against N(1, 1) is 1-GDP exactly, with the threshold in the middle. Of 1000 audits at
   * 99.9% more than 12 pass it with a probability below 5e-11.
   */
  @Test
  void theGaussianMechanism_isRarelyAccusedAndNearlyCaught() {
    SplittableRandom random = new SplittableRandom(10);
    int accused = 0;
    double sum = 0;
    for (int audit = 0; audit < 1000; audit++) {
      double[] without = new double[500];
      double[] with = new double[500];
      for (int i = 0; i < with.length; i++) {
        without[i] = random.nextGaussian();
        with[i] = 1 + random.nextGaussian();
      }
      double mu = ManyRunAudit.ofThreshold(without, with, 0.5).muAtLeast(0.001);
      accused += mu > 1 ? 1 : 0;
      sum += mu / 1000;
    }
    assertThat(accused).isLessThanOrEqualTo(12);
    assertThat(sum).isGreaterThan(0.55);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1, 0", "1, 0, 0, 0", "1, 2, 1, 0", "1, 0, 1, 2", "1, -1, 1, 0", "1, 0, 1, -1"})
  void countsThatCannotBe_areRefused(int without, int alarms, int with, int missed) {
    assertThatThrownBy(() -> new ManyRunAudit(without, alarms, with, missed))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
