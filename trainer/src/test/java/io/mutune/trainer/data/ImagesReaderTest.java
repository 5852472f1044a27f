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
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.ImageSource;
import io.mutune.trainer.format.LabelColumn;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.image.ImageDecoder;
import io.mutune.trainer.image.Pictures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.zip.UnixStat;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipMethod;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures in folders, zips and lists: which files are rows, and which of them fit. */
class ImagesReaderTest {
  private static final ReservedCharge PROOF =
      () -> new Charge("trial 1", new Gaussian(NoiseMultiplier.of(1), 1, 1));
  private static final ImageSource SOURCE = new ImageSource(Image.grey(1, 2));
  private static final ClassLabels CATS = new ClassLabels(List.of("cat", "dog"));

  @TempDir Path folder;

  private Path rows;

  @BeforeEach
  void pictures() throws IOException {
    rows = Files.createDirectory(folder.resolve("rows"));
    put("dog/1.png", Pictures.grey(1, 2, 10, 20));
    put("cat/2.png", Pictures.grey(1, 2, 30, 40));
    put("cat/1.png", Pictures.grey(1, 2, 50, 60));
  }

  private Path put(String name, byte[] file) throws IOException {
    Path path = rows.resolve(name);
    Files.createDirectories(path.resolveSibling(""));
    return Files.write(path, file);
  }

  private static DataSpec spec(Path place) {
    return DataSpec.of(List.of(place), RowForm.ofImages(CsvLayout.standard(), SOURCE), CATS, null);
  }

  private static Block block(DataSpec spec, Adjacency adjacency) throws IOException {
    return new PrivateData(spec, 100, FeaturePipeline.of(), null)
        .under(adjacency)
        .rows(PROOF)
        .blocks()
        .blocks()
        .get(0);
  }

  /** Small, large and damaged ones beside each other. */
  @Test
  void whateverIsDecodedAtTheSameTime_aPictureHasItsOwnNumbersInItsOwnPlace() throws IOException {
    byte[] large = Pictures.grey(2100, 2000, new int[2100 * 2000]);
    for (int i = 0; i < 40; i++) {
      byte[] small = Pictures.grey(1, 2, i, 2 * i);
      put("cat/x%02d.png".formatted(i), i % 10 == 4 ? large : i % 5 == 3 ? new byte[9] : small);
    }
    Block block = block(spec(rows), Adjacency.REPLACE_ONE);
    assertThat(block.rows()).isEqualTo(43);
    for (int i = 0; i < 40; i++) {
      float[] found = Arrays.copyOfRange(block.features(), 2 * (i + 2), 2 * (i + 3));
      boolean isBlack = i % 10 == 4 || i % 5 == 3;
      assertThat(found).isEqualTo(isBlack ? new float[2] : shares(i, 2 * i));
      assertThat(block.labels()[i + 2]).isEqualTo(i % 5 == 3 ? RowBlocks.NO_LABEL : 0);
    }
  }

  private static float[] shares(int... samples) {
    float[] values = new float[samples.length];
    for (int i = 0; i < samples.length; i++) {
      values[i] = samples[i] / 255f;
    }
    return values;
  }

  private static final float[] ALL = shares(50, 60, 30, 40, 10, 20);

  private static void requireAll(DataSpec spec) throws IOException {
    Block block = block(spec, Adjacency.ADD_REMOVE);
    assertThat(block.features()).isEqualTo(ALL);
    assertThat(block.labels()).containsExactly(0, 0, 1);
  }

  @Test
  void files_areRowsInTheOrderOfTheirNames_andFoldersTheirClasses() throws IOException {
    requireAll(spec(rows));
    Files.createDirectory(rows.resolve("set"));
    Files.move(rows.resolve("cat"), rows.resolve("set/cat"));
    Block block = block(spec(rows), Adjacency.ADD_REMOVE);
    assertThat(block.labels()).as("dog, set/cat").containsExactly(1, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {".DS_Store", "cat/.hidden.png", "__MACOSX/cat/1.png", ".git/cat/1.png"})
  void whatProgramsLeave_isNoRowAtAll(String name) throws IOException {
    put(name, Pictures.grey(1, 2, 1, 1));
    assertThat(block(spec(rows), Adjacency.REPLACE_ONE).labels()).containsExactly(0, 0, 1);
  }

  /** Each of them stands in for a picture that would be a row. */
  @ParameterizedTest
  @ValueSource(strings = {"bird/1.png", "loose.png", "cat/1.txt", "cat/0.png", "dog/9.png/a"})
  void aFileThatDoesNotFit_isEqualToItsAbsence_andLeavesASlotWhereRowsAreReplaced(String name)
      throws IOException {
    boolean isPicture = !name.startsWith("cat/");
    byte[] picture = Pictures.grey(1, 2, 1, 1);
    put(name, isPicture ? picture : Arrays.copyOf(picture, picture.length / 2));
    requireAll(spec(rows));
    Block block = block(spec(rows), Adjacency.REPLACE_ONE);
    assertThat(block.labels()).hasSize(4).contains(RowBlocks.NO_LABEL);
  }

  @Test
  void linksAndWhatIsNoFile_doNotFit() throws IOException {
    Path outside = Files.write(folder.resolve("out.png"), Pictures.grey(1, 2, 1, 1));
    Files.createDirectory(folder.resolve("cat"));
    Files.move(outside, folder.resolve("cat/out.png"));
    Files.createSymbolicLink(rows.resolve("cat/link.png"), folder.resolve("cat/out.png"));
    Files.createSymbolicLink(rows.resolve("dog/cat"), folder.resolve("cat"));
    Files.createSymbolicLink(rows.resolve("dog/loop"), rows);
    requireAll(spec(rows));
    assertThat(block(spec(rows), Adjacency.REPLACE_ONE).labels()).hasSize(6);
  }

  @Test
  void aFileThatMayNotBeRead_doesNotFit() throws IOException {
    Path locked = put("dog/2.png", Pictures.grey(1, 2, 1, 1));
    assertThat(locked.toFile().setReadable(false)).isTrue();
    if (!Files.isReadable(locked)) { // the superuser reads it all the same
      requireAll(spec(rows));
    }
  }

  @Test
  void aFileThatIsTooLong_isNotRead() throws IOException {
    Path file = put("cat/3.png", new byte[0]);
    try (var bytes = new java.io.RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(ImageDecoder.MAX_BYTES + 1L);
    }
    assertThatThrownBy(() -> new PublicData(spec(rows), FeaturePipeline.of()).rows())
        .hasMessage(rows + ": cat/3.png: has more than 67108864 bytes");
  }

  @Test
  void ofPublicRows_theFileIsNamed_withoutWhatAScreenWouldObey() throws IOException {
    Files.delete(rows.resolve("cat/1.png"));
    put("cat/\u001b[2J.png", new byte[3]);
    assertThatThrownBy(() -> new PublicData(spec(rows), FeaturePipeline.of()).rows())
        .hasMessage(rows + ": cat/?[2J.png: is no JPEG, PNG, BMP or GIF");
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(String name, byte[] bytes, int mode) {}

  private Path zip(List<Entry> entries) throws IOException {
    Path file = folder.resolve("rows.zip");
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(file)) {
      for (Entry entry : entries) {
        ZipArchiveEntry head = new ZipArchiveEntry(entry.name());
        head.setUnixMode(entry.mode());
        zip.putArchiveEntry(head);
        zip.write(entry.bytes());
        zip.closeArchiveEntry();
      }
    }
    return file;
  }

  private static Entry entry(String name, byte[] bytes) {
    return new Entry(name, bytes, UnixStat.FILE_FLAG | UnixStat.DEFAULT_FILE_PERM);
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (String name : List.of("dog/1.png", "cat/2.png", "cat/1.png")) {
      entries.add(entry(name, Files.readAllBytes(rows.resolve(name))));
    }
    return entries;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../cat.png",
        "..",
        "/etc/passwd",
        "bird/1.png",
        "cat/",
        "loose.png",
        "",
        "//",
        "cat/../../1.png"
      })
  void namesInAZip_leadNowhere(String name) throws IOException {
    List<Entry> entries = entries();
    entries.add(entry(name, name.endsWith("/") ? new byte[0] : Pictures.grey(1, 2, 1, 1)));
    requireAll(spec(zip(entries)));
  }

  @Test
  void linksAndDamageInAZip_doNotFit_andTwoOfOneNameAreTwoRows() throws IOException {
    List<Entry> entries = entries();
    byte[] target = "1.png".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    entries.add(new Entry("cat/3.png", target, UnixStat.LINK_FLAG | 0777));
    entries.add(entry("cat/4.png", new byte[9]));
    requireAll(spec(zip(entries)));
    entries.add(entry("dog/1.png", Pictures.grey(1, 2, 70, 80)));
    Block block = block(spec(zip(entries)), Adjacency.ADD_REMOVE);
    assertThat(block.labels()).containsExactly(0, 0, 1, 1);
    assertThat(Arrays.copyOfRange(block.features(), 4, 8)).isEqualTo(shares(10, 20, 70, 80));
  }

  /** Others need libraries that may not be there, and one such entry must end nothing. */
  @Test
  void anEntryOfAZip_byAnotherMethodThanTheUsual_doesNotFit() throws IOException {
    byte[] picture = Pictures.grey(1, 2, 1, 1);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream bzip2 = new BZip2CompressorOutputStream(packed)) {
      bzip2.write(picture);
    }
    Path file = folder.resolve("rows.zip");
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(file)) {
      for (Entry entry : entries()) {
        zip.putArchiveEntry(new ZipArchiveEntry(entry.name()));
        zip.write(entry.bytes());
        zip.closeArchiveEntry();
      }
      ZipArchiveEntry other = new ZipArchiveEntry("cat/3.png");
      other.setMethod(ZipMethod.BZIP2.getCode());
      other.setSize(picture.length);
      other.setCompressedSize(packed.size());
      CRC32 sum = new CRC32();
      sum.update(picture);
      other.setCrc(sum.getValue());
      zip.addRawArchiveEntry(other, new ByteArrayInputStream(packed.toByteArray()));
    }
    requireAll(spec(file));
  }

  @Test
  void whatIsNoZip_isOneSentence() throws IOException {
    Path file = Files.writeString(folder.resolve("rows.zip"), "no zip");
    assertThatThrownBy(() -> new PublicData(spec(file), FeaturePipeline.of()).rows())
        .hasMessage(file + ": is no zip, or is damaged");
  }

  private Path list(String text) throws IOException {
    return Files.writeString(rows.resolve("list.csv"), text);
  }

  private static final String LIST = "cat/1.png,cat\ncat/2.png,cat\ndog/1.png,dog\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../rows/cat/1.png,cat",
        "cat/../../rows/cat/1.png,cat",
        "/etc/passwd,cat",
        "/,cat",
        ",cat",
        ".,cat",
        "cat,cat",
        "missing.png,cat",
        "link.png,cat",
        "linked/1.png,cat",
        "cat/1.png,bird",
        "cat/1.png",
        "list.csv,cat",
        "other.csv,cat",
        "other.zip,cat",
        "\u0000,cat",
        "\"cat/1.png,cat"
      })
  void aLineThatDoesNotFit_isEqualToItsAbsence(String line) throws IOException {
    Files.createSymbolicLink(rows.resolve("link.png"), rows.resolve("cat/1.png"));
    Files.createSymbolicLink(rows.resolve("linked"), rows.resolve("cat"));
    put("other.csv", Pictures.grey(1, 2, 1, 1)); // whose other rows would be part of a picture
    put("other.zip", Pictures.grey(1, 2, 1, 1));
    for (String text : new String[] {line + "\n" + LIST, LIST + line}) {
      requireAll(spec(list(text)));
    }
  }

  @Test
  void aListNamesItsColumns() throws IOException {
    Path list = list("x,kind,picture\n1,cat,cat/1.png\n1,cat,cat/2.png\n1,dog,dog/1.png\n");
    DataSpec spec =
        DataSpec.of(
            List.of(list),
            RowForm.ofImages(
                new CsvLayout(',', true, new LabelColumn.Named("kind")),
                new ImageSource(
                    new ImageSource.Pixels(Image.grey(1, 2)), new LabelColumn.Named("picture"))),
            CATS,
            null);
    requireAll(spec);
    list("x,kind\n");
    assertThatThrownBy(() -> new PublicData(spec, FeaturePipeline.of()).rows())
        .hasMessageEndingWith("list.csv:1: has no column 'picture'");
  }

  /** Whoever protects its rows protects the whole folder of a list. */
  @Test
  void theFolderOfAList_isAmongItsFiles() {
    Path list = rows.resolve("list.csv");
    assertThat(spec(list).files()).containsExactly(list, rows);
    assertThatThrownBy(
            () -> spec(list).at(path -> path.equals(list) ? folder.resolve("l.csv") : path))
        .hasMessageContaining("in another folder");
  }

  @Test
  void anotherFile_isAnotherSealOfTheFolder() throws IOException {
    DataKey key = new DataKey(folder.resolve("key"));
    String seal = key.seals(List.of(rows), "nonce").get(0);
    assertThat(key.opens(rows, 0, "nonce", seal)).isTrue();
    Map<String, byte[]> changes = new LinkedHashMap<>();
    changes.put("cat/1.png", Pictures.grey(1, 2, 50, 61));
    changes.put("cat/3.png", new byte[0]);
    changes.put("list.csv", new byte[1]);
    for (Map.Entry<String, byte[]> change : changes.entrySet()) {
      Path file = rows.resolve(change.getKey());
      byte @Nullable [] before = Files.exists(file) ? Files.readAllBytes(file) : null;
      String digest = PublicData.digest(rows);
      Files.write(file, change.getValue());
      assertThat(key.opens(rows, 0, "nonce", seal)).isFalse();
      assertThat(PublicData.digest(rows)).isNotEqualTo(digest);
      if (before == null) {
        Files.delete(file);
      } else {
        Files.write(file, before);
      }
    }
    assertThat(key.opens(rows, 0, "nonce", seal)).isTrue();
    Files.move(rows.resolve("cat/2.png"), rows.resolve("dog/2.png"));
    assertThat(key.opens(rows, 0, "nonce", seal)).isFalse();
  }

  @Test
  void keptFeatures_areThoseOfTheFilesThatAreThere() throws IOException {
    FeatureCache cache = new FeatureCache(folder.resolve("cache"));
    FeaturePipeline maps = FeaturePipeline.of(new io.mutune.trainer.feature.L2Normalize());
    for (int i = 0; i < 2; i++) {
      assertThat(new PublicData(spec(rows), maps, FeaturePipeline.of(), cache).rows().count())
          .isEqualTo(3);
    }
    put("dog/0.png", Pictures.grey(1, 2, 1, 1));
    assertThat(new PublicData(spec(rows), maps, FeaturePipeline.of(), cache).rows().count())
        .isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"rows, rows/cat", "rows/cat, rows", "rows, rows/../rows", "rows, link"})
  void aPartWithinAnother_isRefused(String one, String other) throws IOException {
    Files.createSymbolicLink(folder.resolve("link"), rows);
    DataSpec twice =
        DataSpec.of(
            List.of(folder.resolve(one), folder.resolve(other)),
            RowForm.ofImages(CsvLayout.standard(), SOURCE),
            CATS,
            null);
    assertThatThrownBy(twice::checkReadable)
        .hasMessageMatching("(?s).*(in the other|named twice).*");
  }

  @Test
  void whatIsNotThere_orIsNoFolder_isToldFromItsMetadata() throws IOException {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> spec(missing).checkReadable())
        .hasMessageContaining("there is no such folder");
    assertThatThrownBy(() -> spec(rows.resolve("cat/1.png")).checkReadable())
        .hasMessageContaining("is no folder of images");
  }
}
