package io.mutune.trainer.image;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What stands in a JPEG before and between its scans: which side is up (Exif 2.3, tag 0x0112), and
 * whether it is whole. The decoder fills in what is missing, and takes as many scans as there are.
 */
final class JpegSegments {
  /** A progressive picture has some ten; each is a pass over all of it. */
  private static final int MOST_SCANS = 32;

  private static final int MARKER = 0xff;
  private static final int FIRST_FRAME = 0xc0;
  private static final int LAST_FRAME = 0xcf;
  private static final int FIRST_RESTART = 0xd0;
  private static final int LAST_RESTART = 0xd7;
  private static final int END_OF_IMAGE = 0xd9;
  private static final int START_OF_SCAN = 0xda;
  private static final int LAST_DEFINITION = 0xdd;
  private static final int FIRST_APP = 0xe0;
  private static final int APP1 = 0xe1;
  private static final int LAST_APP = 0xef;
  private static final int COMMENT = 0xfe;

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
        throw damaged();
      }
      int marker = at(at + 1);
      if (marker == MARKER) {
        at++; // fills up
        continue;
      }
      if (marker == START_OF_SCAN) {
        return at;
      }
      int length = length(at);
      if (marker == APP1 && orientation.equals(Orientation.UPRIGHT)) {
        int end = Math.min(file.length, at + 2 + length);
        orientation = ExifOrientation.read(file, at + 4, end);
      }
      at += 2 + length;
    }
    throw early();
  }

  /**
   * Goes from marker to marker as the decoder does: what lies in a segment is neither a scan nor
   * the end, and bytes between two segments, those of a scan among them, are none of a segment.
   */
  private void checkScans(int first) throws UnfitImageException {
    int scans = 0;
    for (int at = first; at + 1 < file.length; ) {
      int marker = at(at + 1);
      if (at(at) != MARKER || marker == 0 || marker == MARKER) {
        at++;
      } else if (marker >= FIRST_RESTART && marker <= LAST_RESTART) {
        at += 2;
      } else if (marker == END_OF_IMAGE) {
        return;
      } else if (!isSegment(marker)) {
        throw damaged();
      } else if (marker == START_OF_SCAN && ++scans > MOST_SCANS) {
        throw new UnfitImageException("is a JPEG of more than " + MOST_SCANS + " scans");
      } else {
        at += 2 + length(at);
      }
    }
    throw early();
  }

  /** Whether a length follows it, of those that decoders know (ITU-T T.81, table B.1). */
  private static boolean isSegment(int marker) {
    return (marker >= START_OF_SCAN && marker <= LAST_DEFINITION)
        || (marker >= FIRST_APP && marker <= LAST_APP)
        || (marker >= FIRST_FRAME && marker <= LAST_FRAME)
        || marker == COMMENT;
  }

  private int length(int at) throws UnfitImageException {
    if (at + 4 > file.length) {
      throw early();
    }
    int length = at(at + 2) << 8 | at(at + 3);
    if (length < 2) {
      throw damaged();
    }
    return length;
  }

  private static UnfitImageException damaged() {
    return new UnfitImageException("is a damaged JPEG");
  }

  private static UnfitImageException early() {
    return new UnfitImageException("is a JPEG that ends early");
  }
}
