package io.mutune.trainer.image;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Whether a PNG is whole: the platform's decoder looks at no checksum, nor for the end. */
final class PngChunks {
  private static final int SIGNATURE = 8;

  /** A chunk's length and type before its data, and its checksum after them. */
  private static final int FRAME = 12;

  private static final int END = 'I' << 24 | 'E' << 16 | 'N' << 8 | 'D';

  private PngChunks() {}

  static void check(byte[] file) throws UnfitImageException {
    ByteBuffer bytes = ByteBuffer.wrap(file);
    int at = SIGNATURE;
    while (file.length - at >= FRAME) {
      int length = bytes.getInt(at);
      if (length < 0 || length > file.length - at - FRAME) {
        break;
      }
      CRC32 sum = new CRC32();
      sum.update(file, at + Integer.BYTES, Integer.BYTES + length);
      if ((int) sum.getValue() != bytes.getInt(at + FRAME - Integer.BYTES + length)) {
        throw new UnfitImageException("is a damaged PNG: a checksum is wrong");
      }
      if (bytes.getInt(at + Integer.BYTES) == END) {
        return;
      }
      at += FRAME + length;
    }
    throw new UnfitImageException("is a PNG that ends early");
  }
}
