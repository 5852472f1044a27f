package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.TestRows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows right and wrong by class: how far a unit moves them, and what is released of them. */
class ClassCountsTest {
  /** Class 1 for a positive number, else class 0. */
  private static final LinearModel SIGN = new LinearModel(1, 1, new double[] {1});

  /** Every row that there is: right or wrong of either class, and one whose label is none. */
  private static final float[][] KINDS = {{-1, 0}, {1, 0}, {1, 1}, {-1, 1}, {1, -1}};

  /** What is counted of rows. */
  private enum Counts {
    RIGHT_BY_CLASS {
      @Override
      double[] of(RowBlocks rows) throws UnsuitableRowsException {
        return ClassCounts.of(SIGN, rows);
      }
    },
    SAID_BY_CLASS {
      @Override
      double[] of(RowBlocks rows) throws UnsuitableRowsException {
        return ClassCounts.confusion(SIGN, rows);
      }
    };

    abstract double[] of(RowBlocks rows) throws UnsuitableRowsException;
  }

  private static double[] cells(Counts counts, List<int[]> units) throws UnsuitableRowsException {
    List<float[]> rows = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int unit = 0; unit < units.size(); unit++) {
      for (int kind : units.get(unit)) {
        rows.add(new float[] {KINDS[kind][0]});
        labels.add((int) KINDS[kind][1]);
        owners.add(unit);
      }
    }
    return counts.of(
        TestRows.blocks(
                rows.toArray(float[][]::new), labels.stream().mapToInt(Integer::intValue).toArray())
            .withUnits(RowUnits.of(owners.stream().mapToInt(Integer::intValue).toArray())));
  }

  /** All people of one to three rows. */
  private static List<int[]> people() {
    List<int[]> people = new ArrayList<>();
    for (int a = 0; a < KINDS.length; a++) {
      people.add(new int[] {a});
      for (int b = 0; b < KINDS.length; b++) {
        people.add(new int[] {a, b});
        for (int c = 0; c < KINDS.length; c++) {
          people.add(new int[] {a, b, c});
        }
      }
    }
    return people;
  }

  private static double distance(double[] one, double[] other) {
    double squares = 0;
    for (int i = 0; i < one.length; i++) {
      squares += (one[i] - other[i]) * (one[i] - other[i]);
    }
    return Math.sqrt(squares);
  }

  /** Beside every two others: the counts are sums, so more of them tell nothing more. */
  @ParameterizedTest
  @EnumSource
  void onePersonMoreOrOther_movesTheCellsByWhatIsCharged_whoeverTheyAre(Counts counts)
      throws Exception {
    double furthestMore = 0;
    double furthestOther = 0;
    List<int[]> people = people();
    for (int[] beside : List.of(new int[] {0}, new int[] {1, 2, 3})) {
      double[] without = cells(counts, List.of(beside));
      List<double[]> with = new ArrayList<>();
      for (int[] person : people) {
        with.add(cells(counts, List.of(beside, person)));
      }
      for (double[] one : with) {
        furthestMore = Math.max(furthestMore, distance(one, without));
        for (double[] other : with) {
          furthestOther = Math.max(furthestOther, distance(one, other));
        }
      }
    }
    assertThat(furthestMore).isEqualTo(NoisyClassCounts.sensitivity(Adjacency.ADD_REMOVE));
    // Exactly √2, of which the charge has the next double.
    assertThat(furthestOther)
        .isEqualTo(Math.sqrt(2))
        .isLessThanOrEqualTo(NoisyClassCounts.sensitivity(Adjacency.REPLACE_ONE));
    assertThat(Math.pow(NoisyClassCounts.sensitivity(Adjacency.REPLACE_ONE), 2)).isGreaterThan(2);
  }

  @ParameterizedTest
  @EnumSource
  void oneRowMoreOrOther_movesTheCellsByWhatIsCharged_whateverItIs(Counts counts) throws Exception {
    RowBlocks before = rows(0, 1, 2);
    for (int more = 0; more < KINDS.length; more++) {
      double[] with = counts.of(rows(0, 1, 2, more));
      assertThat(distance(with, counts.of(before))).isIn(0.0, 1.0);
      for (int other = 0; other < KINDS.length; other++) {
        assertThat(distance(with, counts.of(rows(0, 1, 2, other))))
            .isLessThanOrEqualTo(Math.sqrt(2));
      }
    }
  }

  private static RowBlocks rows(int... kinds) {
    float[][] rows = new float[kinds.length][];
    int[] labels = new int[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      rows[i] = new float[] {KINDS[kinds[i]][0]};
      labels[i] = (int) KINDS[kinds[i]][1];
    }
    return TestRows.blocks(rows, labels);
  }

  /** Three of four of class 0, one of two of class 1. */
  @Test
  void onPublicRows_itIsTheMeanOfTheClassesShares() throws Exception {
    PublicRows rows = new PublicRows(rows(0, 0, 0, 1, 2, 3));
    assertThat(Metric.BALANCED_ACCURACY.of(SIGN, rows)).isEqualTo((0.75 + 0.5) / 2);
    assertThat(Metric.ACCURACY.of(SIGN, rows)).isEqualTo(4 / 6.0);
    // A class without rows does not count.
    assertThat(Metric.BALANCED_ACCURACY.of(SIGN, new PublicRows(rows(0, 0, 1, 4))))
        .isCloseTo(2 / 3.0, within(1e-15));
  }

  @Test
  void noise_isAddedToTheCounts_andTheScoreStaysInItsRange() throws Exception {
    NoisyScore score =
        Metric.BALANCED_ACCURACY.noisy(NoiseMultiplier.of(2), Adjacency.ADD_REMOVE, 6);
    ReservedCharge charged = () -> new Charge("score 1", score.mechanism());
    PrivateRows rows = new PrivateRows(rows(0, 0, 0, 1, 2, 3));
    // Cells 3, 1, 1, 1 with two added rows a class, and no noise.
    assertThat(score.score(charged, rows, SIGN, () -> 0)).isEqualTo((4 / 6.0 + 2 / 4.0) / 2);
    // Each cell has 2 more.
    assertThat(score.score(charged, rows, SIGN, () -> 1)).isEqualTo((6 / 10.0 + 4 / 8.0) / 2);
    for (double draw : new double[] {-1e9, -3, -0.7, 1e9}) {
      double[] next = {draw};
      double released = score.score(charged, rows, SIGN, () -> next[0] = -next[0]);
      assertThat(released).isBetween(0.0, 1.0);
    }
  }

  @Test
  void withoutTheRightCharge_noRowIsRead() {
    NoisyScore score =
        Metric.BALANCED_ACCURACY.noisy(NoiseMultiplier.of(2), Adjacency.REPLACE_ONE, 6);
    ReservedCharge ofAddRemove =
        () -> new Charge("score 1", new Gaussian(NoiseMultiplier.of(2), 1, 1));
    LinearModel unsuited = LinearModel.zero(2, 1);
    assertThat(score.mechanism().sensitivity()).isEqualTo(Math.nextUp(Math.sqrt(2)));
    assertThatIllegalStateException()
        .isThrownBy(() -> score.score(ofAddRemove, new PrivateRows(rows(0)), unsuited, () -> 0));
  }
}
