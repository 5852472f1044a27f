package io.mutune.trainer.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpzFileTest {
  private static final double[] SIX = {1, -0.0, Math.PI, Double.MIN_VALUE, Double.MAX_VALUE, 1e-9};

  /** Bytes of the record that ends a zip file. */
  private static final int END_OF_ZIP = 22;

  private static final String ONE = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n";

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("model.npz");
  }

  private Path zipOf(String name, byte[] content) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file()))) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    }
    return file();
  }

  /** An array file with any header, valid or not. */
  private static byte[] npy(String header, double... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + header.length() + 8 * values.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII)).put((byte) 1);
    bytes.put((byte) 0).putShort((short) header.length());
    bytes.put(header.getBytes(StandardCharsets.US_ASCII));
    bytes.asDoubleBuffer().put(values);
    return bytes.array();
  }

  @Test
  void arrays_areReadBackExactlyAndInOrder() throws IOException {
    Map<String, NpyArray> arrays = new LinkedHashMap<>();
    arrays.put("weights", new NpyArray(new int[] {2, 3}, SIX));
    arrays.put("bias", new NpyArray(new int[] {2}, new double[] {0.1, 0.2}));
    arrays.put("scalar", new NpyArray(new int[] {}, new double[] {7}));
    arrays.put("empty", new NpyArray(new int[] {0, 5}, new double[] {}));
    NpzFile.write(file(), arrays);

    Map<String, NpyArray> read = NpzFile.read(file());
    assertThat(read.keySet()).containsExactly("weights", "bias", "scalar", "empty");
    assertThat(read).usingRecursiveComparison().isEqualTo(arrays);
  }

  @Test
  void sameArrays_giveTheSameBytes() throws IOException {
    Map<String, NpyArray> arrays = Map.of("weights", new NpyArray(new int[] {6}, SIX));
    NpzFile.write(file(), arrays);
    Path again = folder.resolve("again.npz");
    try (OutputStream out = Files.newOutputStream(again)) {
      NpzFile.write(out, arrays);
    }
    assertThat(again).hasSameBinaryContentAs(file());
  }

  @Test
  void bytes_doNotDependOnTheTimeZone() throws IOException {
    NpzFile.write(file(), Map.of("weights", new NpyArray(new int[] {6}, SIX)));
    try (ZipFile zip = new ZipFile(file().toFile())) {
      assertThat(zip.getEntry("weights.npy").getExtra()).isNull();
    }
  }

  @Test
  void valuesThatDoNotFitTheShape_areRefused() {
    for (int[] shape : new int[][] {{5}, {-2, -3}, {1 << 16, 1 << 16}}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new NpyArray(shape, SIX));
    }
  }

  @Test
  void headerThatNumpyWrites_isRead() throws IOException {
    String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }   \n";
    assertThat(NpzFile.read(zipOf("w.npy", npy(header, 3, 4))).get("w"))
        .usingRecursiveComparison()
        .isEqualTo(new NpyArray(new int[] {2, 1}, new double[] {3, 4}));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999999999,), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }\n",
        "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }\n",
        "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }\n",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n",
        ""
      })
  void arrayThatIsNotWhatItsHeaderSays_isRefused(String header) throws IOException {
    Path file = zipOf("w.npy", npy(header, 3, 4));
    assertThatThrownBy(() -> NpzFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": holds an array that is damaged, or not of float32 or float64");
  }

  @Test
  void headerLongerThanTheFile_isRefused() throws IOException {
    byte[] npy = npy("{}");
    npy[8] = 100;
    Path file = zipOf("w.npy", npy);
    assertThatThrownBy(() -> NpzFile.read(file)).isInstanceOf(DataFormatException.class);
  }

  @Test
  void shapeOfThousandsOfDimensions_isRefused() throws IOException {
    String shape = "1, ".repeat(20000);
    String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    Path file = zipOf("w.npy", npy(header, 1));
    assertThatThrownBy(() -> NpzFile.read(file)).isInstanceOf(DataFormatException.class);
  }

  @Test
  void entryThatIsNoArray_isRefused() throws IOException {
    Path file = zipOf("notes.txt", new byte[] {1});
    assertThatThrownBy(() -> NpzFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": holds something that is not an array");
  }

  @Test
  void commentThatIsNotUtf8_isRefused() throws IOException {
    ZipEntry entry = new ZipEntry("w.npy");
    entry.setComment("\u00e9");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file()))) {
      zip.putNextEntry(entry);
    }
    byte[] bytes = Files.readAllBytes(file());
    bytes[bytes.length - END_OF_ZIP - 1] = ' '; // the second byte of the comment's letter
    Files.write(file(), bytes);
    assertThatThrownBy(() -> NpzFile.read(file())).isInstanceOf(DataFormatException.class);
  }

  @Test
  void contentThatDoesNotMatchItsChecksum_isRefused() throws IOException {
    Path file =
        zipOf("w.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", 3));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - END_OF_ZIP - "w.npy".length() - 30] ^= 1; // the directory's CRC-32
    Files.write(file, bytes);
    assertThatThrownBy(() -> NpzFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": is truncated or damaged: its zip does not unpack");
  }

  @Test
  void truncatedFile_isRefused() throws IOException {
    NpzFile.write(file(), Map.of("weights", new NpyArray(new int[] {6}, SIX)));
    byte[] whole = Files.readAllBytes(file());
    for (int length = 0; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> NpzFile.read(file())).isInstanceOf(DataFormatException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../w.npy", "..\\w.npy", "/w.npy", "a/../../w.npy"})
  void aNameThatIsAPath_isRefused(String name) throws IOException {
    Path file = zipOf(name, npy(ONE, 3));
    assertThatThrownBy(() -> NpzFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(file + ": holds something that is not an array");
  }

  @Test
  void anArrayThatIsThereTwice_isRefused() throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file()))) {
      for (String name : new String[] {"w.npy", "v.npy"}) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(npy(ONE, 3));
        zip.closeEntry();
      }
    }
    String text = Files.readString(file(), StandardCharsets.ISO_8859_1).replace("v.npy", "w.npy");
    Files.writeString(file(), text, StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> NpzFile.read(file())).isInstanceOf(DataFormatException.class);
  }

  /** Java's own limits let a few MiB be allocated for the zip's bookkeeping and the test's. */
  @Test
  void whatADirectoryStates_allocatesNothing() throws IOException {
    Path file = zipOf("w.npy", npy(ONE, 3));
    byte[] bytes = Files.readAllBytes(file);
    int size = bytes.length - END_OF_ZIP - "w.npy".length() - 22; // the directory's unpacked size
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(size, Integer.MAX_VALUE - 1);
    Files.write(file, bytes);
    assertThat(allocatedBy(() -> readOrRefuse(file))).isLessThan(16 << 20);
  }

  /** 48 MiB of zeros pack into 48 KiB; of them no more is kept than the array's header says. */
  @Test
  void anEntryThatExpandsBehindItsArray_isRefused() throws IOException {
    byte[] zeros = new byte[48 << 20];
    byte[] array = npy(ONE, 3);
    System.arraycopy(array, 0, zeros, 0, array.length);
    Path file = zipOf("w.npy", zeros);
    assertThat(Files.size(file)).isLessThan(100_000);
    assertThatThrownBy(() -> NpzFile.read(file)).isInstanceOf(DataFormatException.class);
    assertThat(allocatedBy(() -> readOrRefuse(file))).isLessThan(16 << 20);
  }

  /** Else a large model would be trained, and charged, and never be used. */
  @Test
  void moreThanASmallFileMayHold_isReadFromALargeOne() throws IOException {
    double[] weights = new Random(1).doubles(10_000).toArray();
    NpzFile.write(file(), Map.of("w", new NpyArray(new int[] {10_000}, weights)));
    assertThat(NpzFile.read(file(), 1000).get("w").values()).isEqualTo(weights);
    NpzFile.write(file(), Map.of("w", new NpyArray(new int[] {10_000}, new double[10_000])));
    assertThatThrownBy(() -> NpzFile.read(file(), 1000))
        .hasMessageEndingWith("holds more than is read of a file of its size");
  }

  private static void readOrRefuse(Path file) {
    try {
      assertThat(NpzFile.read(file)).containsOnlyKeys("w");
    } catch (DataFormatException e) {
      assertThat(e).hasMessageStartingWith(file.toString());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long allocatedBy(Runnable work) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
