package io.mutune.orchestrator.display;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What somebody who mistyped a word meant. */
public final class NearestWord {
  private static final int MOST_EDITS = 3;
  private static final int NONE = Integer.MAX_VALUE;

  /** Shorter words are the beginning of too many. */
  private static final int LEAST_BEGINNING = 3;

  private NearestWord() {}

  /**
   * The known word that was probably meant: few edits away, relative to its length, of the same
   * letters, or one that begins like this.
   */
  public static Optional<String> of(String word, Iterable<String> known) {
    LevenshteinDistance distance = new LevenshteinDistance(MOST_EDITS);
    String best = null;
    int fewest = NONE;
    for (String candidate : known) {
      int edits = distance.apply(lower(word), lower(candidate));
      if (letters(word).equals(letters(candidate))) {
        edits = 1;
      } else if (edits < 0 || edits > Math.max(1, candidate.length() / 3)) {
        edits = isBeginning(word, candidate) ? MOST_EDITS : NONE;
      }
      if (edits < fewest) {
        best = candidate;
        fewest = edits;
      }
    }
    return Optional.ofNullable(best);
  }

  /** The same as the end of a message, such as {@code ; did you mean delta?}. */
  public static Optional<String> advice(String word, Iterable<String> known) {
    return of(word, known).map(near -> "; did you mean " + near + "?");
  }

  private static boolean isBeginning(String word, String candidate) {
    return word.length() >= LEAST_BEGINNING && lower(candidate).startsWith(lower(word));
  }

  private static String letters(String word) {
    char[] letters = lower(word).toCharArray();
    Arrays.sort(letters);
    return String.valueOf(letters);
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }
}
