package io.mutune.trainer.network;

import io.mutune.trainer.network.EncoderForm.Subject;
import io.mutune.trainer.setting.OneLine;
import java.io.Serializable;
import java.util.Optional;

/**
 * Which encoder a card, a sweep or a model means, and no other of its name.
 *
 * @param subject what it turns into numbers
 * @param name on this machine
 * @param digest of its {@link EncoderIdentity}
 * @param numbers that a text or a picture becomes
 * @param source where it is from, in words, if anybody has said it
 */
public record EncoderReference(
    Subject subject, String name, String digest, int numbers, Optional<String> source)
    implements Serializable {
  private static final int MOST_SOURCE = 300;

  public EncoderReference {
    if (!EncoderLibrary.isName(name)) {
      throw new IllegalArgumentException(
          "an encoder's name has letters, digits, dots and dashes; was '" + name + "'");
    }
    if (!isDigest(digest)) {
      throw new IllegalArgumentException(
          "an encoder's digest has 64 hexadecimal digits; mutune encoder show has it");
    }
    if (numbers < 1 || numbers > EncoderIdentity.MOST_WIDTH) {
      throw new IllegalArgumentException(
          "an encoder gives 1 to " + EncoderIdentity.MOST_WIDTH + " numbers; was " + numbers);
    }
    if (source.filter(words -> !isSource(words)).isPresent()) {
      throw new IllegalArgumentException(
          "an encoder's source is one line of at most " + MOST_SOURCE + " characters");
    }
  }

  /** One whose source nobody has said, unless it is known by name. */
  public EncoderReference(Subject subject, String name, String digest, int numbers) {
    this(subject, name, digest, numbers, KnownEncoder.named(name).map(KnownEncoder::source));
  }

  /** An {@link Optional} is not serializable. */
  private Object writeReplace() {
    return new Written(subject, name, digest, numbers, source.orElse(""));
  }

  /** As it is written to a stream. */
  private record Written(Subject subject, String name, String digest, int numbers, String source)
      implements Serializable {
    private Object readResolve() {
      return new EncoderReference(
          subject, name, digest, numbers, Optional.of(source).filter(words -> !words.isEmpty()));
    }
  }

  /** Whether a word can be an identity's digest. */
  public static boolean isDigest(String word) {
    return word.matches("[0-9a-f]{64}");
  }

  /** Whether words can say where an encoder is from. */
  public static boolean isSource(String words) {
    return !words.isBlank() && words.length() <= MOST_SOURCE && OneLine.is(words);
  }

  /** To an encoder that is known by name. */
  public static EncoderReference of(KnownEncoder known) {
    EncoderIdentity identity = known.identity();
    return new EncoderReference(
        identity.form().subject(), known.name(), identity.digest(), identity.width());
  }
}
