package io.mutune.trainer.data;

/** Decimal numbers as data files write them. */
final class DecimalText {
  private DecimalText() {}

  /**
   * The number, or NaN where the text is no decimal number or too large for float32. Java's own
   * parser would take {@code 1f}, {@code 0x1p3} and {@code NaN} too.
   */
  static float parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        return Float.NaN;
      }
    }
    try {
      float value = Float.parseFloat(text);
      return Float.isFinite(value) ? value : Float.NaN;
    } catch (NumberFormatException e) {
      return Float.NaN;
    }
  }
}
