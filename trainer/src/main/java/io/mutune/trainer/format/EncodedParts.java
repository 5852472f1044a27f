package io.mutune.trainer.format;

import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.file.PrivateFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.io.file.PathUtils;
import org.jspecify.annotations.Nullable;

/**
 * What has been encoded of a data set so far, so that a process that goes on after a kill need not
 * do it again: a file for so many rows that follow each other, which is there whole or not at all.
 * As private as the rows; the folder and its files are for their owner alone. Whoever has them
 * holds the lock of the entry that they are of.
 */
public final class EncodedParts {
  private static final String CONTENT = "content";
  private static final int DIGEST_BYTES = 32;

  private final Path folder;
  private final String identity;
  private boolean keeps = true;

  private EncodedParts(Path folder, String identity) {
    this.folder = folder;
    this.identity = identity;
  }

  /**
   * Those of data sets with that content; of another content none are left.
   *
   * @param folder of the settings by which rows are read and encoded
   */
  public static EncodedParts open(Path folder, String content) throws IOException {
    Path note = folder.resolve(CONTENT);
    if (Files.isDirectory(folder)
        && !(Files.isRegularFile(note)
            && Files.readString(note, StandardCharsets.US_ASCII).equals(content))) {
      PathUtils.deleteDirectory(folder);
    }
    OwnerOnly.makeFolder(folder, "private features");
    if (!Files.exists(note)) {
      try (OutputStream out = OwnerOnly.create(note)) {
        out.write(content.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return new EncodedParts(folder, folder.getFileName() + " " + content);
  }

  /**
   * The rows of a part, null for each that was not encoded.
   *
   * @return empty if the part is not there, or is not what was written
   */
  List<float @Nullable []> find(int part, int rows, int columns) {
    Path file = file(part);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try {
      byte[] bytes = Files.readAllBytes(file);
      byte[] digest = Arrays.copyOf(bytes, DIGEST_BYTES);
      byte[] content =
          Arrays.copyOfRange(bytes, Math.min(DIGEST_BYTES, bytes.length), bytes.length);
      return Arrays.equals(digest, digest(part, content))
          ? rows(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN), rows, columns)
          : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<float @Nullable []> rows(ByteBuffer content, int rows, int columns) {
    if (content.remaining() < 2 * Integer.BYTES
        || content.getInt() != rows
        || content.getInt() != columns) {
      return List.of();
    }
    List<float @Nullable []> found = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      float[] row = null;
      if (content.get() != 0) {
        row = new float[columns];
        content.asFloatBuffer().get(row);
        content.position(content.position() + columns * Float.BYTES);
      }
      found.add(row);
    }
    return found;
  }

  /** Keeps a part. Where the disk takes no more, nothing is kept from then on. */
  void keep(int part, List<float @Nullable []> rows, int columns) {
    if (!keeps) {
      return;
    }
    byte[] content = bytes(rows, columns);
    try {
      PrivateFile.write(
          file(part),
          out -> {
            out.write(digest(part, content));
            out.write(content);
          });
    } catch (IOException e) {
      keeps = false;
    }
  }

  private static byte[] bytes(List<float @Nullable []> rows, int columns) {
    ByteBuffer content =
        ByteBuffer.allocate(2 * Integer.BYTES + rows.size() * (1 + columns * Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(rows.size())
            .putInt(columns);
    for (float[] row : rows) {
      content.put((byte) (row == null ? 0 : 1));
      if (row != null) {
        content.asFloatBuffer().put(row);
        content.position(content.position() + columns * Float.BYTES);
      }
    }
    return Arrays.copyOf(content.array(), content.position());
  }

  /** Of the part's bytes and of which part of which rows it is, so that none passes for another. */
  private byte[] digest(int part, byte[] content) {
    MessageDigest sha256 = DigestUtils.getSha256Digest();
    sha256.update((identity + " " + part + "\n").getBytes(StandardCharsets.UTF_8));
    return sha256.digest(content);
  }

  private Path file(int part) {
    return folder.resolve(part + ".part");
  }

  /** All of them, once the whole is kept elsewhere. */
  public void delete() {
    try {
      PathUtils.deleteDirectory(folder);
    } catch (IOException e) {
      // They are in a folder of their owner's, and no use to anybody.
    }
  }
}
