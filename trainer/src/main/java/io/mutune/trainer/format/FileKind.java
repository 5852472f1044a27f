package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a file looks like by its first bytes, for telling its owner that it is something else than
 * was said. Nothing is read by this: a file is read as it is described.
 */
public enum FileKind {
  PARQUET("a Parquet file", "its format is parquet", "PAR1"),
  NPY("a NumPy array", "its format is npy", "\u0093NUMPY"),
  ZIP("a zip, as NPZ files and workbooks are", "unpack it, or export it as CSV", "PK\3\4"),
  GZIP("a gzip", "unpack it first", "\u001f\u008b"),
  ELF("a program (ELF)", "name a file of rows", "\u007fELF"),
  SQLITE("an SQLite database", "export its table as CSV", "SQLite f"),
  PDF("a PDF", "name a file of rows", "%PDF"),
  UTF_16_LE("text in UTF-16", "save it as UTF-8", "\u00ff\u00fe"),
  UTF_16_BE("text in UTF-16", "save it as UTF-8", "\u00fe\u00ff");

  private static final int LONGEST = 8;

  private final String words;
  private final String advice;
  private final String begin;

  /**
   * By words for its owner.
   *
   * @param begin its first bytes, each as the character of that number
   */
  FileKind(String words, String advice, String begin) {
    this.words = words;
    this.advice = advice;
    this.begin = begin;
  }

  /** What is wrong with a file of rows that is not of the kind that its description says. */
  public static Optional<String> mistaken(DataSpec spec) throws IOException {
    for (DataSpec.Part part : spec.parts()) {
      Optional<String> mistaken = mistaken(part.file(), spec.form());
      if (mistaken.isPresent()) {
        return mistaken.map(what -> part.file() + ": " + what);
      }
    }
    return Optional.empty();
  }

  /** The same of one file, without its name. */
  public static Optional<String> mistaken(Path file, RowForm form) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    DataFormat format = form.format();
    if (LineReader.reads(format, file) && InputFile.isGzip(file) != InputFile.isNamedGzip(file)) {
      return Optional.of(
          InputFile.isNamedGzip(file)
              ? "is no gzip, as its name says"
              : "is gzip: its name must end in .gz");
    }
    if (form.images() != null) {
      return Optional.empty();
    }
    Optional<FileKind> kind = of(file, format != DataFormat.PARQUET && format != DataFormat.NPZ);
    if (kind.isEmpty() && format == DataFormat.PARQUET) {
      return Optional.of("is no Parquet file, since it does not begin like one");
    }
    return kind.filter(other -> other != expected(format))
        .map(other -> "is %s, not %s: %s".formatted(other.words, format.key(), other.advice));
  }

  /**
   * Empty of a file that looks like none of these, or does not unpack.
   *
   * @param unpacked whether it may be packed by gzip, and what is inside counts
   */
  static Optional<FileKind> of(Path file, boolean unpacked) throws IOException {
    try (InputStream in = unpacked ? InputFile.open(file) : Files.newInputStream(file)) {
      String head = new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
      return Arrays.stream(values()).filter(kind -> head.startsWith(kind.begin)).findFirst();
    } catch (DataFormatException e) {
      return Optional.empty(); // its reader says what is wrong with it
    }
  }

  private static @Nullable FileKind expected(DataFormat format) {
    return switch (format) {
      case PARQUET -> PARQUET;
      case NPY -> NPY;
      case NPZ -> ZIP;
      case CSV, TSV, JSONL, LIBSVM, IDX, IMAGES -> null;
    };
  }
}
