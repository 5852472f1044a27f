package io.mutune.orchestrator.display;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What somebody who mistyped a word meant. */
public final class NearestWord {
  private static final int MOST_EDITS = 3;

  private NearestWord() {}

  /**
   * The known word that was probably meant: few edits away, relative to its length, or of the same
   * letters.
   */
  public static Optional<String> of(String word, Iterable<String> known) {
    LevenshteinDistance distance = new LevenshteinDistance(MOST_EDITS);
    String best = null;
    int fewest = Integer.MAX_VALUE;
    for (String candidate : known) {
      int edits =
          letters(word).equals(letters(candidate))
              ? 1
              : distance.apply(lower(word), lower(candidate));
      if (edits >= 0 && edits < fewest && edits <= Math.max(1, candidate.length() / 2)) {
        best = candidate;
        fewest = edits;
      }
    }
    return Optional.ofNullable(best);
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
