package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RandomFourier;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.gradient.FusedClippedSum;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.PrivateMean;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.score.Counts;
import io.mutune.trainer.score.NoisyCounts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that machines read by themselves, and the same in one process. */
class RowFilesTest {
  private static final NoisyCounts COUNTS =
      new NoisyCounts(Counts.confusion(3), NoiseMultiplier.of(1), Adjacency.ADD_REMOVE);
  private static final ReservedCharge PROOF = () -> new Charge("counts", COUNTS.mechanism());

  private static final int FEATURES = 12;
  private static final int BUCKETS = 48;

  /** So many rows go into these buckets of 64 MB. */
  static final long STATED = ((long) BUCKETS << 26) / (FEATURES * Float.BYTES);

  private static final RowStorage STORAGE = RowStorage.of(STATED);

  private static final Encoders NONE = EncoderLibrary.usual();

  @TempDir Path folder;

  private PrivateData data(DataSpec spec) {
    return new PrivateData(
        spec,
        STATED,
        FeaturePipeline.of(new RandomFourier(FEATURES, 0.5, 1, false)),
        FeaturePipeline.of(),
        null);
  }

  private static PrivateData readBy(PrivateData data, int parts) {
    return data.readBy(
        (files, buckets, bytes) -> {
          assertThat(buckets).isEqualTo(BUCKETS);
          assertThat(bytes).isGreaterThan(STATED * FEATURES * Float.BYTES);
          return new ReadHere(files, RowOrders.seeded(4).buckets(buckets), parts);
        });
  }

  /** The sum at some weights. */
  private static double[] sum(PrivateRows rows) {
    double[] weights = new SplittableRandom(5).doubles(3L * rows.columns(), -1, 1).toArray();
    double[] sum = new double[weights.length];
    try (ClippedSum clipped =
        Engine.KERNEL
            .sums(RowOrders.seeded(4))
            .open(rows, new SoftmaxLoss(), 3, ClipNorm.of(0.7))) {
      clipped.compute(weights, sum);
    }
    return sum;
  }

  /** Of three trials, two of them on samples, with clip norms of their own; then without one. */
  private static List<double[][]> sampledSums(PrivateRows rows) {
    List<ClipNorm> clips = List.of(ClipNorm.of(0.1), ClipNorm.of(1), ClipNorm.of(5));
    double[][] weights = new double[3][];
    SplittableRandom random = new SplittableRandom(7);
    Arrays.setAll(weights, t -> random.doubles(3L * rows.columns(), -1, 1).toArray());
    List<double[][]> all = new ArrayList<>();
    try (FusedClippedSum fused =
        Engine.KERNEL.sums(RowOrders.seeded(4)).openFused(rows, new SoftmaxLoss(), 3, clips)) {
      for (boolean[] active : new boolean[][] {{true, true, true}, {false, true, true}}) {
        double[][] sums = new double[3][3 * rows.columns()];
        RowSample[] samples = {sample(0.1, 1), RowSample.ALL, sample(0.4, all.size() + 2)};
        fused.compute(weights, clips.toArray(ClipNorm[]::new), samples, sums, active);
        assertThat(sums[2]).doesNotContain(0);
        all.add(sums);
      }
    }
    return all;
  }

  private static RowSample sample(double rate, int step) {
    return RowSample.poisson(rate, new SeededNoise(1).bits(new StreamId("sample", 1, 1, step)));
  }

  private static double[] counts(PrivateRows rows) throws IOException {
    double[] weights = new SplittableRandom(6).doubles(3L * rows.columns(), -1, 1).toArray();
    return COUNTS.release(PROOF, rows, new LinearModel(rows.columns(), 3, weights), () -> 0);
  }

  private static void requireSame(PrivateData here, int parts) throws IOException {
    PrivateData there = readBy(here, parts);
    PrivateRows held = there.rows(PROOF);
    assertThat(held.elsewhere()).isPresent();
    PrivateRows rows = here.rows(PROOF);
    assertThat(rows.elsewhere()).isEmpty();
    assertThat(rows.buckets()).isEqualTo(BUCKETS);
    assertThat(sum(held)).containsExactly(sum(rows));
    assertThat(sum(rows)).doesNotContain(0);
    List<double[][]> sampled = sampledSums(rows);
    for (int call = 0; call < sampled.size(); call++) {
      assertThat(sampledSums(held).get(call)).isDeepEqualTo(sampled.get(call));
    }
    assertThat(counts(held)).containsExactly(counts(rows));
    assertThat(there.unfitRows(PROOF)).isEqualTo(here.unfitRows(PROOF));
  }

  @ParameterizedTest
  @EnumSource
  void whatMachinesRead_isWhatOneProcessReads_bitForBit(FilesInParts files) throws IOException {
    DataSpec spec = files.spec(folder);
    for (int parts : new int[] {1, 7}) {
      requireSame(data(spec), parts);
    }
    requireSame(data(spec).under(Adjacency.REPLACE_ONE), 5);
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "TABLE_OF_PEOPLE"})
  void unitsThatAreHeldOut_areTheSame(FilesInParts files) throws IOException {
    UnitSplit split = new DataKey(folder.resolve("key")).split();
    requireSame(data(files.spec(folder)).on(split, new UnitSplit.Side(0, 0.6)), 5);
  }

  /** Of files of 701 rows, of one and of 901: that it is small is all the same to who reads. */
  @ParameterizedTest
  @CsvSource({
    "1,701",
    "1,702",
    "2,700",
    "701,703",
    "702,702",
    "703,1500",
    "1400,1400",
    "1700,2000"
  })
  void aRangeOverFiles_isThatOfOneProcess_whereverItBeginsAndEnds(long first, long last)
      throws IOException {
    requireSameRange(FilesInParts.in(new RowRange(first, last), FilesInParts.CSV.spec(folder)));
  }

  /**
   * In the file that it ends in, whose rows there are fewer than the range's end, and in one after.
   */
  @Test
  void damageBehindTheEndOfARange_isNotRead_asInOneProcess() throws IOException {
    Path whole = packed("whole.csv.gz");
    Path cut = packed("cut.csv.gz");
    byte[] bytes = Files.readAllBytes(cut);
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    Path none = Files.write(folder.resolve("none.csv.gz"), Arrays.copyOf(bytes, 10));
    List<DataSpec.Part> parts =
        Stream.of(whole, cut, none).map(file -> new DataSpec.Part(file, null)).toList();
    requireSameRange(range(PACKED - 99, PACKED + 200, parts));
    for (DataSpec further :
        List.of(
            range(1, 2 * PACKED, parts),
            range(1, PACKED + 1, List.of(parts.get(0), parts.get(2))))) {
      assertThatThrownBy(() -> data(further).rows(PROOF))
          .isInstanceOf(UnreadableRowsException.class);
      assertThatThrownBy(() -> there(further))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(further.parts().get(1).file().getFileName().toString());
    }
  }

  private static final int PACKED = 40_000;

  private Path packed(String name) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      SplittableRandom random = new SplittableRandom(1);
      for (int row = 0; row < PACKED; row++) {
        String text = "%d,%d,0,%d\n".formatted(random.nextInt(99), random.nextInt(99), row % 3);
        out.write(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return file;
  }

  private static DataSpec range(long first, long last, List<DataSpec.Part> parts) {
    return new DataSpec(
        parts,
        RowForm.ofNumbers(DataFormat.CSV, CsvLayout.standard(), 3),
        SmallData.THREE_CLASSES,
        new RowRange(first, last));
  }

  private void requireSameRange(DataSpec spec) throws IOException {
    PrivateData here = data(spec);
    ReadHere there = there(spec);
    PrivateRows rows = new PrivateRows(here.rows(PROOF).blocks(), BUCKETS);
    assertThat(sum(new PrivateRows(there))).containsExactly(sum(rows));
    assertThat(counts(new PrivateRows(there))).containsExactly(counts(rows));
    assertThat(there.unfit()).isEqualTo(here.unfitRows(PROOF));
  }

  private static ReadHere there(DataSpec spec) throws IOException {
    RowFiles files =
        RowFiles.of(
                spec,
                FeaturePipeline.of(new RandomFourier(FEATURES, 0.5, 1, false)),
                UnfitRows.of(Adjacency.ADD_REMOVE),
                STORAGE)
            .orElseThrow();
    return new ReadHere(files, RowOrders.seeded(4).buckets(BUCKETS), 5);
  }

  /** Else a file would be read from its beginning whatever stands before it. */
  @Test
  void aRangeOverFilesThatNobodyCounted_isRefused() throws IOException {
    DataSpec spec = FilesInParts.in(new RowRange(2, 900), FilesInParts.CSV.spec(folder));
    RowFiles files =
        RowFiles.of(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE), STORAGE)
            .orElseThrow();
    assertThatThrownBy(
            () -> files.read(1, RowOrders.seeded(1).buckets(2), 2, NONE, (part, piece) -> {}))
        .isInstanceOf(IllegalStateException.class);
    Files.writeString(spec.parts().get(2).file(), "");
    assertThatThrownBy(() -> files.with(List.of(files.counted(2))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("c.csv: has changed");
  }

  /** Whose sum is of the rows wherever they are, in whatever order. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TABLE_OF_PEOPLE")
  void aPrivateMean_isThatOfOneProcess_bitForBit(FilesInParts files) throws IOException {
    PrivateMean mean =
        new PrivateMean(
            ClipNorm.of(0.3), NoiseMultiplier.of(1), Adjacency.ADD_REMOVE, 1000, Optional.empty());
    ReservedCharge charged = () -> new Charge("mean", mean.mechanism());
    StreamId id = new StreamId("mean", 1, 1, 1);
    PrivateData here = data(files.spec(folder));
    double[] ofAll = mean.release(charged, here.rows(charged), new SeededNoise(1), id);
    for (int parts : new int[] {1, 7}) {
      PrivateRows there = readBy(here, parts).rows(charged);
      assertThat(there.elsewhere()).isPresent();
      assertThat(mean.release(charged, there, new SeededNoise(1), id)).containsExactly(ofAll);
    }
  }

  @Test
  void aPrivateMeanOfPeople_isRefused_whereverTheirRowsAre() throws IOException {
    PrivateMean mean =
        new PrivateMean(
            ClipNorm.of(1), NoiseMultiplier.of(1), Adjacency.ADD_REMOVE, 10, Optional.empty());
    ReservedCharge charged = () -> new Charge("mean", mean.mechanism());
    PrivateRows there = readBy(data(FilesInParts.TABLE_OF_PEOPLE.spec(folder)), 2).rows(charged);
    assertThatThrownBy(
            () -> mean.release(charged, there, new SeededNoise(1), new StreamId("mean", 1, 1, 1)))
        .hasMessageContaining("cannot protect people of several rows");
  }

  /** The order of a data set's buckets is not that of all its rows. */
  @Test
  void rowsOfSeveralBuckets_areSummedInOtherBlocks() throws IOException {
    PrivateRows rows = data(FilesInParts.NPY.spec(folder)).rows(PROOF);
    assertThat(sum(rows)).isNotEqualTo(sum(new PrivateRows(rows.blocks())));
  }

  /** Changed by its length or its time, or gone. */
  @ParameterizedTest
  @ValueSource(strings = {"longer", "later", "gone"})
  void aFileThatChanges_isSaid(String how) throws IOException {
    DataSpec spec = FilesInParts.CSV.spec(folder);
    RowFiles files =
        RowFiles.of(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE), STORAGE)
            .orElseThrow();
    Path file = spec.parts().get(2).file();
    switch (how) {
      case "longer" -> Files.writeString(file, Files.readString(file) + "1,2,3,0\n");
      case "later" -> Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
      default -> Files.delete(file);
    }
    assertThatThrownBy(
            () -> files.read(2, RowOrders.seeded(1).buckets(2), 2, NONE, (part, piece) -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("c.csv")
        .hasMessageContaining(how.equals("gone") ? "no such file" : "has changed");
    files.read(0, RowOrders.seeded(1).buckets(2), 2, NONE, (part, piece) -> {});
  }

  /** Each of two tasks may have a file with all of them. */
  @Test
  void whatIsKnownOfPeople_countsWithWhatReadingTakes() throws IOException {
    DataSpec spec = FilesInParts.TABLE_OF_PEOPLE.spec(folder);
    RowFiles files =
        RowFiles.of(spec, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE), STORAGE)
            .orElseThrow();
    Encoders none = EncoderLibrary.usual();
    assertThat(files.bytesWhileRead(2, none))
        .isEqualTo(RowStorage.bytesWhileRead(spec, 2, none) + 2.0 * STATED * 1000);
  }

  /** Their files could be there on one machine and not on another. */
  @Test
  void picturesThatAreInNoZip_areReadHere() throws IOException {
    DataSpec zips = FilesInParts.PICTURES.spec(folder);
    DataSpec more =
        DataSpec.of(
            List.of(zips.file(), Files.createDirectory(folder.resolve("rows"))),
            zips.form(),
            zips.labelling(),
            null);
    assertThat(RowFiles.of(more, FeaturePipeline.of(), UnfitRows.of(Adjacency.ADD_REMOVE), STORAGE))
        .isEmpty();
  }

  @Test
  void otherSamplesOfRowsElsewhere_andTheRowsThemselves_areRefused() throws IOException {
    PrivateRows held = readBy(data(FilesInParts.CSV.spec(folder)), 2).rows(PROOF);
    assertThatThrownBy(held::blocks).isInstanceOf(IllegalStateException.class);
    double[] sum = new double[3 * held.columns()];
    try (ClippedSum clipped =
        Engine.KERNEL.sums(RowOrders.seeded(4)).open(held, new SoftmaxLoss(), 3, ClipNorm.of(1))) {
      RowSample one = () -> true;
      assertThatThrownBy(() -> clipped.compute(sum.clone(), ClipNorm.of(1), one, sum))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
