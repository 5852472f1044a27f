package io.mutune.trainer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.LabelColumn;
import io.mutune.trainer.data.UnlabelledSpec;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictorTest {
  private static final CsvLayout UNLABELLED = new CsvLayout(',', false, new LabelColumn.None());

  @TempDir Path folder;

  private UnlabelledSpec rows(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), text);
    return new UnlabelledSpec(file, DataFormat.CSV, UNLABELLED, 2);
  }

  @Test
  void rows_goThroughTheFeatureMapsFirst() throws IOException {
    // Logits x and 3y: without the bounds 9, 4 would be class 1.
    LinearModel model = new LinearModel(2, 2, new double[] {1, 0, 0, 3});
    FeaturePipeline maps = FeaturePipeline.of(new Scale(4, 5));
    assertThat(new Predictor(model, maps).classes(rows("9,4\n4,9\n"))).containsExactly(0, 1);
    assertThat(new Predictor(model, FeaturePipeline.of()).classes(rows("9,4\n")))
        .containsExactly(1);
  }

  @Test
  void rowsThatDoNotSuitTheModel_areRefused() {
    Predictor predictor = new Predictor(LinearModel.zero(3, 2), FeaturePipeline.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> predictor.classes(rows("1,2\n")))
        .withMessage("rows of 2 features do not suit a model of 3");
  }
}
