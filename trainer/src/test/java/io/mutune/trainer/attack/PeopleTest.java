package io.mutune.trainer.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.Metric;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Known rows of people who have several. */
class PeopleTest {
  private static final int CLASSES = 3;
  private static final int FEATURES = 6;

  private final KnownRows rows = Attacked.easyRows(40, FEATURES, CLASSES, 7);
  private final double[] weights = numbers(8);
  private final double[] direction = numbers(9);

  private static double[] numbers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] numbers = new double[FEATURES * CLASSES];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextGaussian();
    }
    return numbers;
  }

  /** Ten people of four rows, none of them equal. */
  private KnownRows tenPeople() {
    RowBlocks blocks = rows.asPublic().blocks().withUnits(RowUnits.runs(10, 4));
    return KnownRows.of(new PublicRows(blocks));
  }

  private static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  /** What one person adds to the sum that training asks for, by the engine; 1e-9 is rounding. */
  private void assertPartsAreTheEngines(KnownRows people, ClipNorm clip) {
    RowGradients gradients = new RowGradients(Attacked.LOSS, clip);
    for (int person = 0; person < people.people().count(); person++) {
      double[] sum = new double[weights.length];
      try (ClippedSum alone =
          RowGradients.open(Engine.REFERENCE, people.only(person), Attacked.LOSS, CLASSES)) {
        alone.compute(weights, clip, RowSample.ALL, sum);
      }
      assertThat(gradients.along(people, person, weights, direction))
          .isCloseTo(dot(sum, direction), Offset.offset(1e-9));
      assertThat(length(gradients, people, person))
          .isCloseTo(Math.sqrt(dot(sum, sum)), Offset.offset(1e-9));
    }
  }

  /** Of what a person adds, along what the engine adds. */
  private double length(RowGradients gradients, KnownRows people, int person) {
    try (ClippedSum alone =
        RowGradients.open(Engine.REFERENCE, people.only(person), Attacked.LOSS, CLASSES)) {
      double[] sum = gradients.sum(alone, weights);
      return gradients.along(people, person, weights, sum) / Math.sqrt(dot(sum, sum));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.5, 100})
  void whatAPersonAdds_isWhatTheEngineAdds(double clip) {
    assertPartsAreTheEngines(tenPeople(), ClipNorm.of(clip));
    assertPartsAreTheEngines(rows.asPeople(20, true), ClipNorm.of(clip));
    assertPartsAreTheEngines(rows.asPeople(20, false), ClipNorm.of(clip));
    assertPartsAreTheEngines(rows.asPeople(1, true), ClipNorm.of(clip));
  }

  /** Twenty equal rows that are each clipped at C are twenty times as loud as the person who is. */
  @Test
  void aPersonOfTwentyRows_isClippedOnce() {
    ClipNorm clip = ClipNorm.of(0.01);
    RowGradients gradients = new RowGradients(Attacked.LOSS, clip);
    assertThat(length(gradients, rows.asPeople(20, true), 3)).isLessThanOrEqualTo(0.01);
    assertThat(length(gradients, rows.asPeople(20, false), 3))
        .isCloseTo(0.2, Offset.offset(0.2 * 3e-4));
  }

  @Test
  void peopleAreChosenWhole_andJoined() {
    KnownRows people = rows.asPeople(5, true);
    boolean[] member = Attacked.coins(40, 2);
    KnownRows in = people.where(member, true);
    KnownRows out = people.where(member, false);
    assertThat(in.people().count() + out.people().count()).isEqualTo(40);
    assertThat(in.count()).isEqualTo(5 * in.people().count());
    KnownRows both = in.and(out);
    assertThat(both.people().of(199)).isEqualTo(39);
    assertThat(both.asPublic().blocks().units()).isPresent();
    assertThat(people.only().count()).isZero();
  }

  @Test
  void peopleWhoAreClipped_doNotStandBesideSingleRows() {
    assertThatIllegalArgumentException().isThrownBy(() -> rows.and(rows.asPeople(2, true)));
    assertThat(rows.and(rows.asPeople(2, false)).asPublic().blocks().units()).isEmpty();
  }

  @Test
  void whatAModelSaysOfAPerson_isTheMeanOverTheirRows() {
    LinearModel model = new LinearModel(FEATURES, CLASSES, weights);
    double[] single = LossAttack.scores(model, rows, Attacked.LOSS);
    Counts counts = Metric.ACCURACY.counts(Attacked.LOSS, CLASSES);
    double[][] right = CountAttack.vectors(counts, model, rows);
    double[] people = LossAttack.scores(model, tenPeople(), Attacked.LOSS);
    double[][] counted = CountAttack.vectors(counts, model, tenPeople());
    assertThat(people[2])
        .isCloseTo((single[8] + single[9] + single[10] + single[11]) / 4, Offset.offset(1e-12));
    assertThat(counted[2])
        .containsExactly((right[8][0] + right[9][0] + right[10][0] + right[11][0]) / 4);
    assertThat(CountAttack.vectors(counts, model, rows.asPeople(7, false))[5])
        .containsExactly(7 * right[5][0]);
  }
}
