package io.mutune.orchestrator.server;

import io.mutune.orchestrator.sweep.NameForm;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A token as it is stored: its name and the SHA-256 of its secret. The secret is 256 random bits
 * and in no dictionary, so the slow hash and the salt of passwords are not needed.
 *
 * @param name of its holder; a public word
 * @param hash in lower-case hexadecimal digits
 */
public record AccessToken(String name, Role role, String hash, Instant created) {
  /** Lets scanners of source code and logs recognise a secret that was left there. */
  public static final String PREFIX = "mutune_";

  private static final int SECRET_BYTES = 32;
  private static final int HASH_DIGITS = 64;

  public AccessToken {
    if (!NameForm.fits(name)) {
      throw new IllegalArgumentException(
          "a token's name is at most 64 lower-case letters, digits and dashes, no dash first");
    }
    if (!hash.matches("[0-9a-f]{" + HASH_DIGITS + "}")) {
      throw new IllegalArgumentException("a token's hash has " + HASH_DIGITS + " hex digits");
    }
  }

  /** Returns a new secret, which the caller shows once and of which it keeps the hash. */
  public static String newSecret() {
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the token of a secret. */
  public static AccessToken of(String name, Role role, String secret, Instant created) {
    return new AccessToken(name, role, hashOf(secret), created);
  }

  /** Returns whether this is the hash of this token, in the same time for either answer. */
  boolean hasHash(String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  static String hashOf(String secret) {
    return DigestUtils.sha256Hex(secret);
  }
}
