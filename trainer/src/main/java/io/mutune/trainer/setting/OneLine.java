package io.mutune.trainer.setting;

/**
 * Texts that statements, results and stores can quote: they neither break a line, nor move a
 * terminal's cursor, nor turn the direction of what stands beside them, and every output can hold
 * them.
 */
public final class OneLine {
  private OneLine() {}

  /** Whether a text is of that kind; an empty one is. */
  public static boolean is(String text) {
    return text.codePoints().allMatch(OneLine::takes);
  }

  /** A text with a question mark for each code point that this kind cannot have. */
  public static String of(String text) {
    return text.codePoints()
        .map(c -> takes(c) ? c : '?')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Whether a text of that kind can have this code point. */
  public static boolean takes(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> !turnsDirection(codePoint);
    };
  }

  /** Embeddings, overrides and isolates: what follows one is shown in another order. */
  private static boolean turnsDirection(int codePoint) {
    return switch (Character.getDirectionality(codePoint)) {
      case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
          Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
          Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
          Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
          Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
          Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE ->
          true;
      default -> false;
    };
  }
}
