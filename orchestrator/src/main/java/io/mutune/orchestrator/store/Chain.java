package io.mutune.orchestrator.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Hashes by which each entry of a ledger holds all that come before it. */
final class Chain {
  private Chain() {}

  /**
   * What the first entry is chained to.
   *
   * @param fields of what the ledger belongs to that never change
   */
  static String start(@Nullable String... fields) {
    return next("mutune ledger 1", fields);
  }

  /**
   * The hash of an entry: SHA-256 of the one before it and the entry's fields, each with its length
   * in bytes before it, so that no two entries are written alike.
   */
  static String next(String before, @Nullable String... fields) {
    MessageDigest digest = sha256();
    update(digest, before);
    for (String field : fields) {
      update(digest, field);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** What stands in an entry for bytes that are kept elsewhere: their SHA-256. */
  static String digest(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
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

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
