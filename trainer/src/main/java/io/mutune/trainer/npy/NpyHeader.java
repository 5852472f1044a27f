package io.mutune.trainer.npy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands before the values of a NumPy array, versions 1.0 to 3.0: {@code \x93NUMPY}, the
 * version, the length of the rest as little-endian uint16 (version 1) or uint32, and a Python
 * literal with the three keys in any order.
 *
 * @param shape no dimension for a scalar
 * @param bytes how many bytes the header takes, the magic included
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NpyHeader(NpyElement element, boolean fortranOrder, int[] shape, int bytes) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int PREFIX = MAGIC.length + 2;

  /** NumPy itself refuses to read much longer ones. */
  private static final int MAX_LENGTH = 1 << 16;

  private static final String KEY =
      "'descr': ?'([^']{2,5})'|'fortran_order': ?(True|False)"
          + "|'shape': ?\\(((?:\\d{1,9}, ?){0,32}(?:\\d{1,9})?)\\)";
  private static final Pattern KEYS = Pattern.compile(KEY);
  private static final Pattern HEADER =
      Pattern.compile("\\{(?:" + KEY + "), ?(?:" + KEY + "), ?(?:" + KEY + "),? ?\\} *\n");

  /** Reads up to the first value; empty where the bytes begin no array of numbers. */
  public static Optional<NpyHeader> read(InputStream bytes) throws IOException {
    byte[] prefix = bytes.readNBytes(PREFIX);
    if (prefix.length < PREFIX || !Arrays.equals(prefix, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return Optional.empty();
    }
    int version = prefix[MAGIC.length];
    if (version < 1 || version > 3 || prefix[MAGIC.length + 1] != 0) {
      return Optional.empty();
    }
    int lengthBytes = version == 1 ? Short.BYTES : Integer.BYTES;
    byte[] length = bytes.readNBytes(lengthBytes);
    if (length.length < lengthBytes) {
      return Optional.empty();
    }
    ByteBuffer number = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN);
    long textBytes = version == 1 ? number.getShort() & 0xffff : number.getInt() & 0xffffffffL;
    if (textBytes > MAX_LENGTH) {
      return Optional.empty();
    }
    byte[] text = bytes.readNBytes((int) textBytes);
    if (text.length < textBytes) {
      return Optional.empty();
    }
    return parse(
        new String(text, StandardCharsets.ISO_8859_1), PREFIX + lengthBytes + (int) textBytes);
  }

  private static Optional<NpyHeader> parse(String text, int bytes) {
    if (!HEADER.matcher(text).matches()) {
      return Optional.empty();
    }
    NpyElement element = null;
    Boolean fortranOrder = null;
    int[] shape = null;
    Matcher keys = KEYS.matcher(text);
    while (keys.find()) {
      if (keys.group(1) != null) {
        element = NpyElement.of(keys.group(1)).orElse(null);
      } else if (keys.group(2) != null) {
        fortranOrder = keys.group(2).equals("True");
      } else {
        shape = shape(keys.group(3));
      }
    }
    return element == null || fortranOrder == null || shape == null
        ? Optional.empty()
        : Optional.of(new NpyHeader(element, fortranOrder, shape, bytes));
  }

  private static int[] shape(String text) {
    return Pattern.compile("\\d+")
        .matcher(text)
        .results()
        .mapToInt(size -> Integer.parseInt(size.group()))
        .toArray();
  }
}
