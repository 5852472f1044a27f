package io.mutune.orchestrator.paired;

import io.mutune.orchestrator.paired.PairedRow.Fault;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/** How a data set lies in files: each form that a sweep can name, and what may be wrong there. */
enum PairedForm {
  CSV("path: private.csv, format: csv"),
  CSV_WITH_HEADER("path: private.csv, format: csv, header: true, label: y"),
  CSV_IN_GZIP("path: private.csv.gz, format: csv"),
  CSV_IN_PARTS("path: [one.csv, two.csv], format: csv"),
  /** The first two rows and whatever comes after many are somebody else's. */
  CSV_RANGE("path: private.csv, format: csv, range: {first: 3, last: 5000}"),
  LIBSVM("path: private.libsvm, format: libsvm"),
  IDX("path: private.idx, labels: labels.idx, format: idx"),
  NPY("path: private.npy, labels: labels.npy, format: npy"),
  NPZ("path: private.npz, format: npz"),
  TSV("path: private.tsv, format: tsv"),
  JSONL("path: private.jsonl, format: jsonl"),
  PARQUET("path: private.parquet, format: parquet"),
  /** People with several rows each, of which some are left out. */
  PEOPLE("path: private.csv, format: csv, header: true"),
  IMAGES("path: private, format: images, size: 2, channels: 1"),
  IMAGES_IN_ZIP("path: private.zip, format: images, size: 2, channels: 1"),
  IMAGES_IN_LIST("path: private/list.csv, format: images, size: 2, channels: 1");

  private static final int UBYTE = 0x08;
  private static final int FLOAT = 0x0D;

  private final String yaml;

  PairedForm(String yaml) {
    this.yaml = yaml;
  }

  /** What stands in {@code data.private} about it. */
  String yaml() {
    return yaml;
  }

  /** Whether its columns have names and types. */
  boolean isTable() {
    return this == TSV || this == JSONL || this == PARQUET || this == PEOPLE;
  }

  /** Whether its rows are pictures, whose size says how many features they have. */
  boolean isOfImages() {
    return this == IMAGES || this == IMAGES_IN_ZIP || this == IMAGES_IN_LIST;
  }

  /** Whose row it is: rows alike are the same person's, and that of nothing is nobody else's. */
  private static String person(PairedRow row) {
    return row.values()[0] == 0 ? "zero" : "p" + (int) (20 * row.values()[1]);
  }

  /** With the person first, who is unknown in place of an empty field. */
  private static String people(List<PairedRow> rows) {
    StringBuilder text = new StringBuilder();
    for (PairedRow row : rows) {
      boolean isNobody = row.fault() == Fault.EMPTY_FIELD;
      PairedRow shown = isNobody ? new PairedRow(Fault.NONE, row.values(), row.label()) : row;
      text.append(isNobody ? "" : person(row)).append(',').append(csv(List.of(shown)));
    }
    return text.toString();
  }

  /** Public rows of the same columns. */
  String open(List<PairedRow> rows) {
    return this == PEOPLE ? people(rows) : csv(rows);
  }

  private static void parquet(Path file, List<PairedRow> rows) throws IOException {
    Types.MessageTypeBuilder columns = Types.buildMessage();
    for (int j = 0; j < PairedRow.FEATURES; j++) {
      columns.optional(PrimitiveTypeName.DOUBLE).named("abcd".substring(j, j + 1));
    }
    MessageType schema = columns.required(PrimitiveTypeName.INT32).named("y").named("rows");
    Files.deleteIfExists(file);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .build()) {
      for (PairedRow row : rows) {
        SimpleGroup group = new SimpleGroup(schema);
        for (int j = row.fault() == Fault.EMPTY_FIELD ? 1 : 0; j < PairedRow.FEATURES; j++) {
          group.add(j, (double) value(row, j));
        }
        group.add(PairedRow.FEATURES, label(row));
        writer.write(group);
      }
    }
  }

  private static String jsonLines(List<PairedRow> rows) {
    StringBuilder text = new StringBuilder();
    for (PairedRow row : rows) {
      String first =
          switch (row.fault()) {
            case TEXT -> "\"a\": \"about half\", ";
            case EMPTY_FIELD -> "\"a\": null, ";
            case MISSING_FIELD -> "";
            case NOT_FINITE -> "\"a\": NaN, ";
            case BAD_TOKEN -> "\"a\": }, ";
            default -> "\"a\": " + number(row.values()[0]) + ", ";
          };
      text.append('{').append(first);
      for (int j = 1; j < PairedRow.FEATURES; j++) {
        text.append('"').append("abcd".charAt(j)).append("\": ");
        text.append(number(row.values()[j])).append(", ");
      }
      text.append("\"y\": ").append(label(row)).append("}\n");
    }
    return text.toString();
  }

  /** The word that a sweep has for it. */
  String format() {
    return yaml.replaceAll(".*format: ([a-z]+).*", "$1");
  }

  /** What a row of such a file may have wrong with it. */
  Set<Fault> faults() {
    return switch (this) {
      case CSV, CSV_WITH_HEADER, CSV_IN_GZIP, CSV_IN_PARTS, CSV_RANGE, PEOPLE ->
          EnumSet.of(
              Fault.BAD_LABEL,
              Fault.TEXT,
              Fault.EMPTY_FIELD,
              Fault.MISSING_FIELD,
              Fault.MORE_FIELDS,
              Fault.NOT_FINITE,
              Fault.OPEN_QUOTE);
      case LIBSVM ->
          EnumSet.of(Fault.BAD_LABEL, Fault.NOT_FINITE, Fault.BAD_TOKEN, Fault.INDEX_BEYOND);
      case IMAGES, IMAGES_IN_ZIP, IMAGES_IN_LIST ->
          EnumSet.of(Fault.BAD_LABEL, Fault.TEXT, Fault.BAD_TOKEN);
      case IDX, NPY, NPZ -> EnumSet.of(Fault.BAD_LABEL, Fault.NOT_FINITE);
      case PARQUET -> EnumSet.of(Fault.BAD_LABEL, Fault.EMPTY_FIELD, Fault.NOT_FINITE);
      case TSV ->
          EnumSet.of(
              Fault.BAD_LABEL,
              Fault.TEXT,
              Fault.EMPTY_FIELD,
              Fault.MISSING_FIELD,
              Fault.MORE_FIELDS,
              Fault.NOT_FINITE,
              Fault.OPEN_QUOTE);
      case JSONL ->
          EnumSet.of(
              Fault.BAD_LABEL,
              Fault.TEXT,
              Fault.EMPTY_FIELD,
              Fault.MISSING_FIELD,
              Fault.NOT_FINITE,
              Fault.BAD_TOKEN);
    };
  }

  /** The files that hold rows, in a folder. */
  List<Path> files(Path folder) {
    return switch (this) {
      case CSV, CSV_WITH_HEADER, CSV_RANGE, PEOPLE -> List.of(folder.resolve("private.csv"));
      case CSV_IN_GZIP -> List.of(folder.resolve("private.csv.gz"));
      case CSV_IN_PARTS -> List.of(folder.resolve("one.csv"), folder.resolve("two.csv"));
      case LIBSVM -> List.of(folder.resolve("private.libsvm"));
      case IDX -> List.of(folder.resolve("private.idx"), folder.resolve("labels.idx"));
      case NPY -> List.of(folder.resolve("private.npy"), folder.resolve("labels.npy"));
      case NPZ -> List.of(folder.resolve("private.npz"));
      case TSV -> List.of(folder.resolve("private.tsv"));
      case JSONL -> List.of(folder.resolve("private.jsonl"));
      case PARQUET -> List.of(folder.resolve("private.parquet"));
      case IMAGES -> List.of(folder.resolve("private"));
      case IMAGES_IN_ZIP -> List.of(folder.resolve("private.zip"));
      case IMAGES_IN_LIST -> List.of(folder.resolve("private/list.csv"));
    };
  }

  void write(Path folder, List<PairedRow> rows) throws IOException {
    List<Path> files = files(folder);
    Path file = files.get(0);
    switch (this) {
      case CSV -> Files.writeString(file, csv(rows));
      case CSV_WITH_HEADER -> Files.writeString(file, "a,b,c,d,y\n" + csv(rows));
      case CSV_RANGE ->
          Files.writeString(
              file, csv(List.of(PairedRow.real(), PairedRow.malformed(Fault.TEXT))) + csv(rows));
      case CSV_IN_GZIP -> {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
          out.write(csv(rows).getBytes(StandardCharsets.UTF_8));
        }
      }
      case CSV_IN_PARTS -> {
        int first = Math.min(rows.size(), 20);
        Files.writeString(file, csv(rows.subList(0, first)));
        Files.writeString(files.get(1), csv(rows.subList(first, rows.size())));
      }
      case TSV -> Files.writeString(file, "a\tb\tc\td\ty\n" + csv(rows).replace(',', '\t'));
      case JSONL -> Files.writeString(file, jsonLines(rows));
      case PARQUET -> parquet(file, rows);
      case PEOPLE -> Files.writeString(file, "who,a,b,c,d,y\n" + people(rows));
      case LIBSVM -> Files.writeString(file, libsvm(rows));
      case IMAGES -> PairedImages.folder(file, rows);
      case IMAGES_IN_ZIP -> PairedImages.zip(file, rows);
      case IMAGES_IN_LIST -> PairedImages.list(file, rows);
      case IDX -> {
        Files.write(file, idx(FLOAT, rows));
        Files.write(files.get(1), idx(UBYTE, rows));
      }
      case NPY -> {
        Files.write(file, npyFeatures(rows));
        Files.write(files.get(1), npyLabels(rows));
      }
      case NPZ -> {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
          zip.putNextEntry(new ZipEntry("features.npy"));
          zip.write(npyFeatures(rows));
          zip.putNextEntry(new ZipEntry("labels.npy"));
          zip.write(npyLabels(rows));
        }
      }
    }
  }

  /** Rows in CSV without a header, for parts of a sweep that are public. */
  static String csv(List<PairedRow> rows) {
    StringBuilder text = new StringBuilder();
    for (PairedRow row : rows) {
      String[] cells = new String[PairedRow.FEATURES + 1];
      for (int j = 0; j < PairedRow.FEATURES; j++) {
        cells[j] = number(row.values()[j]);
      }
      cells[PairedRow.FEATURES] = Integer.toString(row.label());
      String line = String.join(",", cells);
      text.append(
              switch (row.fault()) {
                case NONE -> line;
                case BAD_LABEL -> line.substring(0, line.length() - 1) + "9";
                case TEXT -> line.replaceFirst("^[^,]*", "about half");
                case EMPTY_FIELD -> line.replaceFirst("^[^,]*", "");
                case MISSING_FIELD -> line.replaceFirst("^[^,]*,", "");
                case MORE_FIELDS -> "0.5," + line;
                case NOT_FINITE -> line.replaceFirst("^[^,]*", "NaN");
                case OPEN_QUOTE -> "\"" + line;
                default -> throw new IllegalArgumentException(row.fault().toString());
              })
          .append('\n');
    }
    return text.toString();
  }

  private static String number(float value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  private static String libsvm(List<PairedRow> rows) {
    StringBuilder text = new StringBuilder();
    for (PairedRow row : rows) {
      text.append(row.fault() == Fault.BAD_LABEL ? 9 : row.label());
      for (int j = 0; j < PairedRow.FEATURES; j++) {
        if (row.values()[j] != 0) {
          text.append(' ').append(j + 1).append(':');
          text.append(row.fault() == Fault.NOT_FINITE ? "nan" : number(row.values()[j]));
        }
      }
      text.append(
              switch (row.fault()) {
                case BAD_TOKEN -> " nothing";
                case INDEX_BEYOND -> " 2000000000:1";
                default -> "";
              })
          .append('\n');
    }
    return text.toString();
  }

  private static float value(PairedRow row, int feature) {
    return row.fault() == Fault.NOT_FINITE ? Float.NaN : row.values()[feature];
  }

  private static int label(PairedRow row) {
    return row.fault() == Fault.BAD_LABEL ? 9 : row.label();
  }

  /** The rows, or where elements are unsigned bytes the labels. */
  private static byte[] idx(int type, List<PairedRow> rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(type << 8 | (type == UBYTE ? 1 : 2));
    out.writeInt(rows.size());
    if (type == UBYTE) {
      for (PairedRow row : rows) {
        out.writeByte(label(row));
      }
      return bytes.toByteArray();
    }
    out.writeInt(PairedRow.FEATURES);
    for (PairedRow row : rows) {
      for (int j = 0; j < PairedRow.FEATURES; j++) {
        out.writeFloat(value(row, j));
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] npyFeatures(List<PairedRow> rows) {
    byte[] bytes = new byte[rows.size() * PairedRow.FEATURES * Float.BYTES];
    ByteBuffer data = littleEndian(bytes);
    for (PairedRow row : rows) {
      for (int j = 0; j < PairedRow.FEATURES; j++) {
        data.putFloat(value(row, j));
      }
    }
    return npy("<f4", "(" + rows.size() + ", " + PairedRow.FEATURES + ")", bytes);
  }

  private static byte[] npyLabels(List<PairedRow> rows) {
    byte[] bytes = new byte[rows.size() * Integer.BYTES];
    ByteBuffer data = littleEndian(bytes);
    rows.forEach(row -> data.putInt(label(row)));
    return npy("<i4", "(" + rows.size() + ",)", bytes);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Version 1.0 of NumPy's format, the header padded to 118 bytes. */
  private static byte[] npy(String type, String shape, byte[] data) {
    String header =
        String.format(
            "%-117s%n",
            "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(type, shape));
    byte[] bytes = new byte[10 + header.length() + data.length];
    ByteBuffer file = littleEndian(bytes);
    file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.putShort((short) header.length());
    file.put(header.getBytes(StandardCharsets.US_ASCII)).put(data);
    return bytes;
  }
}
