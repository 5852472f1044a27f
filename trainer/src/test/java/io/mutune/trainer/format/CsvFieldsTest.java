package io.mutune.trainer.format;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CsvFieldsTest {
  /** Of what a line of CSV is made, odd parts more often than in files; seeded. */
  private static String line(SplittableRandom random, String parts) {
    StringBuilder line = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      line.append(parts.charAt(random.nextInt(parts.length())));
    }
    return line.toString();
  }

  @Test
  void fields_areThoseOfFastCsv() {
    SplittableRandom random = new SplittableRandom(1);
    CsvFields fields = new CsvFields(',', 100);
    int split = 0;
    for (int i = 0; i < 100_000; i++) {
      String line = line(random, "ab ,,\"\"\"");
      char[] chars = ("xx" + line + "yy").toCharArray();
      List<String> ours = null;
      if (fields.split(chars, 2, 2 + line.length())) {
        ours =
            IntStream.range(0, fields.count())
                .mapToObj(
                    f ->
                        new String(
                            fields.chars(), fields.start(f), fields.end(f) - fields.start(f)))
                .toList();
        split++;
      }
      assertThat(ours).as(line).isEqualTo(fastCsv(line));
      assertThat(new String(chars)).isEqualTo("xx" + line + "yy");
    }
    assertThat(split).isBetween(10_000, 90_000);
  }

  private static @Nullable List<String> fastCsv(String line) {
    try (var records =
        de.siegmar.fastcsv.reader.CsvReader.builder().allowUnclosedQuote(false).ofCsvRecord(line)) {
      return records.stream().map(CsvRecord::getFields).findFirst().orElseThrow();
    } catch (CsvParseException | IOException e) {
      return null;
    }
  }

  /**
   * A reader that gives few characters at a time, so that every line meets an end of the buffer.
   */
  private static Reader slow(String text, SplittableRandom random) {
    return new StringReader(text) {
      @Override
      public int read(char[] chars, int offset, int length) throws IOException {
        return super.read(chars, offset, Math.min(length, 1 + random.nextInt(3)));
      }
    };
  }

  /** A second way to find lines, one character after the other. */
  private static List<String> lines(String text, int most) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = from;
      while (to < text.length() && text.charAt(to) != '\n' && text.charAt(to) != '\r') {
        to++;
      }
      lines.add(text.substring(from, Math.min(to, from + most)) + (to - from > most ? "…" : ""));
      from = to + (text.startsWith("\r\n", to) ? 2 : 1);
    }
    return lines;
  }

  @Test
  void lines_endWithLfCrOrBoth_whereverTheBufferEnds() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 10_000; i++) {
      String text = line(random, "abc\r\n\n") + line(random, "abc\r\n\n");
      List<String> found = new ArrayList<>();
      try (LineReader reader = new LineReader(slow(text, random), 3, null)) {
        while (reader.advance()) {
          found.add(reader.text() + (reader.tooLong() ? "…" : ""));
          assertThat(reader.number()).isEqualTo(found.size());
        }
      }
      assertThat(found).isEqualTo(lines(text, 3));
    }
  }
}
