package io.mutune.trainer.network;

import io.mutune.trainer.network.EncoderForm.Subject;
import java.util.Optional;

/**
 * Which encoder a card, a sweep or a model means, and no other of its name.
 *
 * @param subject what it turns into numbers
 * @param name on this machine
 * @param digest of its {@link EncoderIdentity}
 * @param numbers that a text or a picture becomes
 */
public record EncoderReference(Subject subject, String name, String digest, int numbers) {
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
  }

  /** Whether a word can be an identity's digest. */
  public static boolean isDigest(String word) {
    return word.matches("[0-9a-f]{64}");
  }

  /** To an encoder that is known by name. */
  public static EncoderReference of(KnownEncoder known) {
    EncoderIdentity identity = known.identity();
    return new EncoderReference(
        identity.form().subject(), known.name(), identity.digest(), identity.width());
  }

  /** Where it is from, if it is known by name. */
  public Optional<String> source() {
    return KnownEncoder.named(name).map(KnownEncoder::source);
  }
}
