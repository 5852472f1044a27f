package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A search for leaks that finds none proves nothing unless it finds those that are planted. */
class LeakSearchTest {
  private static final double ACCURACY = 9137.0 / 10273;

  @TempDir Path folder;

  private final LeakSearch search =
      new LeakSearch()
          .text("value", "7351.8642")
          .binary("value", 7351.8642)
          .count("rows", 10273)
          .statistic("accuracy", ACCURACY);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7351.8642",
        "x=17351.86429",
        "10273",
        "10273 rows",
        "(10273.)",
        "0.88941886498588",
        "0.889419",
        "0.88942",
        "accuracy 88.942%",
        "accuracy 88.94%",
        "88.9418865"
      })
  void aPlantedText_isFound(String text) {
    assertThat(search.in("here", text)).isNotEmpty().allMatch(found -> found.contains("here"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"7351.864", "102730", "110273", "0.10273", "10273.5", "0.889", "0.88952"})
  void whatIsOnlyAlike_isNot(String text) {
    assertThat(search.in("here", text)).isEmpty();
  }

  /** Words that differ from run to run hide no number that stands beside them. */
  @Test
  void digitsOfIdsAndTimes_areNoLeak_butThoseBesideThemAre() {
    search.id("a10273bc").statistic("error", 0.11058);
    assertThat(search.in("here", "small-a10273bc/, 2026-11-25T12:50:11.058810078Z")).isEmpty();
    assertThat(search.in("here", "\"seconds\" : 0.1105812345,")).isEmpty();
    assertThat(search.in("here", "small-a10273bc/10273")).hasSize(1);
    assertThat(search.in("here", "2026-11-25T12:50:11.058810078Z11.058%")).isNotEmpty();
    assertThat(search.in("here", "\"error\" : 0.1105812345,")).isNotEmpty();
  }

  @Test
  void aPlantedNumber_isFoundInBinary_inAnyFileAndWithinAZip() throws Exception {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      Path file = folder.resolve("deep/folder/file");
      Files.createDirectories(folder.resolve("deep/folder"));
      Files.write(
          file,
          ByteBuffer.allocate(11).order(order).put((byte) 1).putFloat((float) 7351.8642).array());
      assertThat(search.inFolder(folder)).containsExactly("value as 4 bytes in " + file);
      Files.write(
          file, ByteBuffer.allocate(11).order(order).put((byte) 1).putDouble(ACCURACY).array());
      assertThat(search.inFolder(folder)).containsExactly("accuracy as 8 bytes in " + file);
      Files.delete(file);
    }
    Path zip = folder.resolve("model.npz");
    NpzFile.write(
        zip, Map.of("weights", new NpyArray(new int[] {1, 3}, new double[] {1, 7351.8642, 2})));
    assertThat(search.inFolder(folder))
        .containsExactly("value as 8 bytes in " + zip + "!weights.npy");
  }

  @Test
  void aPlantedValue_isFoundInAStoreThatWasNotYetCheckpointed() throws Exception {
    Path file = folder.resolve("x.db");
    try (StoreView store = StoreView.of(file)) {
      store.execute("PRAGMA journal_mode = WAL");
      store.execute("CREATE TABLE t(x)");
      store.execute("INSERT INTO t VALUES ('about 10273 rows')");
      assertThat(search.inFolder(folder))
          .singleElement()
          .asString()
          .startsWith("rows as text")
          .endsWith(file + "-wal");
    }
    assertThat(search.inFolder(folder))
        .singleElement()
        .asString()
        .startsWith("rows as text")
        .endsWith(" in " + file);
  }
}
