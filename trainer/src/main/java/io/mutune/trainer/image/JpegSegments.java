package io.mutune.trainer.image;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What stands in a JPEG before and between its scans: which side is up (Exif 2.3, tag 0x0112), and
 * whether it is whole. The decoder fills in what is missing, and takes as many scans as there are.
 */
final class JpegSegments {
  /** A progressive picture has some ten; each is a pass over all of it. */
  private static final int MOST_SCANS = 100;

  private static final int MARKER = 0xff;
  private static final int APP1 = 0xe1;
  private static final int START_OF_SCAN = 0xda;
  private static final int END_OF_IMAGE = 0xd9;

  private static final byte[] PROFILE = "ICC_PROFILE\0".getBytes(StandardCharsets.US_ASCII);

  private final byte[] file;
  private Orientation orientation = Orientation.UPRIGHT;

  private JpegSegments(byte[] file) {
    this.file = file;
  }

  /**
   * Which side is up.
   *
   * @throws UnfitImageException if the file ends before its picture does
   */
  static Orientation read(byte[] file) throws UnfitImageException {
    JpegSegments segments = new JpegSegments(file);
    segments.checkScans(segments.firstScan());
    return segments.orientation;
  }

  /**
   * The same file whose colour profile has another name, so that no decoder takes it for one. They
   * keep profiles by a digest for all that they read later, and there are two of one digest.
   */
  static byte[] withoutProfile(byte[] file) {
    byte[] without = file.clone();
    for (int i = 0; i + PROFILE.length <= file.length; i++) {
      if (Arrays.equals(file, i, i + PROFILE.length, PROFILE, 0, PROFILE.length)) {
        without[i] = '-';
      }
    }
    return without;
  }

  private int at(int place) {
    return file[place] & 0xff;
  }

  private int firstScan() throws UnfitImageException {
    int at = 2;
    while (at + 4 <= file.length) {
      if (at(at) != MARKER) {
        throw new UnfitImageException("is a damaged JPEG");
      }
      int marker = at(at + 1);
      if (marker == MARKER) {
        at++; // fills up
        continue;
      }
      if (marker == START_OF_SCAN) {
        return at;
      }
      int length = at(at + 2) << 8 | at(at + 3);
      if (marker == APP1 && orientation.equals(Orientation.UPRIGHT)) {
        int end = Math.min(file.length, at + 2 + length);
        orientation = ExifOrientation.read(file, at + 4, end);
      }
      at += 2 + length;
    }
    throw early();
  }

  private void checkScans(int first) throws UnfitImageException {
    int scans = 0;
    for (int i = first; i + 1 < file.length; i++) {
      if (at(i) == MARKER) {
        // Within a scan this byte is followed by a 0 or a restart.
        int marker = at(i + 1);
        if (marker == END_OF_IMAGE) {
          return;
        }
        if (marker == START_OF_SCAN && ++scans > MOST_SCANS) {
          throw new UnfitImageException("is a JPEG of more than " + MOST_SCANS + " scans");
        }
      }
    }
    throw early();
  }

  private static UnfitImageException early() {
    return new UnfitImageException("is a JPEG that ends early");
  }
}
