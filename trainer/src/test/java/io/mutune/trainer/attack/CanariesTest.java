package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.ReleasedSum;
import io.mutune.trainer.method.Velocity;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CanariesTest {
  private final KnownRows base = Attacked.easyRows(50, 8, 3, 1);

  @Test
  void gradientCanaries_areAllDifferent_andOfOneFeatureEach() {
    KnownRows canaries = Canaries.gradient(base, 3, 24, 2);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < canaries.count(); i++) {
      int nonZero = 0;
      int at = -1;
      for (int j = 0; j < 8; j++) {
        if (canaries.row(i)[j] != 0) {
          nonZero++;
          at = j;
        }
      }
      assertThat(nonZero).isEqualTo(1);
      assertThat(canaries.row(i)[at]).isEqualTo(base.greatest());
      seen.add(at + "/" + canaries.label(i));
    }
    assertThat(seen).hasSize(24);
    assertThatThrownBy(() -> Canaries.gradient(base, 3, 25, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("25");
  }

  /** Where nothing else is, nobody has to know the others. */
  @Test
  void quietCanaries_haveTheFeaturesThatTheOthersHaveLeastIn() {
    KnownRows like =
        new KnownRows(4, new float[][] {{0, 3, 0.5f, 1}, {0, -3, 0.5f, 1}}, new int[] {0, 1});
    KnownRows canaries = Canaries.quiet(like, 3, 5);

    Set<String> seen = new HashSet<>();
    for (int i = 0; i < canaries.count(); i++) {
      assertThat(canaries.row(i)[0] + canaries.row(i)[2]).isEqualTo(3);
      seen.add(canaries.row(i)[0] + "/" + canaries.label(i));
    }
    assertThat(seen).hasSize(5);
    assertThatThrownBy(() -> Canaries.quiet(like, 3, 13))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12 at most");
  }

  @Test
  void mislabelledCanaries_areRowsOfTheDataUnderAnotherLabel() {
    KnownRows canaries = Canaries.mislabelled(base, 3, 50, 2);
    Set<Integer> rows = new HashSet<>();
    for (int i = 0; i < canaries.count(); i++) {
      for (int row = 0; row < base.count(); row++) {
        if (base.row(row) == canaries.row(i)) {
          rows.add(row);
          assertThat(canaries.label(i)).isNotEqualTo(base.label(row)).isBetween(0, 2);
        }
      }
    }
    assertThat(rows).hasSize(50);
    assertThatThrownBy(() -> Canaries.mislabelled(base, 3, 51, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** In column y the gradient at zero weights is −(1 − 1/k)·x, so x has to be against v(y). */
  @Test
  void amplifiedCanaries_pointAlongTheMomentum() {
    double[] momentum = new double[8 * 3];
    for (int i = 0; i < momentum.length; i++) {
      momentum[i] = Math.sin(i);
    }
    KnownRows canaries = Canaries.amplified(base, 3, 30, 2, momentum);
    RowGradients gradients = new RowGradients(Attacked.LOSS, ClipNorm.of(100));
    double along = 0;
    for (int i = 0; i < 30; i++) {
      double[] column = new double[momentum.length];
      for (int j = 0; j < 8; j++) {
        column[3 * j + canaries.label(i)] = momentum[3 * j + canaries.label(i)];
      }
      along += gradients.along(canaries, i, new double[24], column);
    }
    assertThat(along).isPositive();
    assertThatThrownBy(() -> Canaries.amplified(base, 3, 30, 2, new double[23]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("amplified");
  }

  @Test
  void rowsThatAreWritten_readBackTheSame(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("rows.npz");
    base.write(file);
    DataSpec spec =
        new DataSpec(file, null, DataFormat.NPZ, CsvLayout.standard(), ClassLabels.of(3), 8, null);
    KnownRows read = KnownRows.of(new PublicData(spec, FeaturePipeline.of()).rows());

    assertThat(read.count()).isEqualTo(50);
    for (int i = 0; i < 50; i++) {
      assertThat(read.row(i)).isEqualTo(base.row(i));
      assertThat(read.label(i)).isEqualTo(base.label(i));
    }
  }

  @Test
  void mappedRows_areThoseThatTrainingHas() throws Exception {
    FeaturePipeline maps = FeaturePipeline.of(new Scale(0, 2), new L2Normalize());
    KnownRows mapped = base.mapped(maps);
    float[] image = new float[8];
    maps.open(8).apply(base.row(7), 0, image, 0);

    assertThat(mapped.row(7)).isEqualTo(image);
    assertThat(base.silent().mapped(maps).isZero()).isTrue();
    assertThat(base.silent().mapped(FeaturePipeline.of(new Scale(-2, 2))).isZero()).isFalse();
    assertThat(base.only(3, 5).count()).isEqualTo(2);
    assertThat(base.times(2).row(0)[0]).isEqualTo(2 * base.row(0)[0]);
    assertThat(base.silent().greatest()).isEqualTo(1);
  }

  @Test
  void rowsThatDoNotFit_areRefused() {
    assertThatThrownBy(() -> new KnownRows(2, new float[1][3], new int[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KnownRows(2, new float[1][2], new int[2]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Two steps between iterates: v₂ = β²v₀ + βg₁ + g₂. */
  @Test
  void aBlockOfSteps_isToldAsOneSum() {
    Velocity means = new Velocity.OfMeans(0.5, ClipNorm.of(2), 10, 1, 0, new double[0]);
    ReleasedDescent told =
        ReleasedDescent.of(
            List.of(
                new Iterate(2, new double[] {7}, new double[] {3}),
                new Iterate(3, new double[] {8}, new double[] {4})),
            new double[] {5},
            NoiseMultiplier.of(3),
            means);

    assertThat(told.steps().get(0).weights()).containsExactly(5);
    assertThat(told.steps().get(0).sum()).containsExactly(30);
    assertThat(told.steps().get(0).parts()).isEqualTo(1.5);
    assertThat(told.steps().get(0).squares()).isEqualTo(1.25);
    assertThat(told.steps().get(1).sum()[0]).isCloseTo(25, Offset.offset(1e-12));
    assertThat(told.steps().stream().map(ReleasedSum::exact)).containsExactly(false, true);
    assertThat(told.deviation(told.steps().get(1))).isEqualTo(6);
    assertThatThrownBy(
            () ->
                ReleasedDescent.of(
                    List.of(new Iterate(0, new double[1], new double[1])),
                    new double[1],
                    NoiseMultiplier.of(3),
                    means))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
