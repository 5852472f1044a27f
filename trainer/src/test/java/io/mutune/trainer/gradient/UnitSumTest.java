package io.mutune.trainer.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.kernel.BlockKernel;
import io.mutune.trainer.kernel.Kernels;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.layout.SampledRows;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.loss.SquaredLoss;
import io.mutune.trainer.noise.RowOrders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums in which all rows of a person are clipped together. */
class UnitSumTest {
  private static final double CLIP = 1;

  /** A person's rows. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Person(float[][] rows, int[] labels) {}

  private static List<ClippedSums> engines() {
    return List.of(
        Engine.REFERENCE,
        Engine.KERNEL.sums(RowOrders.seeded(1)),
        new KernelSums(RowOrders.seeded(2), Kernels.plain(), 2),
        Engine.ND4J.sums(RowOrders.seeded(3)));
  }

  /** In units of the sum; float32 residuals of people whose rows nearly cancel need the most. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void clippedSumsOfPeople_areWhatTheFormulaSays(int lossNumber) {
    Loss loss =
        List.of(new SoftmaxLoss(), new LogisticLoss(), new SquaredLoss(2, true), new HingeLoss())
            .get(lossNumber);
    boolean real = loss instanceof SquaredLoss;
    for (int seed = 0; seed < 10; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int classes = real ? 0 : loss instanceof SoftmaxLoss ? 2 + seed % 4 : 2;
      int features = 1 + 3 * seed;
      List<Person> people = people(random, features, classes);
      double[] weights = TestRows.weights(random, features * loss.columns(classes));
      double[] expected = formula(people, loss, classes, weights);
      PrivateRows rows = rows(people, random, real);
      for (ClippedSums engine : engines()) {
        double[] sum = new double[weights.length];
        try (ClippedSum clipped = engine.open(rows, loss, classes, ClipNorm.of(CLIP))) {
          clipped.compute(weights, sum);
        }
        assertThat(MathArrays.distance(sum, expected)).isLessThanOrEqualTo(1e-5 * norm(expected));
      }
    }
  }

  /** Persons of 1 to 50 rows: some with equal rows, rows of zeros, huge ones, ones not finite. */
  private static List<Person> people(SplittableRandom random, int features, int classes) {
    List<Person> people = new ArrayList<>();
    for (int p = 0; p < 120; p++) {
      int count = p % 3 == 0 ? 1 : random.nextInt(1, 51);
      float[][] rows = TestRows.normalRows(random, count, features);
      int[] labels = new int[count];
      for (int i = 0; i < count; i++) {
        labels[i] =
            classes == 0
                ? TargetRange.code(random.nextDouble(-1, 1))
                : random.nextInt(classes + (p % 7 == 0 ? 1 : 0));
        if (p % 5 == 1 && i > 0) {
          rows[i] = rows[0];
        } else if (p % 5 == 2 && i % 3 == 0) {
          rows[i] = new float[features];
        } else if (p % 5 == 3 && i % 4 == 0) {
          for (int j = 0; j < features; j++) {
            rows[i][j] *= 1e20f;
          }
        } else if (p % 5 == 4 && i % 5 == 1) {
          rows[i][0] = i % 2 == 0 ? Float.NaN : Float.POSITIVE_INFINITY;
        } else {
          for (int j = 0; j < features; j++) {
            rows[i][j] *= 0.01f;
          }
        }
      }
      people.add(new Person(rows, labels));
    }
    return people;
  }

  /** Σ over people of min(1, B/‖G‖, 16B/Σ‖g‖)·G with G the sum of the person's gradients g. */
  private static double[] formula(List<Person> people, Loss loss, int classes, double[] weights) {
    int columns = loss.columns(classes);
    double bound = CLIP * (1 - 3e-4);
    double[] sum = new double[weights.length];
    for (Person person : people) {
      double[] own = new double[weights.length];
      double lengths = 0;
      for (int i = 0; i < person.rows().length; i++) {
        float[] x = person.rows()[i];
        double[] z = new double[columns];
        for (int w = 0; w < weights.length; w++) {
          z[w % columns] += x[w / columns] * weights[w];
        }
        double[] g = new double[weights.length];
        if (loss.admits(person.labels()[i], classes)) {
          loss.toResidual(z, person.labels()[i]);
          for (int w = 0; w < weights.length; w++) {
            g[w] = x[w / columns] * z[w % columns];
          }
        }
        if (Arrays.stream(g).allMatch(Double::isFinite)) {
          lengths += norm(g);
          for (int w = 0; w < weights.length; w++) {
            own[w] += g[w];
          }
        }
      }
      double factor = 1;
      factor = Math.min(factor, norm(own) == 0 ? 1 : bound / norm(own));
      factor = Math.min(factor, lengths == 0 ? 1 : 16 * bound / lengths);
      for (int w = 0; w < weights.length; w++) {
        sum[w] += factor * own[w];
      }
    }
    return sum;
  }

  /** Rows of all people, mixed, each person's in their order. */
  private static PrivateRows rows(List<Person> people, SplittableRandom random, boolean real) {
    int[] left = people.stream().mapToInt(p -> p.rows().length).toArray();
    int total = IntStream.of(left).sum();
    float[][] rows = new float[total][];
    int[] labels = new int[total];
    int[] unitOf = new int[total];
    int[] numbers = new int[people.size()];
    Arrays.fill(numbers, -1);
    int next = 0;
    for (int row = 0; row < total; row++) {
      int p = random.nextInt(people.size());
      while (left[p] == 0) {
        p = (p + 1) % people.size();
      }
      Person person = people.get(p);
      int i = person.rows().length - left[p]--;
      rows[row] = person.rows()[i];
      labels[row] = person.labels()[i];
      numbers[p] = numbers[p] < 0 ? next++ : numbers[p];
      unitOf[row] = numbers[p];
    }
    RowBlocks blocks = TestRows.blocks(rows, labels);
    RowBlocks typed = new RowBlocks(blocks.columns(), blocks.blocks(), real);
    return new PrivateRows(typed.withUnits(RowUnits.of(unitOf)));
  }

  /**
   * Neighbours in the orders that docs/soundness.md pairs, every size of a person, every place:
   * rows that point the same way, and rows that cancel as far as a person's may. The last block
   * loses what it has last. Distances exceed what a person is clipped to, by less than is allowed.
   */
  @Test
  void onePersonMore_movesTheSumByAtMostTheClipNorm() {
    double worst = 0;
    for (BlockKernel kernel : new BlockKernel[] {Kernels.fastest(), Kernels.plain()}) {
      for (int size = 1; size <= BlockKernel.ROWS; size++) {
        for (double cancelling : new double[] {0, 1, 15, 1e6}) {
          SplittableRandom random = new SplittableRandom(size);
          int count = 2 * (BlockKernel.ROWS / size) + size % 2;
          int features = 1 + size % 3;
          List<Person> people = cancelling(random, count, size, features, cancelling);
          int[] order = IntStream.range(0, count).toArray();
          double[] whole = logistic(new KernelSums(n -> order, kernel, 1), rows(people));
          for (int gone : new int[] {0, 1, count / 2, count - 1}) {
            List<Person> less = new ArrayList<>(people);
            less.remove(gone);
            int[] paired = NeighbourSumTest.without(order, gone);
            double[] without = logistic(new KernelSums(n -> paired, kernel, 1), rows(less));
            double distance = MathArrays.distance(whole, without);
            assertThat(distance).isLessThanOrEqualTo(CLIP);
            worst = Math.max(worst, distance);
          }
        }
      }
    }
    assertThat(worst / (1 - ClipNorm.MARGIN_OF_UNITS) - 1).isBetween(1e-7, 2.98e-4);
  }

  /** Rows of one direction, and beside it one that is longer by a factor and turns at each row. */
  private static List<Person> cancelling(
      SplittableRandom random, int count, int size, int features, double factor) {
    List<Person> people = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      float[][] rows = new float[size][features];
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < features; j++) {
          double turning = (i % 2 == 0 ? 1 : -1) * factor * (5 + random.nextDouble());
          rows[i][j] = (float) (5 + random.nextDouble() + (size == 1 ? 0 : turning));
        }
      }
      people.add(new Person(rows, new int[size]));
    }
    return people;
  }

  private static PrivateRows rows(List<Person> people) {
    float[][] rows = people.stream().flatMap(p -> Arrays.stream(p.rows())).toArray(float[][]::new);
    int[] labels = people.stream().flatMapToInt(p -> IntStream.of(p.labels())).toArray();
    int[] unitOf =
        IntStream.range(0, people.size())
            .flatMap(p -> IntStream.generate(() -> p).limit(people.get(p).rows().length))
            .toArray();
    return new PrivateRows(TestRows.blocks(rows, labels).withUnits(RowUnits.of(unitOf)));
  }

  private static double[] logistic(ClippedSums engine, PrivateRows rows) {
    return logistic(engine, rows, RowSample.ALL);
  }

  private static double[] logistic(ClippedSums engine, PrivateRows rows, RowSample sample) {
    double[] sum = new double[rows.blocks().columns()];
    ClipNorm clip = ClipNorm.of(CLIP);
    try (ClippedSum clipped = engine.open(rows, new LogisticLoss(), 2, clip)) {
      clipped.compute(new double[sum.length], clip, sample, sum);
    }
    return sum;
  }

  @Test
  void aPersonWhoIsNotSampled_leavesTheSumAsItIsWithoutThem_bitForBit() {
    SplittableRandom random = new SplittableRandom(5);
    List<Person> people = people(random, 4, 2);
    for (ClippedSums engine : engines()) {
      for (int out : new int[] {0, 7, 60, 119}) {
        List<Person> less = new ArrayList<>(people);
        less.remove(out);
        int[] next = {0};
        double[] sampled = logistic(engine, rows(people), () -> next[0]++ != out);
        assertThat(next[0]).isEqualTo(people.size());
        assertThat(sampled).containsExactly(logistic(engine, rows(less), () -> true));
        int[] again = {0};
        PrivateRows part = SampledRows.of(rows(people), () -> again[0]++ != out);
        assertThat(logistic(engine, part)).containsExactly(logistic(engine, rows(less)));
      }
    }
  }

  /** Zeros, rows that are not finite, and rows that count for nobody. */
  @Test
  void rowsThatAddNothing_leaveTheSumAsItIsWithoutThem_bitForBit() {
    List<Person> people = people(new SplittableRandom(6), 3, 2);
    double[][] expected =
        engines().stream().map(engine -> logistic(engine, rows(people))).toArray(double[][]::new);
    for (float odd : new float[] {0, Float.NaN, 5}) {
      UnaryOperator<Person> more =
          person -> {
            float[][] rows = Arrays.copyOf(person.rows(), person.rows().length + 1);
            rows[rows.length - 1] = new float[] {odd, odd, odd};
            return new Person(rows, Arrays.copyOf(person.labels(), rows.length));
          };
      List<Person> longer = people.stream().map(more).toList();
      RowBlocks all = rows(longer).blocks();
      int[] unitOf = new int[(int) all.rows()];
      for (int p = 0, at = 0; p < longer.size(); p++) {
        int count = longer.get(p).rows().length;
        Arrays.fill(unitOf, at, at + count, p);
        unitOf[at + count - 1] = odd == 5 ? RowUnits.NONE : p;
        at += count;
      }
      PrivateRows rows = new PrivateRows(all.withUnits(RowUnits.of(unitOf)));
      List<ClippedSums> engines = engines();
      for (int e = 0; e < engines.size(); e++) {
        assertThat(logistic(engines.get(e), rows)).containsExactly(expected[e]);
      }
    }
  }

  /**
   * Gradients (50, 1/2) and (−50, 1/2): a sum of norm 1 of two that are a hundred times as long.
   */
  @Test
  void aPersonWhoseRowsNearlyCancel_isShortenedFurther() {
    float[][] rows = {{100, 1}, {-100, 1}};
    PrivateRows person = rows(List.of(new Person(rows, new int[2])));
    double expected = 16 * (1 - 3e-4) / Math.hypot(100, 1);
    for (ClippedSums engine : engines()) {
      double sum = norm(logistic(engine, person));
      assertThat(Math.abs(sum - expected)).isLessThanOrEqualTo(1e-5);
    }
  }

  /** Rows below the clip norm, where the two margins make no difference. */
  @Test
  void peopleOfOneRow_areRows_bitForBit() {
    SplittableRandom random = new SplittableRandom(7);
    float[][] values = TestRows.normalRows(random, 1000, 5);
    for (float[] row : values) {
      for (int j = 0; j < row.length; j++) {
        row[j] *= 0.01f;
      }
    }
    RowBlocks rows = TestRows.blocks(values, new int[values.length]);
    PrivateRows people = new PrivateRows(rows.withUnits(RowUnits.single(values.length)));
    ClippedSums engine = Engine.KERNEL.sums(RowOrders.seeded(1));
    assertThat(logistic(engine, people)).containsExactly(logistic(engine, new PrivateRows(rows)));
  }

  @Test
  void trialsTogether_getWhatEachWouldGetAlone() {
    SplittableRandom random = new SplittableRandom(8);
    PrivateRows rows = rows(people(random, 4, 3));
    ClippedSums engine = Engine.KERNEL.sums(RowOrders.seeded(8));
    ClipNorm[] clips = {ClipNorm.of(1), ClipNorm.of(0.1)};
    RowSample[] everyRow = {RowSample.ALL, RowSample.ALL};
    double[][] weights = {TestRows.weights(random, 12), TestRows.weights(random, 12)};
    double[][] together = new double[2][12];
    try (FusedClippedSum fused = engine.openFused(rows, new SoftmaxLoss(), 3, List.of(clips))) {
      fused.compute(weights, clips, everyRow, together, new boolean[] {true, true});
    }
    for (int t = 0; t < 2; t++) {
      double[] alone = new double[12];
      try (ClippedSum sum = engine.open(rows, new SoftmaxLoss(), 3, clips[t])) {
        sum.compute(weights[t], alone);
      }
      assertThat(together[t]).containsExactly(alone);
    }
  }

  private static double norm(double[] a) {
    return MathArrays.distance(a, new double[a.length]);
  }
}
