package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.feature.Polynomial;
import io.mutune.trainer.feature.PublicMean;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.network.KnownEncoder;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.ColumnType;
import io.mutune.trainer.table.HashedType;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.NumberType;
import io.mutune.trainer.table.Scaled;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TextType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class RowStorageTest {
  private static final FeaturePipeline TEN = FeaturePipeline.of(new Polynomial(2));
  private static final long STATED = 1000;

  /** What a row takes that has up to 16 features as it is trained on. */
  private static final int ROW = 16 * Float.BYTES + 40;

  /** More than the slots without a row in any heap below 128 GB. */
  private static final long SPARE = 20_000;

  private static final long NEEDED = bytes(STATED, 3, 16);

  /**
   * So many rows in memory: filled up to 16 features, 40 bytes beside them, a block of slots for
   * each bucket, and a block of rows before the maps.
   */
  static long bytes(long stated, int before, int features) {
    long buckets = Math.max(1, (stated * features * Float.BYTES + (64 << 20) - 1) / (64 << 20));
    long most = stated * features * Float.BYTES < 1 << 30 ? 1 : Math.min(1 << 24, buckets);
    return (stated + 64 * most) * ROW + Math.min(stated, 4096) * before * Float.BYTES;
  }

  /** The longest line of three columns, in a heap that has three times what rows need. */
  private static final double LINE = 16 * ((1 << 20) + 3 * 64) / 3.0;

  private static double inMemory(RowStorage storage, DataSpec spec, long beside)
      throws IOException {
    return storage.needs(spec, TEN, TEN, beside).memory();
  }

  /** Neither the file, which is not there, nor how many rows it has plays a part. */
  @Test
  void whatRowsTake_followsFromPublicNumbers() throws IOException {
    RowStorage storage = new RowStorage(STATED, 1);
    DataSpec csv = spec("absent.csv", DataFormat.CSV);
    assertThat(inMemory(storage, csv, 0)).isEqualTo(NEEDED);
    assertThat(inMemory(storage, csv, STATED)).isEqualTo(NEEDED + STATED * ROW);
    assertThat(inMemory(storage, spec("absent.npy.gz", DataFormat.NPY), 0)).isEqualTo(NEEDED);
    DataSpec npy = spec("absent.npy", DataFormat.NPY);
    assertThat(inMemory(new RowStorage(STATED, NEEDED), npy, 0)).isEqualTo(NEEDED);
    assertThat(inMemory(new RowStorage(STATED, NEEDED - 1), npy, 0))
        .as("labels and places of rows in their file, and a block with its images")
        .isEqualTo((STATED + 64) * 40 + STATED * 13 * Float.BYTES);
    assertThat(storage.needs(csv, FeaturePipeline.of(new Polynomial(4)), TEN, 0).memory())
        .as("as they are before a private mean, where that is more")
        .isEqualTo((STATED + 64) * (48 * Float.BYTES + 40) + STATED * 3 * Float.BYTES);
  }

  /** A block holds one person of 33 rows. */
  @Test
  void people_countWithAllTheirRows() throws IOException {
    for (int rows : new int[] {1, 2, 33, 64}) {
      Table table =
          new Table(
              List.of(
                  new Column("who", new IdType()),
                  new Column("value", new NumberType(new Scaled(0, 1, true, 0), null)),
                  new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of()))),
              List.of(),
              "who",
              rows);
      CsvLayout headed = CsvLayout.ofTable(',', true, false, 0);
      DataSpec people =
          DataSpec.of(List.of(Path.of("absent.csv")), DataFormat.CSV, headed, table, null);
      FeaturePipeline none = FeaturePipeline.of();
      RowStorage.Needs needs = new RowStorage(STATED, 1).needs(people, none, none, 0);
      long slots = STATED * (rows == 33 ? 64 : rows) + 64L * rows;
      assertThat(needs.slots()).isEqualTo(slots);
      assertThat(needs.memory())
          .isEqualTo(
              slots * (ROW + (rows == 1 ? 0 : 8 * rows))
                  + STATED * 1000
                  + Math.min(4096, STATED * rows) * Float.BYTES);
    }
  }

  /** One array has a number for each slot, and sums are whole numbers of 64 bits. */
  @Test
  void moreSlotsThanArraysOrSumsHold_areRefused() throws IOException {
    RowStorage.requireSlots(0x1p29, 0x1p30, true);
    RowStorage.requireSlots(0x1p30, 0x1p30, false);
    for (double most : new double[] {0x1p30, 0x1p28}) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> RowStorage.requireSlots(0x1p29 + 1, most, true))
          .withMessageContaining("536870913 slots by their stated number");
    }
    PrivateData many =
        new PrivateData(spec("a.npy", DataFormat.NPY), 1L << 29, TEN, FeaturePipeline.of(), null);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> check(many))
        .withMessageContaining("slots by their stated number");
    assertThat(Engine.mostRows(10)).isEqualTo(0x1p33);
    assertThat(Engine.mostRows(0x1p29)).isEqualTo(0x1p26);
  }

  private static void check(PrivateData... parts) throws IOException {
    PrivateData.checkRoom(List.of(parts), List.of(), 0, Engine::mostRows, features -> 0);
  }

  @Test
  void rowsThatBarelyFit_areRefused() {
    assertThatCode(() -> RowStorage.requireRoom(NEEDED, NEEDED)).doesNotThrowAnyException();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RowStorage.requireRoom(NEEDED, NEEDED - 1))
        .withMessageContaining("more than the 0.0 GB of Java's heap");
  }

  /** Maps behind a private mean count, and so do all parts together. */
  @Test
  void allPartsAndMaps_haveToFit() throws IOException {
    long heap = Runtime.getRuntime().maxMemory();
    // Slots that are filled up with nothing follow from the heap too: some for each 64 MB of rows.
    long third = (long) ((heap / 3.0 - LINE - 4096 * 3 * Float.BYTES) / ROW) - SPARE;
    DataSpec csv = spec("absent.csv", DataFormat.CSV);
    PrivateData most = new PrivateData(csv, third, FeaturePipeline.of(), TEN, null);
    check(most);
    PrivateData more = new PrivateData(csv, SPARE + third, FeaturePipeline.of(), TEN, null);
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> check(more));
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> check(most, most));
    assertThatExceptionOfType(IOException.class)
        .as("scores beside the rows")
        .isThrownBy(
            () ->
                PrivateData.checkRoom(
                    List.of(most), List.of(), 1, Engine::mostRows, features -> 0));
    assertThatExceptionOfType(IOException.class)
        .as("sums beside the rows")
        .isThrownBy(
            () ->
                PrivateData.checkRoom(
                    List.of(most), List.of(), 0, Engine::mostRows, features -> heap / 100.0));
    assertThatExceptionOfType(IOException.class)
        .as("a copy beside the rows")
        .isThrownBy(
            () ->
                PrivateData.checkRoom(
                    List.of(most), List.of(most), 0, Engine::mostRows, features -> 0));
  }

  /** One that needs a row to fail would tell that there is one. */
  @Test
  void mapsThatFailOfAnyRow_failBeforeRowsAreRead() {
    PrivateData never =
        new PrivateData(
            spec("absent.csv", DataFormat.CSV),
            1L,
            FeaturePipeline.of(new PublicMean()),
            TEN,
            null);
    assertThatIllegalStateException().isThrownBy(() -> check(never));
  }

  /** Of studies that fit alone one waits for the other. */
  @Test
  void aRoom_isHeldTogether() {
    RowRoom room = new RowRoom(10);
    RowRoom.Share first = room.share();
    RowRoom.Share second = room.share();
    assertThat(first.hold(6)).isTrue();
    assertThat(first.hold(6)).isTrue();
    assertThat(second.hold(5)).isFalse();
    assertThat(second.hold(4)).isTrue();
    assertThat(second.hold(5)).isFalse();
    first.close();
    assertThat(second.hold(10)).isTrue();
  }

  /** Of rows that stay in their files because they are too many, twice what they take. */
  @Test
  void scratchFiles_haveToFitTwice() throws IOException {
    DataSpec npy = spec("absent.npy", DataFormat.NPY);
    double taken = new RowStorage(STATED, 1).needs(npy, TEN, TEN, 0).scratch();
    assertThat(taken).isEqualTo((STATED + 64) * 16 * Float.BYTES);
    assertThat(new RowStorage(STATED, Long.MAX_VALUE).needs(npy, TEN, TEN, 0).scratch()).isZero();
    DataSpec csv = spec("a.csv", DataFormat.CSV);
    assertThat(new RowStorage(STATED, 1).needs(csv, TEN, TEN, 0).scratch()).isZero();
    RowStorage.requireScratch(taken, (long) (2 * taken));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> RowStorage.requireScratch(taken, (long) (2 * taken) - 1))
        .withMessageContaining("MUTUNE_SCRATCH");
  }

  /** Each thread has the numbers of a text's tokens. */
  @Test
  void whatEncodersTake_followsFromTheirTokensAndWidth() throws IOException {
    KnownEncoder known = KnownEncoder.ALL.get(0);
    TextForm form = (TextForm) known.identity().form();
    Encoders encoders =
        new Encoders() {
          @Override
          public TextEncoder openTexts(EncoderReference encoder) {
            throw new UnsupportedOperationException();
          }

          @Override
          public PictureEncoder openPictures(EncoderReference encoder) {
            throw new UnsupportedOperationException();
          }

          @Override
          public Image size(EncoderReference encoder) {
            throw new UnsupportedOperationException();
          }

          @Override
          public double bytesOfAThread(EncoderReference encoder) {
            return known.identity().bytesOfAThread();
          }
        };
    int threads = 2 + ForkJoinPool.getCommonPoolParallelism();
    double before = RowStorage.bytesWhileRead(ofTexts(new HashedType(16, true)), 2, encoders);
    assertThat(
            RowStorage.bytesWhileRead(
                    ofTexts(new TextType(EncoderReference.of(known), false)), 2, encoders)
                - before)
        .as("with the texts that wait")
        .isEqualTo(
            threads * 8.0 * form.tokens() * known.identity().width() + 2 * (double) (1 << 25));
  }

  private static DataSpec ofTexts(ColumnType type) {
    Table table =
        Table.of(
            new Column("words", type),
            new Column("y", new LabelType(List.of("no", "yes"), Map.of(), List.of())));
    CsvLayout headed = CsvLayout.ofTable(',', true, false, 0);
    return DataSpec.of(List.of(Path.of("absent.csv")), DataFormat.CSV, headed, table, null);
  }

  private static DataSpec spec(String file, DataFormat format) {
    Path labels = format == DataFormat.NPY ? Path.of("labels.npy") : null;
    return new DataSpec(
        Path.of(file), labels, format, CsvLayout.standard(), SmallData.THREE_CLASSES, 3, null);
  }
}
