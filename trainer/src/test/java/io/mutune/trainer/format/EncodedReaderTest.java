package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.accountant.Adjacency;
import io.mutune.trainer.data.RowListener;
import io.mutune.trainer.data.UnfitRows;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.network.EncoderFailedException;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureNetwork;
import io.mutune.trainer.table.TableEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncodedReaderTest {
  /** Two parts of 512 rows, and one of fewer. */
  private static final int ROWS = 1300;

  @TempDir Path folder;
  private RowReader rows;

  @BeforeEach
  void rowsWithTheirNumbers() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      lines.add(i % 100 == 13 ? "no row" : i + ",0.5,0");
    }
    Path file = Files.write(folder.resolve("rows.csv"), lines);
    rows =
        RowReader.of(
            new DataSpec(
                file, null, DataFormat.CSV, CsvLayout.standard(), ClassLabels.of(2), 2, null));
  }

  /** Doubles a row's first number, says how many it was asked for, and ends at one of them. */
  private record Doubling(AtomicInteger asked, int last) implements RowEncoder {
    @Override
    public int columns(int read) {
      return 1;
    }

    @Override
    public List<Text> texts(TableEncoder cells) {
      return List.of();
    }

    @Override
    public float[] encode(float[] values, List<Text> texts) throws DataFormatException {
      if (asked.incrementAndGet() > last) {
        throw new IllegalStateException("killed");
      }
      if (values[0] % 100 == 77) {
        throw DataFormatException.in(Path.of("rows.csv"), "cannot be encoded");
      }
      return new float[] {2 * values[0]};
    }

    @Override
    public void close() {}
  }

  @Test
  void anEncoderThatWorksNoLonger_isAFailureOfTheMachineAndOfNoFile() {
    RowEncoder lost =
        new RowEncoder.Pictures(
            Path.of("rows.csv"),
            new PictureEncoder() {
              @Override
              public int width() {
                return 1;
              }

              @Override
              public PictureNetwork.Ports ports() {
                return new PictureNetwork.Ports("in", false, "out");
              }

              @Override
              public float[] encode(float[] values) throws IOException {
                throw new IOException("the device is lost");
              }

              @Override
              public void close() {}
            });
    Seen seen = new Seen();
    assertThatThrownBy(() -> new EncodedReader(rows, () -> lost, null).read(seen))
        .isInstanceOf(EncoderFailedException.class)
        .hasMessage("an encoder no longer works on this machine: the device is lost");
    assertThat(seen.rows).containsExactly("columns 1");
  }

  private static final class Seen implements RowSink {
    private final List<String> rows = new ArrayList<>();

    @Override
    public void begin(int columns) {
      rows.add("columns " + columns);
    }

    @Override
    public void row(float[] values, int label, @Nullable String unit) {
      rows.add(Arrays.toString(values) + label);
    }

    @Override
    public void malformed(DataFormatException problem) {
      rows.add("unfit");
    }
  }

  private List<String> read(AtomicInteger asked, int last, @Nullable EncodedParts parts)
      throws IOException {
    Seen seen = new Seen();
    new EncodedReader(rows, () -> new Doubling(asked, last), parts).read(seen);
    return seen.rows;
  }

  private EncodedParts parts(String content) throws IOException {
    return EncodedParts.open(folder.resolve("kept.parts"), content);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("kept.parts"))) {
      return all.sorted().toList();
    }
  }

  @Test
  void whatWasEncodedBeforeAKill_isNotEncodedAgain_andRowsAreTheSame() throws IOException {
    List<String> whole = read(new AtomicInteger(), ROWS, null);
    assertThat(whole).hasSize(ROWS + 1).contains("[2.0]0", "unfit");
    assertThatThrownBy(() -> read(new AtomicInteger(), 900, parts("a")))
        .hasStackTraceContaining("killed");
    assertThat(files())
        .extracting(Path::getFileName)
        .map(Path::toString)
        .containsExactly("0.part", "content");
    AtomicInteger asked = new AtomicInteger();
    assertThat(read(asked, ROWS, parts("a"))).isEqualTo(whole);
    // Of the first part those alone that could not be encoded, of which nothing is kept.
    assertThat(asked.get()).isEqualTo(ROWS - 512 - 8 + 5);
    AtomicInteger again = new AtomicInteger();
    assertThat(read(again, ROWS, parts("a"))).isEqualTo(whole);
    assertThat(again.get()).isEqualTo(13);
  }

  /** So that what they did not cost is no part of the speed that a terminal shows. */
  @Test
  void rowsThatWereEncodedBefore_areHeardOfApart() throws IOException {
    read(new AtomicInteger(), ROWS, parts("a"));
    Files.delete(folder.resolve("kept.parts/1.part"));
    AtomicInteger kept = new AtomicInteger();
    AtomicInteger encoded = new AtomicInteger();
    RowListener listener =
        new RowListener() {
          @Override
          public void row() {
            encoded.incrementAndGet();
          }

          @Override
          public void kept() {
            kept.incrementAndGet();
          }
        };
    new EncodedReader(rows, () -> new Doubling(new AtomicInteger(), ROWS), parts("a"))
        .read(UnfitRows.of(Adjacency.ADD_REMOVE).heardBy(listener).around(new Seen()));
    assertThat(kept.get() + encoded.get()).isEqualTo(ROWS);
    // The part that is gone, and of the others those that did not fit.
    assertThat(encoded.get()).isBetween(512, 512 + 2 * 13);
  }

  @Test
  void partsOfOtherFiles_orThatAreDamaged_areNotTaken() throws IOException {
    List<String> whole = read(new AtomicInteger(), ROWS, parts("a"));
    byte[] part = Files.readAllBytes(folder.resolve("kept.parts/1.part"));
    part[100] ^= 1;
    Files.write(folder.resolve("kept.parts/1.part"), part);
    Files.write(folder.resolve("kept.parts/2.part"), new byte[7]);
    AtomicInteger asked = new AtomicInteger();
    assertThat(read(asked, ROWS, parts("a"))).isEqualTo(whole);
    assertThat(asked.get()).isGreaterThan(ROWS - 512 - 20);
    AtomicInteger others = new AtomicInteger();
    assertThat(read(others, ROWS, parts("b"))).isEqualTo(whole);
    assertThat(others.get()).isEqualTo(ROWS - 13);
  }

  /** Both are whole, and have as many rows as each other. */
  @Test
  void aPartInThePlaceOfAnother_isNotTaken() throws IOException {
    List<String> whole = read(new AtomicInteger(), ROWS, parts("a"));
    Path first = folder.resolve("kept.parts/0.part");
    Files.copy(first, folder.resolve("kept.parts/1.part"), StandardCopyOption.REPLACE_EXISTING);
    AtomicInteger asked = new AtomicInteger();
    assertThat(read(asked, ROWS, parts("a"))).isEqualTo(whole);
    assertThat(asked.get()).isGreaterThan(512 - 20);
    EncodedParts others = EncodedParts.open(folder.resolve("others.parts"), "a");
    Files.copy(first, folder.resolve("others.parts/0.part"));
    AtomicInteger ofOthers = new AtomicInteger();
    assertThat(read(ofOthers, ROWS, others)).isEqualTo(whole);
    assertThat(ofOthers.get()).as("parts of other settings").isEqualTo(ROWS - 13);
  }

  @Test
  void everyRowIsHeardOf_asItIsEncoded_whateverBecomesOfIt() throws IOException {
    for (UnfitRows unfit : List.of(UnfitRows.REFUSED, UnfitRows.of(Adjacency.ADD_REMOVE))) {
      AtomicInteger heard = new AtomicInteger();
      Seen seen = new Seen();
      new EncodedReader(rows, () -> new Doubling(new AtomicInteger(), ROWS), null)
          .read(unfit.heardBy(heard::incrementAndGet).around(seen));
      assertThat(heard.get()).isEqualTo(ROWS);
      assertThat(seen.rows.contains("unfit")).isEqualTo(unfit.areRefused());
    }
  }

  @Test
  void partsAreForTheirOwnerAlone_andGoAtTheEnd() throws IOException {
    EncodedParts parts = parts("a");
    read(new AtomicInteger(), ROWS, parts);
    Path place = folder.resolve("kept.parts");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rwx------");
    for (Path file : files()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    parts.delete();
    assertThat(place).doesNotExist();
  }
}
