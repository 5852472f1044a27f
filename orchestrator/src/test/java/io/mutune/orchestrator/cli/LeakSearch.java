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

  /**
   * @param characters one a byte
   */
  private record Bytes(String what, String characters) {}

  /**
   * @param within what the pattern needs, found much faster
   * @param inDigests whether it is looked for within hexadecimal words and times too, where digits
   *     meet any short number by chance
   */
  private record Text(String what, String within, Pattern pattern, boolean inDigests) {
    boolean isIn(String text, String withoutDigests) {
      String searched = inDigests ? text : withoutDigests;
      return searched.contains(within) && pattern.matcher(searched).find();
    }
  }

  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{32,}");

  /** When something was, and how long it took: digits of the clock, which meet others by chance. */
  private static final Pattern TIME =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z|\"seconds\" ?: ?[0-9.E-]+");

  private final List<Bytes> bytes = new ArrayList<>();
  private final List<Text> texts = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  /** Something that may stand nowhere, not even within a longer word. */
  LeakSearch text(String what, String text) {
    texts.add(new Text(what, text, Pattern.compile(Pattern.quote(text)), true));
    return this;
  }

  /** A whole number, with digits of its own. */
  LeakSearch count(String what, long count) {
    Pattern whole = Pattern.compile("(?<![\\d.])" + count + "(?![\\d]|\\.\\d)");
    texts.add(new Text(what, Long.toString(count), whole, false));
    return this;
  }

  /**
   * A number to five digits, cut or rounded, plain or in per cent, as reports show it, in binary.
   */
  LeakSearch statistic(String what, double value) {
    for (double scaled : new double[] {value, 100 * value}) {
      for (RoundingMode mode : List.of(RoundingMode.DOWN, RoundingMode.HALF_EVEN)) {
        String digits = new BigDecimal(scaled).round(new MathContext(DIGITS, mode)).toPlainString();
        texts.add(startsWith(what, digits));
      }
    }
    String percent = String.format(Locale.ROOT, "%.2f%%", 100 * value);
    texts.add(startsWith(what, percent));
    return binary(what, value);
  }

  private static Text startsWith(String what, String digits) {
    return new Text(what, digits, Pattern.compile("(?<![\\d.])" + Pattern.quote(digits)), false);
  }

  LeakSearch binary(String what, double value) {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      bytes.add(bytes(what, ByteBuffer.allocate(8).order(order).putDouble(value)));
      bytes.add(bytes(what, ByteBuffer.allocate(4).order(order).putFloat((float) value)));
    }
    return this;
  }

  private static Bytes bytes(String what, ByteBuffer written) {
    return new Bytes(what, StandardCharsets.ISO_8859_1.decode(written.flip()).toString());
  }

  /** A word that was drawn at random, to be read as a digest is. */
  LeakSearch id(String id) {
    ids.add(id);
    return this;
  }

  static String withoutTimes(String text) {
    return TIME.matcher(text).replaceAll("#");
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
    String words = withoutTimes(DIGEST.matcher(text).replaceAll("#"));
    for (String id : ids) {
      words = words.replace(id, "#");
    }
    for (Text wanted : texts) {
      if (wanted.isIn(text, words)) {
        found.add(wanted.what + " as text (" + wanted.pattern + ") in " + where);
      }
    }
    for (Bytes wanted : bytes) {
      if (text.contains(wanted.characters)) {
        found.add(wanted.what + " as " + wanted.characters.length() + " bytes in " + where);
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
