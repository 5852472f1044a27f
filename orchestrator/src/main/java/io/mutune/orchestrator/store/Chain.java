package io.mutune.orchestrator.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/** The hashes of a ledger: the hash of each entry covers all entries before it. */
final class Chain {
  private Chain() {}

  /**
   * Returns the hash before the first entry.
   *
   * @param fields of the study or account that never change
   */
  static String start(@Nullable String... fields) {
    return next("mutune ledger 1", fields);
  }

  /**
   * Returns the hash of an entry: SHA-256 of the hash before it and the entry's fields. The length
   * in bytes stands before each field, so that two different entries never give the same bytes.
   */
  static String next(String before, @Nullable String... fields) {
    MessageDigest digest = DigestUtils.getSha256Digest();
    update(digest, before);
    for (String field : fields) {
      update(digest, field);
    }
    return Hex.encodeHexString(digest.digest());
  }

  private static void update(MessageDigest digest, @Nullable String field) {
    if (field == null) {
      digest.update("-\n".getBytes(StandardCharsets.UTF_8));
      return;
    }
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
    digest.update(bytes);
    digest.update((byte) '\n');
  }
}
