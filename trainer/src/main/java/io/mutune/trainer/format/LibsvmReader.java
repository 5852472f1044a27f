package io.mutune.trainer.format;

import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.table.DecimalText;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Reads LIBSVM's sparse text: a label, then {@code index:value} with indices from 1 that ascend;
 * what is left out is 0. {@code #} starts a comment, blank lines do not count.
 */
final class LibsvmReader implements RowReader {
  private final RowSpec spec;
  private final int columns;
  private long line;

  LibsvmReader(RowSpec spec) {
    this.spec = spec;
    this.columns = Objects.requireNonNull(spec.features());
  }

  @Override
  public long read(RowSink sink) throws IOException {
    RowFeed feed = new RowFeed(spec.range(), columns, sink);
    try (LineReader lines = LineReader.open(spec)) {
      while (!feed.done() && lines.advance()) {
        String text = lines.text();
        line = lines.number();
        boolean tooLong = lines.tooLong();
        int comment = text.indexOf('#');
        StringTokenizer tokens =
            new StringTokenizer(comment < 0 ? text : text.substring(0, comment));
        if (tokens.hasMoreTokens()) {
          feed.next(values -> parse(tokens, tooLong, values));
        }
      }
    }
    return feed.position();
  }

  private int parse(StringTokenizer tokens, boolean tooLong, float[] values)
      throws DataFormatException {
    if (tooLong) {
      throw problem("the line is too long");
    }
    String first = tokens.nextToken();
    int label = label(first);
    Arrays.fill(values, 0);
    int previous = 0;
    String token = isLabel(first) ? next(tokens) : first;
    for (int entry = 1; token != null; entry++, token = next(tokens)) {
      int colon = token.indexOf(':');
      int index = colon < 0 ? -1 : index(token.substring(0, colon));
      if (index < 0) {
        throw problem("entry " + entry + " is not an index and a value");
      }
      if (index < 1 || index > columns) {
        throw problem("entry " + entry + " has an index outside 1-" + columns);
      }
      if (index <= previous) {
        throw problem("entry " + entry + " has an index that does not ascend");
      }
      float value = DecimalText.parse(token.substring(colon + 1));
      if (Float.isNaN(value)) {
        throw problem("entry " + entry + " has a value that is not a finite number");
      }
      values[index - 1] = value;
      previous = index;
    }
    return label;
  }

  private static @Nullable String next(StringTokenizer tokens) {
    return tokens.hasMoreTokens() ? tokens.nextToken() : null;
  }

  /** Where labels do not matter a line may begin with its first entry. */
  private boolean isLabel(String first) {
    return spec.labelling() != null || first.indexOf(':') < 0;
  }

  private int label(String first) throws DataFormatException {
    Labelling labelling = spec.labelling();
    if (labelling == null) {
      return RowSpec.UNLABELLED;
    }
    return labelling.codeOf(first).orElseThrow(() -> problem("the label" + labelling.fault()));
  }

  /** −1 where the text is no index; an index too large for an int stays too large. */
  private static int index(String text) {
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    return text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
  }

  private DataFormatException problem(String text) {
    return DataFormatException.atLine(spec.file(), line, text);
  }
}
