package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.trainer.data.SmallData;
import io.mutune.trainer.file.DataFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class NpyReaderTest {
  @TempDir Path folder;

  /** An array file of that version with these bytes after its header. */
  public static byte[] npy(int version, String header, byte[] values) {
    int lengthBytes = version == 1 ? 2 : 4;
    byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + lengthBytes + text.length + values.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    if (version == 1) {
      bytes.putShort((short) text.length);
    } else {
      bytes.putInt(text.length);
    }
    return bytes.put(text).put(values).array();
  }

  private static String header(String type, String shape) {
    return "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }  \n";
  }

  public static byte[] floats(String shape, float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return npy(1, header("<f4", shape), bytes.array());
  }

  public static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return npy(1, header("|u1", values.length + ","), bytes);
  }

  private static byte[] zip(Object... namesAndBytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed)) {
      for (int i = 0; i < namesAndBytes.length; i += 2) {
        zip.putNextEntry(new ZipEntry((String) namesAndBytes[i]));
        zip.write((byte[]) namesAndBytes[i + 1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  public static DataSpec spec(Path rows, @Nullable Path labels) {
    return new DataSpec(
        rows, labels, DataFormat.NPY, CsvLayout.standard(), SmallData.THREE_CLASSES, null, null);
  }

  private DataSpec spec(byte[] rows, byte[] labels) {
    return spec(SmallData.write(folder, "x.npy", rows), SmallData.write(folder, "y.npy", labels));
  }

  private DataSpec npz(byte[] file) {
    return new DataSpec(
        SmallData.write(folder, "data.npz", file),
        null,
        DataFormat.NPZ,
        CsvLayout.standard(),
        SmallData.THREE_CLASSES,
        null,
        null);
  }

  /** The same two rows, 1 2 and 3 0, in every type and byte order that NumPy writes them in. */
  @ParameterizedTest
  @CsvSource({
    "<f2, 003c 0040 0042 0000",
    ">f2, 3c00 4000 4200 0000",
    "<f4, 0000803f 00000040 00004040 00000000",
    ">f4, 3f800000 40000000 40400000 00000000",
    "<f8, 000000000000f03f 0000000000000040 0000000000000840 0000000000000000",
    ">f8, 3ff0000000000000 4000000000000000 4008000000000000 0000000000000000",
    "|i1, 01 02 03 00",
    "|u1, 01 02 03 00",
    "<i2, 0100 0200 0300 0000",
    ">u2, 0001 0002 0003 0000",
    "<u4, 01000000 02000000 03000000 00000000",
    ">i4, 00000001 00000002 00000003 00000000",
    "<i8, 0100000000000000 0200000000000000 0300000000000000 0000000000000000",
    ">u8, 0000000000000001 0000000000000002 0000000000000003 0000000000000000"
  })
  void everyType_isRead(String type, String hex) throws IOException {
    String digits = hex.replace(" ", "");
    byte[] values = new byte[digits.length() / 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    for (int version = 1; version <= 3; version++) {
      DataSpec spec = spec(npy(version, header(type, "2, 2"), values), bytes(0, 2));
      assertThat(SmallData.rows(spec)).containsExactly("[1.0, 2.0] -> 0", "[3.0, 0.0] -> 2");
    }
  }

  @Test
  void dimensionsBeyondTheFirst_areFlattened() throws IOException {
    assertThat(SmallData.rows(spec(floats("1, 2, 2", 1, 2, 3, 4), bytes(1))))
        .containsExactly("[1.0, 2.0, 3.0, 4.0] -> 1");
  }

  @Test
  void npz_holdsFeaturesAndLabels() throws IOException {
    byte[] file = zip("features.npy", floats("2, 1", 5, 6), "labels.npy", bytes(2, 0));
    assertThat(SmallData.rows(npz(file))).containsExactly("[5.0] -> 2", "[6.0] -> 0");
    assertThatThrownBy(() -> SmallData.rows(npz(zip("features.npy", floats("1, 1", 5)))))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("data.npz: has no array labels.npy");
  }

  @Test
  void aRange_takesItsRowsAlone() throws IOException {
    DataSpec spec = spec(floats("4, 1", 1, 2, 3, 4), bytes(0, 1, 2, 0));
    assertThat(SmallData.rows(SmallData.withRange(spec, 2, 3)))
        .containsExactly("[2.0] -> 1", "[3.0] -> 2");
  }

  @Test
  void whatIsWrong_isToldByItsPlace() {
    assertRefused(
        floats("2, 2", 1, 2, Float.NaN, 4),
        bytes(0, 1),
        "x.npy: record 2: column 1 is not a finite float32 number");
    assertRefused(
        floats("1, 2", 1, 2), bytes(7), "y.npy: record 1: is not one of the class labels");
    assertRefused(
        floats("2, 2", 1, 2), bytes(0, 1), "x.npy: ends before record 1 does".replace('1', '2'));
    assertRefused(floats("1, 1", 1, 2), bytes(0), "x.npy: goes on after its last record");
    assertRefused(
        floats("2, 1", 1, 2), bytes(0), "y.npy: does not have as many labels as there are rows");
    assertRefused(
        floats("2,", 1, 2),
        bytes(0, 1),
        "x.npy: has one dimension, as labels have: rows have two or more");
    assertRefused(
        npy(1, header("<f4", "1, 1").replace("False", "True"), new byte[4]),
        bytes(0),
        "x.npy: is in Fortran order: save numpy.ascontiguousarray of it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }\n",
        "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }\n",
        "{'descr': '<f4', 'fortran_order': False}\n",
        "{'descr': '<f4', 'descr': '<f4', 'shape': (1, 1), }\n",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 1), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 1), }\n",
        "canary77",
        ""
      })
  void headersOfOtherThings_areRefused(String header) {
    assertRefused(
        npy(1, header, new byte[4]),
        bytes(0),
        "x.npy: does not begin like a NumPy array of plain numbers");
  }

  /** Nothing may be allocated by a length that the file merely states. */
  @Test
  void aHeaderLengthBeyondTheFile_isRefused() {
    byte[] rows = npy(2, "{}", new byte[4]);
    for (int length : new int[] {100, 1 << 16, Integer.MAX_VALUE, -1}) {
      ByteBuffer.wrap(rows).order(ByteOrder.LITTLE_ENDIAN).putInt(8, length);
      assertRefused(rows, bytes(0), "x.npy: does not begin like a NumPy array of plain numbers");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1, 999999999, 999999999",
        "1, 65536, 65536",
        "1, 999999999, 999999999, 999999999, 999999999",
        "1, 0, 999999999"
      })
  void shapesThatOverflow_areRefused(String shape) {
    DataSpec spec = spec(npy(1, header("<f4", shape), new byte[4]), bytes(0));
    assertThatThrownBy(() -> SmallData.rows(spec))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("x.npy: has dimensions that are not those of rows");
  }

  /** A member that unpacks to far more than its array is left at the array's end. */
  @Test
  void anEntryThatExpands_isRefusedAtTheEndOfItsArray() {
    byte[] bomb = npy(1, header("<f4", "1, 1"), new byte[1 << 26]);
    assertThatThrownBy(() -> SmallData.rows(npz(zip("features.npy", bomb, "labels.npy", bytes(0)))))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("goes on after its last record");
  }

  @Test
  void aDirectoryThatLiesAboutPackedBytes_isRefused() {
    byte[] file = zip("features.npy", floats("2, 1", 5, 6), "labels.npy", bytes(2, 0));
    ByteBuffer zip = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int directory = zip.getInt(file.length - 6);
    zip.putInt(directory + 20, 5);
    assertThatThrownBy(() -> SmallData.rows(npz(file))).isInstanceOf(DataFormatException.class);
  }

  private void assertRefused(byte[] rows, byte[] labels, String message) {
    DataSpec spec = spec(rows, labels);
    assertThatThrownBy(() -> SmallData.rows(spec))
        .isInstanceOf(DataFormatException.class)
        .hasMessage(folder + "/" + message);
  }

  @Test
  void parts_areOneDataSetInTheirOrder() throws IOException {
    Path labels = SmallData.write(folder, "y.npy", bytes(0, 1));
    DataSpec first = spec(SmallData.write(folder, "b.npy", floats("2, 1", 1, 2)), labels);
    DataSpec both =
        withMore(
            first,
            null,
            new DataSpec.Part(
                SmallData.write(folder, "a.npy", floats("2, 1", 3, 4)),
                SmallData.write(folder, "z.npy", bytes(2, 0))));
    assertThat(SmallData.rows(both))
        .containsExactly("[1.0] -> 0", "[2.0] -> 1", "[3.0] -> 2", "[4.0] -> 0");
    assertThat(SmallData.rows(withMore(both, new RowRange(2, 3))))
        .containsExactly("[2.0] -> 1", "[3.0] -> 2");
    assertThat(SmallData.rows(withMore(both, new RowRange(1, 2)))).hasSize(2);
    assertThat(SmallData.rows(withMore(both, new RowRange(4, 9)))).containsExactly("[4.0] -> 0");

    DataSpec odd =
        withMore(
            first,
            null,
            new DataSpec.Part(
                SmallData.write(folder, "odd.npy", floats("1, 2", 3, 4)),
                SmallData.write(folder, "one.npy", bytes(2))));
    assertThatThrownBy(() -> SmallData.rows(odd))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("odd.npy: has 2 columns, where the parts before it have 1");
  }

  public static DataSpec withMore(DataSpec spec, @Nullable RowRange range, DataSpec.Part... more) {
    List<DataSpec.Part> parts = new ArrayList<>(spec.parts());
    parts.addAll(List.of(more));
    return new DataSpec(
        parts,
        RowForm.ofNumbers(spec.format(), spec.csv(), spec.features()),
        spec.labelling(),
        range);
  }
}
