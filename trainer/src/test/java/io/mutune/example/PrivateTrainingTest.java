package io.mutune.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.testing.ShownCode;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.score.Metric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateTrainingTest {
  private static final Path DIGITS =
      Path.of(System.getProperty("mutune.root", ".."), "sweeps/data/digits.csv.gz");

  @TempDir private Path folder;
  private final List<String> begun = new ArrayList<>();

  /**
   * A model without a look at the rows gets a tenth of the 497 digits right. Accuracy deviates from
   * run to run by the noise's hundredth or two, and from 0.5 by ten times that.
   */
  @Test
  void theExample_learnsAfterItsChargeIsWritten() throws Exception {
    Path ledger = folder.resolve("ledger");
    LinearModel model = PrivateTraining.digits(DIGITS, ledger, journal(ledger));
    assertThat(begun).isNotEmpty().allMatch(charges -> charges.contains("final"));
    DataSpec test =
        new DataSpec(
            DIGITS,
            null,
            DataFormat.CSV,
            CsvLayout.standard(),
            ClassLabels.of(10),
            64,
            new RowRange(1301, 1797));
    FeaturePipeline unit = FeaturePipeline.of(new Scale(0, 16), new L2Normalize());
    assertThat(Metric.ACCURACY.of(model, new SoftmaxLoss(), new PublicData(test, unit).rows()))
        .isGreaterThan(0.5);
  }

  @Test
  void theDocumentation_showsTheExample() throws Exception {
    assertThat(ShownCode.in("docs/library.md"))
        .contains(ShownCode.source("trainer/src/test/java/io/mutune/example/PrivateTraining.java"));
  }

  /** Notes what the ledger holds when steps begin. */
  private StepJournal journal(Path ledger) {
    return new StepJournal() {
      @Override
      public void begin(int firstStep, int lastStep) {
        try {
          begun.add(Files.readString(ledger));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void checkpoint(Iterate iterate) {}
    };
  }
}
