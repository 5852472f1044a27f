package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.table.BooleanType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.ColumnGroups;
import io.mutune.trainer.table.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How far one unit moves each family of counts: all of them, on small data. */
class CountsTest {
  /** A row: what the model's logits are, and the label. */
  private record Kind(List<Float> logits, int label) {
    static Kind of(float logit, int label) {
      return new Kind(List.of(logit), label);
    }
  }

  private static List<Family> families() {
    Loss logistic = new LogisticLoss();
    Loss softmax = new SoftmaxLoss();
    return List.of(
        new Family("right", Counts.right(), Family.twoClasses(), true),
        new Family("by class", Counts.byClass(2), Family.twoClasses(), true),
        new Family("confusion", Counts.confusion(2), Family.twoClasses(), true),
        new Family("confusion of three", Counts.confusion(3), Family.threeClasses(), true),
        new Family("one of three", Counts.ofClass(1, 3), Family.threeClasses(), true),
        new Family("bins", Counts.bins(logistic, 2), Family.twoClasses(), true),
        new Family("one-vs-rest", Counts.bins(softmax, 3), Family.threeClasses(), true),
        new Family("loss", Counts.boundedLoss(logistic, 2), Family.twoClasses(), true),
        new Family("closeness", Counts.closeness(), Family.targets(), true),
        new Family("squared closeness", Counts.squaredCloseness(), Family.targets(), true),
        new Family("confusion by group", grouped(), Family.twoClasses(), true),
        // No target is −1 and has a square of 0: what a replaced row is charged is not reached.
        new Family("squares", Counts.squares(), Family.targets(), false));
  }

  /** By whether the one feature is 1, as a yes is. */
  private static Counts grouped() {
    Table table =
        Table.of(new Column("sure", new BooleanType(BooleanType.YES, BooleanType.NO, null)));
    ColumnGroups by = new ColumnGroups("sure", List.of("no", "yes"));
    return Counts.confusion(2).inGroups(new RowGroups(by, table, FeaturePipeline.of()));
  }

  /**
   * A family, and every kind of row that there is for it.
   *
   * @param reached whether what is charged for a replaced row can be shown
   */
  private record Family(String name, Counts counts, List<Kind> kinds, boolean reached) {
    private int columns() {
      return kinds.get(0).logits().size();
    }

    @Override
    public String toString() {
      return name;
    }

    private static List<Kind> twoClasses() {
      List<Kind> kinds = new ArrayList<>();
      for (float logit : new float[] {-1000, -0.5f, 0, 1, Float.NaN}) {
        for (int label : new int[] {0, 1}) {
          kinds.add(Kind.of(logit, label));
        }
      }
      kinds.add(Kind.of(3, RowBlocks.NO_LABEL));
      return kinds;
    }

    private static List<Kind> threeClasses() {
      List<Kind> kinds = new ArrayList<>();
      for (float sure : new float[] {0.4f, 9}) {
        for (int said = 0; said < 3; said++) {
          for (int label = 0; label < 3; label++) {
            List<Float> logits = new ArrayList<>(List.of(0f, 0f, 0f));
            logits.set(said, sure);
            kinds.add(new Kind(logits, label));
          }
        }
      }
      kinds.add(new Kind(List.of(0f, 0f, 0f), -1));
      return kinds;
    }

    private static List<Kind> targets() {
      List<Kind> kinds = new ArrayList<>();
      for (float said : new float[] {-7, 0.3f, 1}) {
        for (double target : new double[] {-1, 0, 1}) {
          kinds.add(Kind.of(said, TargetRange.code(target)));
        }
      }
      kinds.add(Kind.of(1, RowBlocks.NO_LABEL));
      return kinds;
    }

    RowBlocks rows(List<int[]> units) {
      int columns = columns();
      int all = units.stream().mapToInt(unit -> unit.length).sum();
      float[] features = new float[all * columns];
      int[] labels = new int[all];
      int next = 0;
      for (int[] unit : units) {
        for (int kind : unit) {
          for (int i = 0; i < columns; i++) {
            features[next * columns + i] = kinds.get(kind).logits().get(i);
          }
          labels[next++] = kinds.get(kind).label();
        }
      }
      return new RowBlocks(
          columns, List.of(new RowBlocks.Block(features, labels)), kinds.equals(targets()));
    }

    double[] sums(RowBlocks rows) throws UnsuitableRowsException {
      int columns = columns();
      double[] same = new double[columns * columns];
      for (int i = 0; i < columns; i++) {
        same[i * columns + i] = 1;
      }
      return CountSum.of(counts, new LinearModel(columns, columns, same), rows);
    }

    double[] ofPeople(List<int[]> people) throws UnsuitableRowsException {
      int[] owners = new int[people.stream().mapToInt(person -> person.length).sum()];
      int next = 0;
      for (int person = 0; person < people.size(); person++) {
        Arrays.fill(owners, next, next += people.get(person).length, person);
      }
      return sums(rows(people).withUnits(RowUnits.of(owners)));
    }

    /** All people of one to three rows, of many kinds of rows to two. */
    List<int[]> people() {
      List<int[]> people = new ArrayList<>();
      for (int a = 0; a < kinds.size(); a++) {
        people.add(new int[] {a});
        for (int b = 0; b < kinds.size(); b++) {
          people.add(new int[] {a, b});
          for (int c = 0; c < kinds.size() && kinds.size() < 12; c++) {
            people.add(new int[] {a, b, c});
          }
        }
      }
      return people;
    }
  }

  /** Beside two others: the counts are sums, so more of them tell nothing more. */
  @ParameterizedTest
  @MethodSource("families")
  void onePersonMoreOrOther_movesTheCountsByWhatIsCharged_whoeverTheyAre(Family family)
      throws Exception {
    int[] beside = {0, 1, 2};
    double[] without = family.ofPeople(List.of(beside));
    List<double[]> with = new ArrayList<>();
    for (int[] person : family.people()) {
      with.add(family.ofPeople(List.of(beside, person)));
    }
    check(family, without, with);
  }

  @ParameterizedTest
  @MethodSource("families")
  void oneRowMoreOrOther_movesTheCountsByWhatIsCharged_whateverItIs(Family family)
      throws Exception {
    double[] without = family.sums(family.rows(List.of(new int[] {0, 1, 2})));
    List<double[]> with = new ArrayList<>();
    for (int more = 0; more < family.kinds().size(); more++) {
      with.add(family.sums(family.rows(List.of(new int[] {0, 1, 2, more}))));
    }
    check(family, without, with);
  }

  /** What is charged is reached too: no family is charged for more than it can show. */
  private static void check(Family family, double[] without, List<double[]> with) {
    double furthestMore = 0;
    double furthestOther = 0;
    for (double[] one : with) {
      furthestMore = Math.max(furthestMore, MathArrays.distance(one, without));
      for (double[] other : with) {
        furthestOther = Math.max(furthestOther, MathArrays.distance(one, other));
      }
    }
    double more = family.counts().sensitivity(Adjacency.ADD_REMOVE);
    double other = family.counts().sensitivity(Adjacency.REPLACE_ONE);
    assertThat(furthestMore).isLessThanOrEqualTo(more).isGreaterThan(more - 1e-12);
    assertThat(furthestOther).isLessThanOrEqualTo(other);
    if (family.reached()) {
      assertThat(furthestOther).isGreaterThan(other - 1e-12);
    }
  }

  /** The square of what is charged is at least the number under the root, in exact arithmetic. */
  @Test
  void roots_areRoundedUp() {
    for (int classes = 3; classes < 100; classes++) {
      Counts counts = Counts.bins(new SoftmaxLoss(), classes);
      for (Adjacency adjacency : Adjacency.values()) {
        BigDecimal s = new BigDecimal(counts.sensitivity(adjacency));
        int square = adjacency == Adjacency.ADD_REMOVE ? classes : 2 * classes;
        assertThat(s.multiply(s)).isGreaterThanOrEqualTo(BigDecimal.valueOf(square));
        assertThat(s.doubleValue()).isLessThan(Math.sqrt(square) + 1e-14);
      }
    }
  }

  /** In blocks of any size, and people whose rows lie in several. */
  @Test
  void blocks_makeNoDifference() throws Exception {
    Family family = families().get(3);
    List<int[]> people = family.people();
    RowBlocks one = family.rows(people);
    int[] owners = new int[Math.toIntExact(one.rows())];
    Arrays.setAll(owners, row -> row % 300);
    RowBlocks.Block all = one.blocks().get(0);
    List<RowBlocks.Block> cut = new ArrayList<>();
    for (int from = 0; from < all.rows(); from += 7) {
      int to = Math.min(all.rows(), from + 7);
      cut.add(
          new RowBlocks.Block(
              Arrays.copyOfRange(all.features(), 3 * from, 3 * to),
              Arrays.copyOfRange(all.labels(), from, to)));
    }
    RowBlocks many = new RowBlocks(3, cut);
    assertThat(family.sums(many)).isEqualTo(family.sums(one));
    assertThat(family.sums(many.withUnits(RowUnits.of(owners))))
        .isEqualTo(family.sums(one.withUnits(RowUnits.of(owners))));
  }
}
