package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.format.DataSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDataTest {
  private static final ReservedCharge PROOF =
      () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), 1, 1));

  @TempDir Path folder;

  private static PrivateData privateData(DataSpec spec) {
    return new PrivateData(spec, 2, FeaturePipeline.of(), null);
  }

  private static PublicData publicData(DataSpec spec) {
    return new PublicData(spec, FeaturePipeline.of());
  }

  private DataSpec twoRows() {
    return SmallData.csv(SmallData.write(folder, "rows.csv", "1,0\n2,1\n"));
  }

  @Test
  void privateRows_areReadAgainstAReservedCharge() throws IOException {
    assertThat(privateData(twoRows()).rows(PROOF).blocks().rows()).isEqualTo(2);
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks could do
  void privateRows_withoutACharge_areRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> privateData(twoRows()).rows(null))
        .withMessageContaining("reserved charge");
  }

  @Test
  void nothing_isReadBeforeRowsAreAskedFor() throws IOException {
    DataSpec spec = twoRows();
    PrivateData data = privateData(spec);
    Files.delete(spec.file());
    assertThatThrownBy(() -> data.rows(PROOF))
        .isInstanceOf(UnreadableRowsException.class)
        .cause()
        .hasMessageContaining("there is no such file");
  }

  /** They go through the same maps, those after the kept features too. */
  @Test
  void rowsBesideThose_comeAfterThem() throws IOException {
    PublicRows others = publicData(SmallData.csv(SmallData.write(folder, "o.csv", "6,1\n"))).rows();
    PrivateData data =
        new PrivateData(
            twoRows(),
            2,
            FeaturePipeline.of(new Scale(0, 2)),
            FeaturePipeline.of(new Scale(0, 2)),
            null);

    RowBlocks joined = data.and(others).rows(PROOF).blocks();
    assertThat(joined.rows()).isEqualTo(3);
    assertThat(joined.blocks()).hasSize(2);
    assertThat(joined.blocks().get(0).features()).containsExactly(0.25f, 0.5f);
    assertThat(joined.blocks().get(1).features()).containsExactly(0.5f);
    assertThat(joined.blocks().get(1).labels()).containsExactly(1);
    assertThat(data.rows(PROOF).blocks().rows()).isEqualTo(2);
  }

  @Test
  void rowsOfAnotherWidthBesideThose_areRefused_byThePublicNumbers() throws IOException {
    PublicRows wide = publicData(SmallData.csv(SmallData.write(folder, "o.csv", "6,1,1\n"))).rows();

    assertThatThrownBy(() -> privateData(twoRows()).and(wide).rows(PROOF))
        .cause()
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("rows of 1 features, and those beside them have 2");
  }

  @Test
  void rows_areReadOnce() throws IOException {
    DataSpec spec = twoRows();
    PrivateData data = privateData(spec);
    PublicData open = publicData(spec);
    PrivateRows first = data.rows(PROOF);
    PublicRows firstOpen = open.rows();
    Files.delete(spec.file());
    assertThat(data.rows(PROOF)).isSameAs(first);
    assertThat(open.rows()).isSameAs(firstOpen);
  }

  @Test
  void featureMaps_areApplied() throws IOException {
    FeaturePipeline halves = FeaturePipeline.of(new Scale(0, 2));
    float[] expected = {0.5f, 1};
    assertThat(
            new PrivateData(twoRows(), 2, halves, null)
                .rows(PROOF)
                .blocks()
                .blocks()
                .get(0)
                .features())
        .isEqualTo(expected);
    assertThat(new PublicData(twoRows(), halves).rows().blocks().blocks().get(0).features())
        .isEqualTo(expected);
  }

  @Test
  void toString_revealsTheFilesNameOnly() {
    assertThat(privateData(twoRows())).hasToString("PrivateData[rows.csv]");
    assertThat(publicData(twoRows())).hasToString("PublicData[rows.csv]");
  }

  @Test
  void fewerPrivateRowsThanTheRange_areNoError_sinceTheirNumberIsPrivate() throws IOException {
    DataSpec spec = SmallData.withRange(twoRows(), 2, 5);
    assertThat(privateData(spec).rows(PROOF).blocks().rows()).isEqualTo(1);
    DataSpec beyond = SmallData.withRange(twoRows(), 3, 5);
    assertThat(privateData(beyond).rows(PROOF).blocks().rows()).isZero();
  }

  @Test
  void fewerPublicRowsThanTheRange_areRefused() {
    assertThatThrownBy(() -> publicData(SmallData.withRange(twoRows(), 2, 3)).rows())
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("rows.csv: ends before the last of the rows 2-3");
  }

  @Test
  void noPublicRows_areRefused() {
    Path empty = SmallData.write(folder, "empty.libsvm", "# nothing\n");
    assertThatThrownBy(() -> publicData(SmallData.libsvm(empty, 2)).rows())
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("empty.libsvm: has no rows");
  }
}
