package io.mutune.trainer.network;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.codec.digest.DigestUtils;

/** A file of an encoder, read once: what is computed is what its digest was taken of. */
public final class EncoderFile implements Serializable {
  private static final long serialVersionUID = 1;

  /** A file is one array. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - (1 << 16);

  private final String name;
  private final byte[] content;

  private EncoderFile(String name, byte[] content) {
    this.name = name;
    this.content = content;
  }

  /**
   * Of a file.
   *
   * @throws IOException if it is not there, or too large
   */
  public static EncoderFile read(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    if (!Files.isRegularFile(file)) {
      throw new IOException(name + ": there is no such file");
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(name + ": has 2 GiB or more, which is too large");
    }
    return new EncoderFile(name, Files.readAllBytes(file));
  }

  /** Without its folder, for messages. */
  public String name() {
    return name;
  }

  /** Its bytes themselves, which nobody may change. */
  public byte[] content() {
    return content;
  }

  /** In hexadecimal. */
  public String sha256() {
    return DigestUtils.sha256Hex(content);
  }
}
