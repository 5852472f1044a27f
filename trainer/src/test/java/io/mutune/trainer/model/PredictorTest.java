package io.mutune.trainer.model;

import static io.mutune.trainer.model.LinearModel.classOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.UnlabelledSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictorTest {
  private static final CsvLayout UNLABELLED = new CsvLayout(',', false, new LabelColumn.None());

  @TempDir Path folder;

  private UnlabelledSpec rows(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), text);
    return new UnlabelledSpec(file, RowForm.ofNumbers(DataFormat.CSV, UNLABELLED, 2));
  }

  @Test
  void rows_goThroughTheFeatureMapsFirst() throws IOException {
    // Logits x and 3y: without the bounds 9, 4 would be class 1.
    LinearModel model = new LinearModel(2, 2, new double[] {1, 0, 0, 3});
    FeaturePipeline maps = FeaturePipeline.of(new Scale(4, 5));
    assertThat(classes(new Predictor(model, maps), rows("9,4\n4,9\n"))).containsExactly(0, 1);
    assertThat(classes(new Predictor(model, FeaturePipeline.of()), rows("9,4\n")))
        .containsExactly(1);
  }

  private static List<Integer> classes(Predictor predictor, UnlabelledSpec rows)
      throws IOException {
    List<Integer> classes = new ArrayList<>();
    predictor.forEach(rows, first -> scores -> classes.add(classOf(scores)), piece -> {});
    return classes;
  }

  /** Places of rows, each told by the row's own content. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Places(List<Long> seen, long[] next, boolean[] agree) implements Predictor.Scored {
    @Override
    public void row(double[] scores) {
      agree[0] &= scores[0] == next[0];
      seen.add(next[0]++);
    }
  }

  @Test
  void manyRows_comeInPiecesInTheOrderOfTheFile() throws IOException {
    int many = 50_000; // several batches of at most 32 pieces of 256 rows
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < many; row++) {
      text.append(row).append(",0\n");
    }
    Predictor predictor =
        new Predictor(new LinearModel(2, 1, new double[] {1, 0}), FeaturePipeline.of());
    List<Long> all = new ArrayList<>();
    List<Boolean> agree = new ArrayList<>();
    predictor.forEach(
        rows(text.toString()),
        first -> new Places(new ArrayList<>(), new long[] {first}, new boolean[] {true}),
        piece -> {
          all.addAll(piece.seen());
          agree.add(piece.agree()[0]);
        });
    assertThat(all).isEqualTo(LongStream.range(0, many).boxed().toList());
    assertThat(agree).doesNotContain(false).hasSizeGreaterThan(many / 256);
  }

  @Test
  void whatTheTakerThrows_isThrown() throws IOException {
    Predictor predictor = new Predictor(LinearModel.zero(2, 1), FeaturePipeline.of());
    UnlabelledSpec rows = rows("1,2\n".repeat(20_000));
    assertThatIOException()
        .isThrownBy(
            () ->
                predictor.forEach(
                    rows,
                    first -> scores -> {},
                    piece -> {
                      throw new IOException("no space left");
                    }))
        .withMessage("no space left");
  }

  @Test
  void rowsThatDoNotSuitTheModel_areRefused() {
    Predictor predictor = new Predictor(LinearModel.zero(3, 2), FeaturePipeline.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> classes(predictor, rows("1,2\n")))
        .withMessage("rows of 2 features do not suit a model of 3");
  }
}
