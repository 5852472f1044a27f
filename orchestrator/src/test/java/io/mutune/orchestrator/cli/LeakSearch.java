package io.mutune.orchestrator.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Looks for private values in what a study leaves: as text, as float32 and as float64 of either
 * byte order, in files, and in files within zips.
 */
final class LeakSearch {
  /** Fewer digits of a statistic would meet other numbers by chance. */
  private static final int DIGITS = 5;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Bytes(String what, byte[] bytes) {}

  /**
   * @param inDigests whether it is looked for within long hexadecimal words too, where digits meet
   *     any short number by chance
   */
  private record Text(String what, Pattern pattern, boolean inDigests) {}

  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{32,}");

  private final List<Bytes> bytes = new ArrayList<>();
  private final List<Text> texts = new ArrayList<>();

  /** Something that may stand nowhere, not even within a longer word. */
  LeakSearch text(String what, String text) {
    texts.add(new Text(what, Pattern.compile(Pattern.quote(text)), true));
    return this;
  }

  /** A whole number, with digits of its own. */
  LeakSearch count(String what, long count) {
    texts.add(new Text(what, Pattern.compile("(?<![\\d.])" + count + "(?![\\d]|\\.\\d)"), false));
    return this;
  }

  /**
   * A number to five digits, cut or rounded, plain or in per cent, as reports show it, in binary.
   */
  LeakSearch statistic(String what, double value) {
    for (double scaled : new double[] {value, 100 * value}) {
      for (RoundingMode mode : List.of(RoundingMode.DOWN, RoundingMode.HALF_EVEN)) {
        String digits = new BigDecimal(scaled).round(new MathContext(DIGITS, mode)).toPlainString();
        texts.add(new Text(what, Pattern.compile("(?<![\\d.])" + Pattern.quote(digits)), false));
      }
    }
    String percent = String.format(Locale.ROOT, "%.2f%%", 100 * value);
    texts.add(new Text(what, Pattern.compile("(?<![\\d.])" + Pattern.quote(percent)), false));
    return binary(what, value);
  }

  LeakSearch binary(String what, double value) {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      bytes.add(new Bytes(what, ByteBuffer.allocate(8).order(order).putDouble(value).array()));
      bytes.add(
          new Bytes(what, ByteBuffer.allocate(4).order(order).putFloat((float) value).array()));
    }
    return this;
  }

  /** What is found in a text. */
  List<String> in(String where, String text) {
    return in(where, text.getBytes(StandardCharsets.UTF_8));
  }

  /** What is found in every file of a folder. */
  List<String> inFolder(Path folder) throws IOException {
    List<String> found = new ArrayList<>();
    try (var files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        found.addAll(in(file.toString(), Files.readAllBytes(file)));
      }
    }
    return found;
  }

  private List<String> in(String where, byte[] content) {
    List<String> found = new ArrayList<>();
    String text = new String(content, StandardCharsets.ISO_8859_1);
    String words = DIGEST.matcher(text).replaceAll("#");
    for (Text wanted : texts) {
      if (wanted.pattern.matcher(wanted.inDigests ? text : words).find()) {
        found.add(wanted.what + " as text (" + wanted.pattern + ") in " + where);
      }
    }
    for (Bytes wanted : bytes) {
      if (text.contains(new String(wanted.bytes, StandardCharsets.ISO_8859_1))) {
        found.add(wanted.what + " as " + wanted.bytes.length + " bytes in " + where);
      }
    }
    if (text.startsWith("PK")) {
      found.addAll(inZip(where, content));
    }
    return found;
  }

  private List<String> inZip(String where, byte[] content) {
    List<String> found = new ArrayList<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(content))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        found.addAll(in(where + "!" + entry.getName(), zip.readAllBytes()));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }
}
