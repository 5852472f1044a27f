package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mutune.testing.SharedFolder;
import io.mutune.trainer.check.DataCheck;
import io.mutune.trainer.check.DataReport;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.TargetRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetRangeTest {
  private static final TargetRange PRICES = new TargetRange(0, 500_001);

  /** A code is a whole number of 2^-30, half of which is 2^-31 of the half range. */
  @Property
  void aTarget_isKeptToNineDigitsOfItsRange(
      @ForAll @DoubleRange(min = 0, max = 500_001) double target) {
    int code = PRICES.codeOf(target).orElseThrow();
    assertThat(PRICES.target(TargetRange.value(code)))
        .isCloseTo(target, within(500_001 * Math.scalb(1.0, -32) + 1e-9));
  }

  @Test
  void targetsBeyondTheRange_areCutToIt_andNoErrorTellsOfThem() {
    assertThat(PRICES.codeOf("1e9")).hasValue(TargetRange.ONE);
    assertThat(PRICES.codeOf(" -3 ")).hasValue(-TargetRange.ONE);
    assertThat(PRICES.codeOf("1e39")).hasValue(TargetRange.ONE);
    assertThat(PRICES.codeOf("many")).isEmpty();
    assertThat(PRICES.codeOf(Double.NaN)).isEmpty();
    assertThat(TargetRange.code(Double.NaN)).isZero();
  }

  /** Seconds of a day in 2023, which float32 has 128 apart; binary formats hand over a double. */
  @Test
  void aTargetOfATextFile_isTheNumberThatABinaryFileHas(@TempDir Path folder) throws IOException {
    TargetRange seconds = new TargetRange(1_700_000_000, 1_700_000_100);
    int expected = seconds.codeOf(1_700_000_033.25).orElseThrow();
    for (DataFormat format : List.of(DataFormat.CSV, DataFormat.LIBSVM)) {
      for (char delimiter : new char[] {',', '\t'}) {
        String row =
            format == DataFormat.CSV ? "1700000033.25" + delimiter + "7\n" : "1700000033.25 1:7\n";
        Path file = SmallData.write(folder, "seconds", row);
        CsvLayout layout = new CsvLayout(delimiter, false, new LabelColumn.First());
        RowBlocks rows = SmallData.read(new DataSpec(file, null, format, layout, seconds, 1, null));
        assertThat(rows.blocks().get(0).labels()[0]).isEqualTo(expected);
      }
    }
  }

  @Test
  void boundsThatAreNoRange_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TargetRange(1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new TargetRange(0, Double.NaN));
  }

  @Test
  void aTargetThatIsNoNumber_isToldByItsPlaceAlone(@TempDir Path folder) {
    Path file = SmallData.write(folder, "rows.csv", "1,2,3\n1,2,secret\n");
    assertThatThrownBy(() -> SmallData.read(spec(file, false, new LabelColumn.Last())))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ":2: column 3 is not a finite number");
  }

  /** The first row of the file: 452600 of 500001. */
  @Test
  void californiaHousing_isReadWithItsPrices() throws IOException {
    DataSpec spec =
        spec(
            SharedFolder.file("data/cal_housing.data.gz"),
            true,
            new LabelColumn.Named("median_house_value"));
    RowBlocks rows = SmallData.read(spec);
    assertThat(rows.realTargets()).isTrue();
    assertThat(rows.rows()).isEqualTo(20640);
    assertThat(rows.columns()).isEqualTo(8);
    double first = TargetRange.value(rows.blocks().get(0).labels()[0]);
    assertThat(PRICES.target(first)).isCloseTo(452_600, within(1e-3));
    DataReport report = DataCheck.read(spec, FeaturePipeline.of());
    assertThat(report.problems()).isEmpty();
    assertThat(report.classCounts()).isEmpty();
    // The prices are capped at 500001 in the data themselves, for 965 districts.
    assertThat(report.targetsAtBound()).isEqualTo(965);
  }

  private static DataSpec spec(Path file, boolean header, LabelColumn label) {
    return new DataSpec(
        file, null, DataFormat.CSV, new CsvLayout(',', header, label), PRICES, null, null);
  }
}
