package io.mutune.trainer.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hexadecimal. That of a private file is private: it would tell two files apart. */
final class Fingerprint {
  private Fingerprint() {}

  static String ofText(String text) {
    return hex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  static String ofFile(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[1 << 16];
    try (InputStream bytes = Files.newInputStream(file)) {
      for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    return hex(digest.digest());
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
