package io.mutune.trainer.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.loss.LogisticLoss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.util.MathArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scores of people, from a file to the figure: every neighbour of small files is tried. */
class PeopleScoresTest {
  /** Of a person's row: the sign of the feature, which the model takes for the class; the class. */
  private static final List<String> KINDS = List.of("+,p", "+,n", "-,n", "?,p");

  private static final int MOST_ROWS = 2;

  private static final LinearModel SIGN = new LinearModel(2, 1, new double[] {1, -1});

  private static final Table TABLE =
      new Table(
          List.of(
              new Column("who", new IdType()),
              new Column("sign", new CategoryType(List.of("+", "-"), false, false)),
              new Column("class", new LabelType(List.of("n", "p"), Map.of(), List.of()))),
          List.of(),
          "who",
          MOST_ROWS);

  /** Two people and a row without an id. */
  private static final List<List<String>> OTHERS =
      List.of(List.of("b,+,p", "c,-,p", ",+,p", "c,-,n"), List.of("c,-,n", "b,?,n", "b,+,n"));

  @TempDir Path folder;
  private int files;

  private PrivateRows rows(List<String> lines, Adjacency adjacency) throws IOException {
    Path file = folder.resolve("rows" + files++ + ".csv");
    Files.writeString(file, "who,sign,class\n" + String.join("\n", lines) + "\n");
    DataSpec spec =
        DataSpec.of(
            List.of(file), DataFormat.CSV, CsvLayout.ofTable(',', true, false, 0), TABLE, null);
    return new PrivateData(spec, 3, FeaturePipeline.of(), null)
        .under(adjacency)
        .rows(() -> new Charge("score 1", new Gaussian(NoiseMultiplier.of(1), 1, 1)));
  }

  private static double sum(PrivateRows rows) throws UnsuitableRowsException {
    NoisyScore score =
        Metric.ACCURACY.noisy(
            NoiseMultiplier.of(1), Adjacency.ADD_REMOVE, 1, new LogisticLoss(), 2);
    ReservedCharge charged = () -> new Charge("score 1", score.mechanism());
    return score.score(charged, rows, SIGN, () -> 0);
  }

  /** All people of no to three rows, of which at most two count. */
  private static List<List<String>> people() {
    List<List<String>> people = new ArrayList<>(List.of(List.of()));
    for (int from = 0, rows = 1; rows <= 3; rows++) {
      int to = people.size();
      for (int i = from; i < to; i++) {
        for (String kind : KINDS) {
          List<String> more = new ArrayList<>(people.get(i));
          more.add("a," + kind);
          people.add(more);
        }
      }
      from = to;
    }
    return people;
  }

  /** The person's rows among those of others, the first of them first. */
  private static List<String> among(List<String> others, List<String> person) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < Math.max(others.size(), person.size()); i++) {
      if (i < person.size()) {
        lines.add(person.get(i));
      }
      if (i < others.size()) {
        lines.add(others.get(i));
      }
    }
    return lines;
  }

  @Test
  void onePersonMoreOrOther_movesAScoreByWhatIsCharged_whateverTheirRows() throws Exception {
    for (Adjacency adjacency : Adjacency.values()) {
      double furthestSum = 0;
      double furthestCells = 0;
      for (List<String> others : OTHERS) {
        List<Double> sums = new ArrayList<>();
        List<double[]> cells = new ArrayList<>();
        for (List<String> person : people()) {
          PrivateRows rows = rows(among(others, person), adjacency);
          sums.add(sum(rows));
          cells.add(CountSum.of(Counts.byClass(2), SIGN, rows.blocks()));
        }
        for (int i = 0; i < sums.size(); i++) {
          for (int j = 0; j < (adjacency == Adjacency.ADD_REMOVE ? 1 : i); j++) {
            furthestSum = Math.max(furthestSum, Math.abs(sums.get(i) - sums.get(j)));
            furthestCells =
                Math.max(furthestCells, MathArrays.distance(cells.get(i), cells.get(j)));
          }
        }
      }
      // Reached, and not passed.
      assertThat(furthestSum).isEqualTo(1);
      assertThat(furthestCells)
          .isLessThanOrEqualTo(Counts.byClass(2).sensitivity(adjacency))
          .isGreaterThan(Counts.byClass(2).sensitivity(adjacency) - 1e-12);
    }
  }

  /** b earns 1 of one row, c a half of two. */
  @Test
  void aPersonEarnsTheMeanOfTheRowsThatCount_andARowWithoutAnIdNothing() throws Exception {
    List<String> lines = new ArrayList<>(List.of("b,+,p", "c,-,p", "c,-,n"));
    assertThat(sum(rows(lines, Adjacency.ADD_REMOVE))).isEqualTo(1.5);
    lines.add(0, ",+,p");
    lines.add(",+,n");
    assertThat(sum(rows(lines, Adjacency.ADD_REMOVE))).isEqualTo(1.5);
    // Two of c's four rows count, whoever stands between them.
    double alone = sum(rows(List.of("c,-,p", "c,-,n", "c,-,p", "c,-,n"), Adjacency.ADD_REMOVE));
    assertThat(alone).isIn(0.0, 0.5, 1.0);
    assertThat(
            sum(
                rows(
                    List.of("c,-,p", "b,+,p", "c,-,n", "c,-,p", "b,+,p", "c,-,n"),
                    Adjacency.ADD_REMOVE)))
        .isEqualTo(1 + alone);
  }
}
