package io.mutune.trainer.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads one number of a camera's notes (Exif 2.3, section 4.6.2) and follows no other of them. */
final class ExifOrientation {
  private static final byte[] NAME = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final int TAG = 0x0112;
  private static final int ENTRY = 12;

  private ExifOrientation() {}

  /** Upright where the notes do not say, or are none. */
  static Orientation read(byte[] file, int from, int to) {
    int start = from + NAME.length;
    if (start + 8 > to || !Arrays.equals(file, from, start, NAME, 0, NAME.length)) {
      return Orientation.UPRIGHT;
    }
    ByteBuffer tiff = ByteBuffer.wrap(file, start, to - start).slice();
    tiff.order(tiff.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int directory = tiff.getInt(4);
    if (directory < 0 || directory > tiff.capacity() - 2) {
      return Orientation.UPRIGHT;
    }
    int entries = tiff.getShort(directory) & 0xffff;
    for (int i = 0; i < entries; i++) {
      int entry = directory + 2 + i * ENTRY;
      if (entry > tiff.capacity() - ENTRY) {
        break;
      }
      if ((tiff.getShort(entry) & 0xffff) == TAG) {
        return Orientation.of(tiff.getShort(entry + 8));
      }
    }
    return Orientation.UPRIGHT;
  }
}
