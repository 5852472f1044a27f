package io.mutune.trainer.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Polynomial;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.file.LockFile;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.table.CategoryType;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.IdType;
import io.mutune.trainer.table.LabelType;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FeatureCacheTest {
  private static final FeaturePipeline SQUARES =
      FeaturePipeline.of(new Scale(0, 4), new Polynomial(2));

  @TempDir Path folder;

  private Path cache() {
    return folder.resolve("cache");
  }

  private RowBlocks cached(DataSpec spec, FeaturePipeline features) throws IOException {
    return FeatureCache.read(
        new FeatureCache(cache()), spec, features, RowStorage.of(100), UnfitRows.REFUSED);
  }

  private static List<String> text(RowBlocks rows) {
    List<String> lines = new ArrayList<>();
    for (RowBlocks.Block block : rows.blocks()) {
      lines.add(Arrays.toString(block.features()));
      lines.add(Arrays.toString(block.labels()));
    }
    return lines;
  }

  /** Those of entries, without the empty ones that are locked while an entry is used. */
  private List<Path> files() throws IOException {
    return all().stream().filter(file -> !file.toString().endsWith(".lock")).toList();
  }

  private List<Path> all() throws IOException {
    try (Stream<Path> files = Files.list(cache())) {
      return files.sorted().toList();
    }
  }

  private DataSpec rows(String text) {
    return SmallData.csv(SmallData.write(folder, "rows.csv", text));
  }

  @Test
  void cachedRows_areThoseComputed_andAreNotWrittenAgain() throws IOException {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    List<String> computed = text(RowCollector.collect(spec, SQUARES, UnfitRows.REFUSED));
    assertThat(text(cached(spec, SQUARES))).isEqualTo(computed);
    assertThat(files()).hasSize(3);
    FileTime old = FileTime.fromMillis(1_000_000);
    for (Path file : files()) {
      Files.setLastModifiedTime(file, old);
    }
    assertThat(text(cached(spec, SQUARES))).isEqualTo(computed);
    for (Path file : files()) {
      assertThat(Files.getLastModifiedTime(file)).isEqualTo(old);
    }
  }

  @Test
  void rowsThatAreKept_areNotHeardOfAgain() throws IOException {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    AtomicInteger heard = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      FeatureCache.read(
          new FeatureCache(cache()),
          spec,
          SQUARES,
          RowStorage.of(100),
          UnfitRows.REFUSED.heardBy(heard::incrementAndGet));
      assertThat(heard.get()).isEqualTo(2);
    }
  }

  @Test
  void tablesThatLookAlike_areKeptApart_andUnitsAreNotLost() throws IOException {
    Path file = SmallData.write(folder, "t.csv", "u,\"a, b\",0\nv,a,1\nu,c,1\n");
    List<List<String>> seen = new ArrayList<>();
    for (List<String> values : List.of(List.of("a, b", "c"), List.of("a", "b, c"))) {
      DataSpec spec = table(file, values, null);
      seen.add(text(RowCollector.collect(spec, SQUARES, UnfitRows.REFUSED)));
      assertThat(text(cached(spec, SQUARES))).isEqualTo(seen.get(seen.size() - 1));
      assertThat(text(cached(spec, SQUARES))).isEqualTo(seen.get(seen.size() - 1));
    }
    assertThat(seen.get(0)).isNotEqualTo(seen.get(1));
    assertThat(files()).hasSize(6);
    cached(table(file, List.of("c"), "who"), SQUARES);
    assertThat(files()).as("nothing is kept of rows with units").hasSize(6);
  }

  private static DataSpec table(Path file, List<String> values, @Nullable String unit) {
    Table table =
        new Table(
            List.of(
                new Column("who", new IdType()),
                new Column("x", new CategoryType(values, true, false)),
                new Column("y", new LabelType(List.of("0", "1"), Map.of(), List.of()))),
            List.of(),
            unit);
    CsvLayout layout = CsvLayout.ofTable(',', false, false, 0);
    return DataSpec.of(List.of(file), DataFormat.CSV, layout, table, null);
  }

  @Test
  void realTargets_areKeptToTheBit() throws IOException {
    Path file = SmallData.write(folder, "targets.csv", "1,0.1\n2,0.7331\n3,-5\n4,99\n");
    DataSpec spec =
        new DataSpec(
            file, null, DataFormat.CSV, CsvLayout.standard(), new TargetRange(-1, 3), null, null);
    List<String> computed = text(RowCollector.collect(spec, SQUARES, UnfitRows.REFUSED));
    assertThat(text(cached(spec, SQUARES))).isEqualTo(computed);
    RowBlocks again = cached(spec, SQUARES);
    assertThat(text(again)).isEqualTo(computed);
    assertThat(again.realTargets()).isTrue();
  }

  @Test
  void aSlotWithoutARow_hasNoTarget_whenItIsReadBack() throws IOException {
    Path file = SmallData.write(folder, "unfit.csv", "1,0.1\nword,0.7\n3,-5\n");
    DataSpec spec =
        new DataSpec(
            file, null, DataFormat.CSV, CsvLayout.standard(), new TargetRange(-1, 3), null, null);
    for (int i = 0; i < 2; i++) {
      UnfitRows unfit = UnfitRows.of(Adjacency.REPLACE_ONE);
      RowBlocks rows =
          FeatureCache.read(new FeatureCache(cache()), spec, SQUARES, RowStorage.of(100), unfit);
      assertThat(rows.blocks().get(0).labels()[1]).isEqualTo(RowBlocks.NO_LABEL);
      assertThat(rows.blocks().get(0).labels()[2]).isEqualTo(-TargetRange.ONE);
      assertThat(unfit.count()).isEqualTo(1);
    }
  }

  /** A map may make of finite numbers what is none, and then its row adds nothing. */
  @Test
  void featuresThatAreNotFinite_areReadBack_alsoFromRowsThatStayInTheirFile() throws IOException {
    DataSpec spec = rows("1e20,2,0\n-1e20,1e20,2\nword,2,1\n3,4,2\n");
    FeaturePipeline quartic = FeaturePipeline.of(new Polynomial(4));
    for (Adjacency adjacency : Adjacency.values()) {
      List<List<String>> read = new ArrayList<>();
      for (long mostBytes : new long[] {Long.MAX_VALUE, Long.MAX_VALUE, 0}) {
        RowStorage storage = new RowStorage(100, mostBytes);
        UnfitRows unfit = UnfitRows.of(adjacency);
        read.add(text(FeatureCache.read(new FeatureCache(cache()), spec, quartic, storage, unfit)));
      }
      assertThat(read.get(0).toString()).contains("Infinity");
      assertThat(read).allMatch(read.get(0)::equals);
    }
  }

  @Test
  void otherContent_orOtherSettings_areComputedAnew() throws IOException {
    cached(rows("1,2,0\n"), SQUARES);
    DataSpec changed = rows("4,4,1\n");
    assertThat(text(cached(changed, SQUARES)))
        .isEqualTo(text(RowCollector.collect(changed, SQUARES, UnfitRows.REFUSED)));
    assertThat(files()).as("the old entry is replaced").hasSize(3);
    FeaturePipeline cubes = FeaturePipeline.of(new Polynomial(3));
    assertThat(text(cached(changed, cubes)))
        .isEqualTo(text(RowCollector.collect(changed, cubes, UnfitRows.REFUSED)));
    assertThat(files()).hasSize(6);
  }

  @Test
  void damagedEntries_areComputedAnew() throws IOException {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    List<String> computed = text(cached(spec, SQUARES));
    for (int which = 0; which < 3; which++) {
      Path file = files().get(which);
      byte[] whole = Files.readAllBytes(file);
      byte[] damaged = whole.clone();
      damaged[damaged.length - 2] ^= 1;
      Files.write(file, damaged);
      assertThat(text(cached(spec, SQUARES))).isEqualTo(computed);
      assertThat(files().get(which)).hasBinaryContent(whole);
    }
  }

  /** As another user's, after a first run by the administrator. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anEntryThatCannotBeRead_isComputedAnew() throws IOException {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    List<String> computed = text(cached(spec, SQUARES));
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      Files.delete(file);
      // A plain file whose bytes nobody may have, the administrator included.
      Files.createSymbolicLink(file, Path.of("/proc/self/mem"));
      assertThat(text(cached(spec, SQUARES))).isEqualTo(computed);
      assertThat(file).hasBinaryContent(whole);
    }
  }

  @Test
  void onlyTheOwnerMayRead() throws IOException {
    cached(rows("1,2,0\n"), SQUARES);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache())))
        .isEqualTo("rwx------");
    assertThat(all()).hasSize(4);
    for (Path file : all()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void aFolderThatOthersMayRead_isRefused() throws IOException {
    Files.createDirectory(cache());
    Files.setPosixFilePermissions(cache(), PosixFilePermissions.fromString("rwxr-x---"));
    assertThatThrownBy(() -> cached(rows("1,2,0\n"), SQUARES))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("so it must be for its owner alone (chmod 700)");
    assertThatThrownBy(() -> new FeatureCache(cache()).requirePrivate())
        .hasMessageEndingWith("so it must be for its owner alone (chmod 700)");
    assertThat(files()).isEmpty();
  }

  @Test
  void rowsOfAFileThatIsChangedMeanwhile_areNotKept() throws IOException {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    FeatureCache.read(
        new FeatureCache(cache()),
        spec,
        SQUARES,
        RowStorage.of(100),
        UnfitRows.REFUSED.heardBy(() -> rows("4,4,1\n")));
    assertThat(files()).isEmpty();
  }

  @Test
  void aFolderThatCannotBeMade_keepsNothing() throws IOException {
    Files.writeString(cache(), "in the way");
    assertThat(text(cached(rows("1,2,0\n"), SQUARES)))
        .isEqualTo(
            text(
                FeatureCache.read(
                    null, rows("1,2,0\n"), SQUARES, RowStorage.of(100), UnfitRows.REFUSED)));
    assertThat(cache()).hasContent("in the way");
    new FeatureCache(cache()).requirePrivate();
  }

  /** A folder in place of the file that would be locked stands for one that cannot be written. */
  @Test
  void withoutALock_aWholeEntryIsRead_andNoneIsMadeNorChanged() throws IOException {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    List<String> computed = text(cached(spec, SQUARES));
    Path lock =
        all().stream().filter(file -> file.toString().endsWith(".lock")).findFirst().orElseThrow();
    Files.delete(lock);
    Files.createDirectory(lock);
    AtomicInteger heard = new AtomicInteger();
    RowBlocks rows =
        FeatureCache.read(
            new FeatureCache(cache()),
            spec,
            SQUARES,
            RowStorage.of(100),
            UnfitRows.REFUSED.heardBy(heard::incrementAndGet));
    assertThat(text(rows)).isEqualTo(computed);
    assertThat(heard.get()).as("rows that were computed").isZero();
    Path seal = files().get(2);
    Files.writeString(seal, "damaged");
    assertThat(text(cached(spec, SQUARES))).isEqualTo(computed);
    assertThat(seal).hasContent("damaged");
  }

  @Test
  void whoeverComesWhileAnEntryIsMade_waitsForIt() throws Exception {
    DataSpec spec = rows("1,2,0\n3,4,2\n");
    cached(spec, SQUARES);
    Path lock =
        all().stream().filter(file -> file.toString().endsWith(".lock")).findFirst().orElseThrow();
    CompletableFuture<List<String>> other;
    try (LockFile held = LockFile.take(lock)) {
      assertThat(held).isNotNull();
      other =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return text(cached(spec, SQUARES));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      Thread.sleep(300); // six times as long as a thread waits before it looks again
      assertThat(other).isNotDone();
    }
    assertThat(other.get(60, TimeUnit.SECONDS)).isEqualTo(text(cached(spec, SQUARES)));
  }

  @Test
  void withoutAProof_nothingIsReadNorMade() throws IOException {
    PrivateData data = new PrivateData(rows("1,2,0\n"), 1, SQUARES, new FeatureCache(cache()));
    ReservedCharge none = noProof();
    assertThatNullPointerException().isThrownBy(() -> data.rows(none));
    assertThat(cache()).doesNotExist();
    ReservedCharge proof = () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), 1, 1));
    data.rows(proof);
    assertThat(files()).hasSize(3);
  }

  @SuppressWarnings("NullAway") // what a caller without a charge would pass
  private static ReservedCharge noProof() {
    return null;
  }
}
