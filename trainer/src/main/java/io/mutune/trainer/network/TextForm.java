package io.mutune.trainer.network;

import java.util.Locale;

/**
 * How a sentence encoder is asked, and what is taken of its answer, as its model card says.
 *
 * @param prefix written before each text, such as {@code "query: "}
 * @param pooling how the numbers of the tokens become those of the text
 * @param tokens how many tokens are looked at, with those that mark the beginning and the end
 * @param unitNorm whether the text's numbers are scaled to a Euclidean norm of 1
 */
public record TextForm(String prefix, Pooling pooling, int tokens, boolean unitNorm)
    implements EncoderForm {
  /** What is made of a token's numbers. */
  public enum Pooling {
    /** The mean over all tokens. */
    MEAN,
    /** The first token's. */
    FIRST;

    /** As cards and files write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How many tokens of a text can be looked at. */
  public static final int MOST_TOKENS = 8192;

  public TextForm {
    if (tokens < 3 || tokens > MOST_TOKENS) {
      throw new IllegalArgumentException(
          "an encoder looks at 3 to " + MOST_TOKENS + " tokens; was " + tokens);
    }
    if (prefix.length() > 1000) {
      throw new IllegalArgumentException("a prefix has at most 1000 characters");
    }
  }

  @Override
  public Subject subject() {
    return Subject.TEXT;
  }
}
