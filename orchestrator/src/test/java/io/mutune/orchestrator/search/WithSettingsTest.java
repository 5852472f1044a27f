package io.mutune.orchestrator.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Mu;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WithSettingsTest {
  private static final Mu MU = Mu.of(0.1);
  private static final RunScale SCALE = Trials.scale(10_000, 3);
  private static final WithSettings SPACE =
      new WithSettings(
          new RadiusSpace.ByLogitNoise(
              new Interval(0.5, 2, Interval.Scale.LOG), new StepRange(10, 20)),
          Map.of(
              "weightDecay", new Interval(1, 9, Interval.Scale.LINEAR),
              "clipNorm", new Interval(0.1, 10, Interval.Scale.LOG)));

  @Test
  void everyDraw_liesInEveryRange_andItsNuIsThatOfItsOwnClipNorm() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 1000; i++) {
      TrialPoint point = SPACE.draw(random, SCALE, MU);

      assertThat(point.settings()).containsOnlyKeys("clipNorm", "weightDecay");
      double clip = value(point, "clipNorm");
      assertThat(clip).isBetween(0.1, 10.0);
      assertThat(point.settings().get("weightDecay")).isBetween(1.0, 9.0);
      assertThat(point.steps()).isBetween(10, 20);
      // ν = r·C/((1 − β)·μ·n), and what is drawn is ν; the factor covers rounding.
      double nu = point.radius() * clip / (0.1 * MU.value() * 10_000);
      assertThat(nu).isBetween(0.5 * (1 - 1e-9), 2 * (1 + 1e-9));
      assertThat(SCALE.logitNoise(point, MU)).isBetween(nu * (1 - 1e-9), nu * (1 + 1e-9));
    }
  }

  @Test
  void aLattice_hasEveryCombinationOnce_andTheEndsOfEveryRange() {
    BestOf.Lattice lattice = new BestOf.Lattice(SPACE, 2, 1, 3);

    List<TrialPoint> points = lattice.of(SCALE, MU);

    assertThat(points).hasSize(2 * 3 * 3).hasSameSizeAs(Set.copyOf(points));
    assertThat(lattice.count()).isEqualTo(18);
    assertThat(values(points, "clipNorm")).containsExactlyInAnyOrder(0.1, 1.0, 10.0);
    assertThat(values(points, "weightDecay")).containsExactlyInAnyOrder(1.0, 5.0, 9.0);
  }

  private static double value(TrialPoint point, String setting) {
    return Objects.requireNonNull(point.settings().get(setting));
  }

  /** To nine digits: the logarithm's middle is rounded. */
  private static Set<Double> values(List<TrialPoint> points, String setting) {
    return points.stream()
        .map(point -> Math.round(value(point, setting) * 1e9) / 1e9)
        .collect(Collectors.toSet());
  }

  @Test
  void withoutACount_theSettingsAreInTheMiddle() {
    TrialPoint point = SPACE.at(0, 15, SCALE, MU);

    assertThat(point.settings().get("weightDecay")).isEqualTo(5);
    assertThat(SCALE.logitNoise(point, MU)).isBetween(0.5 * (1 - 1e-9), 0.5 * (1 + 1e-9));
  }
}
