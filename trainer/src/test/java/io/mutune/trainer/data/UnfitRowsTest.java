package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.RowBlocks.Block;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.InputFile;
import io.mutune.trainer.format.RowForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.lang3.ArrayUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Once it is charged, a row that does not fit is no error, which would tell of it. */
class UnfitRowsTest {
  private static final ReservedCharge PROOF =
      () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), 1, 1));

  /** Zeros would become −1 by this map, were they rows. */
  private static final FeaturePipeline MAPS = FeaturePipeline.of(new Scale(0, 4));

  @TempDir Path folder;

  private DataSpec csv(String text) {
    return of(SmallData.write(folder, "rows.csv", text));
  }

  private static DataSpec of(Path csv) {
    DataSpec spec = SmallData.csv(csv);
    return new DataSpec(
        spec.file(), null, spec.format(), spec.csv(), spec.labelling(), 2, spec.range());
  }

  private static Block block(DataSpec spec, Adjacency adjacency) throws IOException {
    RowBlocks rows = new PrivateData(spec, 100, MAPS, null).under(adjacency).rows(PROOF).blocks();
    assertThat(rows.columns()).isEqualTo(2);
    return rows.blocks().get(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1,2,7",
        "1,x,0",
        "1,NaN,0",
        "1,1e99,0",
        "1,,0",
        "1,0",
        "1,2,3,0",
        "\"1,2,0",
        "\"1\"x\",2,0",
        "1;2;0",
        "\u0000",
        "\""
      })
  void underAddRemove_itIsEqualToItsAbsence_whereverItStands(String row) throws IOException {
    Block without = block(csv("1,2,0\n3,4,1\n"), Adjacency.ADD_REMOVE);
    for (String text :
        new String[] {
          row + "\n1,2,0\n3,4,1\n", "1,2,0\n" + row + "\n3,4,1\n", "1,2,0\n3,4,1\n" + row
        }) {
      Block with = block(csv(text), Adjacency.ADD_REMOVE);
      assertThat(with.features()).isEqualTo(without.features());
      assertThat(with.labels()).isEqualTo(without.labels());
    }
  }

  /** What a row may take of the memory that others need follows from the stated columns. */
  @Test
  void aLineOfMoreThanAMillionCharacters_doesNotFit() throws IOException {
    String rest = "1,2,0\n3,4,1\n";
    String most = "0." + "5".repeat((1 << 20) + 2 * 64 - "0.,2,1".length()) + ",2,1\n";
    Block with = block(csv(most + rest), Adjacency.ADD_REMOVE);
    assertThat(with.labels()).containsExactly(1, 0, 1);
    Block without = block(csv("9" + most + rest), Adjacency.ADD_REMOVE);
    assertThat(without.labels()).containsExactly(0, 1);
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void theirNumber_isCounted(Adjacency adjacency) throws IOException {
    PrivateData data =
        new PrivateData(csv("1,2,0\n1,x,0\n3,4,1\n1,2,7\n"), 100, MAPS, null).under(adjacency);
    data.rows(PROOF);
    data.rows(PROOF);
    assertThat(data.unfitRows(PROOF)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,2,7", "1,x,0", "1,0", "\"1,2,0"})
  void underReplaceOne_itsSlotStays_allZerosAfterTheMaps(String row) throws IOException {
    Block block = block(csv("4,4,0\n" + row + "\n4,4,1\n"), Adjacency.REPLACE_ONE);
    assertThat(block.features()).containsExactly(1, 1, 0, 0, 1, 1);
    assertThat(block.labels()).containsExactly(0, RowBlocks.NO_LABEL, 1);
  }

  @Test
  void positionsOfARange_countRowsThatDoNotFit() throws IOException {
    DataSpec spec = SmallData.withRange(csv("4,4,0\nx\n2,2,1\n1,1,1\n\"\n"), 2, 3);
    assertThat(block(spec, Adjacency.ADD_REMOVE).labels()).containsExactly(1);
  }

  @Test
  void aRowMoreOfBrokenGzip_orNoFile_isOneSentence() throws IOException {
    byte[] gzip = {0x1f, (byte) 0x8b, 8, 0};
    DataSpec spec = of(SmallData.write(folder, "rows.csv.gz", gzip));
    PrivateData data = new PrivateData(spec, 100, MAPS, null);
    String broken = message(data);
    Files.delete(spec.file());
    assertThat(message(data)).isEqualTo(broken).doesNotContain("rows.csv");
  }

  @ParameterizedTest
  @EnumSource(Adjacency.class)
  void aFirstRowThatBeginsLikeGzip_isNoMoreThanARow(Adjacency adjacency) throws IOException {
    byte[] packed = SmallData.gzip("1,2,0".getBytes(StandardCharsets.US_ASCII));
    assertThat(packed).as("one line").doesNotContain('\n', '\r');
    byte[] others = "1,2,0\n3,4,1\n".getBytes(StandardCharsets.US_ASCII);
    Path plain = SmallData.write(folder, "plain.csv", others);
    for (byte[] row : new byte[][] {{0x1f, (byte) 0x8b}, {0x1f, (byte) 0x8b, 8, 0}, packed}) {
      byte[] all = ArrayUtils.addAll(ArrayUtils.add(row, (byte) '\n'), others);
      DataSpec alone = of(SmallData.write(folder, "rows.csv", all));
      DataSpec later =
          new DataSpec(
              List.of(of(plain).parts().get(0), alone.parts().get(0)),
              RowForm.ofNumbers(alone.format(), alone.csv(), 2),
              alone.labelling(),
              null);
      boolean slot = adjacency == Adjacency.REPLACE_ONE;
      assertThat(block(alone, adjacency).labels())
          .isEqualTo(slot ? new int[] {RowBlocks.NO_LABEL, 0, 1} : new int[] {0, 1});
      assertThat(block(later, adjacency).labels())
          .isEqualTo(slot ? new int[] {0, 1, RowBlocks.NO_LABEL, 0, 1} : new int[] {0, 1, 0, 1});
      DataSpec only = of(SmallData.write(folder, "only.csv", row));
      PrivateData one = new PrivateData(only, 100, MAPS, null).under(adjacency);
      assertThat(one.rows(PROOF).blocks().rows()).isEqualTo(slot ? 1 : 0);
      DataSpec after = SmallData.withRange(alone, 2, 3);
      assertThat(new PublicData(after, MAPS).rows().blocks().blocks().get(0).labels())
          .containsExactly(0, 1);
    }
  }

  @Test
  void rowsThatAreGzip_areUnpacked_byTheirName() throws IOException {
    byte[] packed = SmallData.gzip("1,2,0\n1,x,0\n3,4,1\n".getBytes(StandardCharsets.US_ASCII));
    DataSpec spec = of(SmallData.write(folder, "rows.csv.gz", packed));
    assertThat(block(spec, Adjacency.ADD_REMOVE).labels()).containsExactly(0, 1);
  }

  private static String message(PrivateData data) {
    try {
      return data.rows(PROOF).toString();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aRowOfPublicData_isRefusedAsBefore() {
    DataSpec spec = csv("1,2,0\n1,x,0\n");
    assertThatThrownBy(() -> new PublicData(spec, MAPS).rows())
        .hasMessageEndingWith("rows.csv:2: column 2 is not a finite number");
  }

  @Test
  void whatIsNoRegularFile_isRefused_beforeItIsOpened() {
    assertThatThrownBy(() -> InputFile.checkReadable(Path.of("/dev/zero")))
        .hasMessageEndingWith("is not a regular file");
  }

  @Test
  void aFileNamedTwice_byALinkToo_isRefused() throws IOException {
    DataSpec spec = csv("1,2,0\n");
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), spec.file());
    Path hard = Files.createLink(folder.resolve("hard.csv"), spec.file());
    for (Path again : new Path[] {spec.file(), link, hard}) {
      DataSpec twice =
          new DataSpec(
              List.of(spec.parts().get(0), new DataSpec.Part(again, null)),
              RowForm.ofNumbers(spec.format(), spec.csv(), 2),
              spec.labelling(),
              null);
      assertThatThrownBy(twice::checkReadable).hasMessageContaining("is named twice");
    }
  }
}
