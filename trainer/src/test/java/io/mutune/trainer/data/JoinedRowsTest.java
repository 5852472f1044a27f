package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.noise.RowOrders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person has {@value #ROWS} rows at both ends of two files, of which three count. */
class JoinedRowsTest {
  private static final int ROWS = 10_000;

  private static final RowStorage STORAGE = RowStorage.of(100);

  @TempDir Path folder;

  private DataSpec spec() throws IOException {
    DataSpec spec = FilesInParts.TABLE_OF_PEOPLE.spec(folder);
    for (DataSpec.Part part : spec.parts()) {
      StringBuilder rows = new StringBuilder();
      for (int row = 0; row < ROWS; row++) {
        rows.append("the one\t").append(row % 100).append("\tland\t").append(row % 3).append('\n');
      }
      String others = Files.readString(part.file());
      Files.writeString(part.file(), rows + others + rows);
    }
    return spec;
  }

  private static List<RowPiece> pieces(DataSpec spec) throws IOException {
    RowFiles files = files(spec);
    List<RowPiece> pieces = new ArrayList<>();
    for (int file = 0; file < files.count(); file++) {
      files.read(
          file,
          RowOrders.seeded(1).buckets(1),
          1,
          EncoderLibrary.usual(),
          (part, piece) -> {
            if (part == 0) {
              pieces.add(piece);
            }
          });
    }
    return pieces;
  }

  private static RowFiles files(DataSpec spec) throws IOException {
    return RowFiles.of(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE), STORAGE)
        .orElseThrow();
  }

  /**
   * Of n rows in a random order about 3 (1 + ln(n / 3)) are among the first three of their time.
   */
  @Test
  void fewOfThemAreHandedOn() throws IOException {
    long handedOn =
        pieces(spec()).stream()
            .flatMap(piece -> Arrays.stream(piece.units()))
            .filter("the one"::equals)
            .count();
    assertThat(handedOn).isBetween(6L, 200L);
  }

  @Test
  void inWhateverOrderPiecesCome_rowsAreThoseOfOneProcess_inTheirPlaces() throws IOException {
    DataSpec spec = spec();
    ReservedCharge charge = () -> new Charge("rows", new Gaussian(NoiseMultiplier.of(1), 1, 1));
    RowBlocks here =
        new PrivateData(spec, 100, FeaturePipeline.of(), FeaturePipeline.of(), null)
            .rows(charge)
            .blocks();
    List<RowPiece> pieces = pieces(spec);
    Random random = new Random(1);
    for (int time = 0; time < 20; time++) {
      Collections.shuffle(pieces, random);
      JoinedRows joined = files(spec).join();
      pieces.forEach(joined::take);
      RowBlocks there = joined.blocks();
      assertThat(there.rows()).isEqualTo(here.rows());
      RowUnits units = there.units().orElseThrow();
      for (int block = 0; block < there.blocks().size(); block++) {
        assertThat(there.blocks().get(block).features())
            .containsExactly(here.blocks().get(block).features());
        assertThat(there.blocks().get(block).labels())
            .containsExactly(here.blocks().get(block).labels());
      }
      for (int row = 0; row < units.rows(); row++) {
        assertThat(units.of(row)).isEqualTo(here.units().orElseThrow().of(row));
      }
    }
  }

  /** All of them together would be 2.6 GB, whether the first ones count or each takes a place. */
  @ParameterizedTest
  @ValueSource(ints = {1, -1})
  void rowsThatCountNoMore_takeNoMemory(int ascending) throws IOException {
    int columns = 1 << 20;
    int pieces = 160;
    JoinedRows joined = new JoinedRows(FilesInParts.TABLE_OF_PEOPLE.spec(folder), columns);
    String[] units = new String[4];
    Arrays.fill(units, "the one");
    for (int piece = 0; piece < pieces; piece++) {
      float[] features = new float[4 * columns];
      long[] tags = new long[4];
      Arrays.fill(tags, pieces + (long) ascending * piece);
      joined.take(new RowPiece(0, piece, features, new int[4], units, tags, 0, null));
    }
    assertThat(joined.blocks().rows()).isEqualTo(3);
  }
}
