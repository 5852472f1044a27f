package io.mutune.trainer.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * NumPy's array format, version 1.0: {@code \x93NUMPY}, the version, the header's length as
 * little-endian uint16, the header as a Python literal padded to a multiple of 64 bytes, then the
 * values. Writes {@code <f8}, reads {@code <f8} and {@code <f4}.
 */
final class NpyFormat {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  private static final int PREFIX = MAGIC.length + Short.BYTES;
  private static final int ALIGNMENT = 64;
  private static final Pattern HEADER =
      Pattern.compile(
          "\\{'descr': '<f([48])', 'fortran_order': False,"
              + " 'shape': \\(((?:\\d{1,9}, ?){0,32}(?:\\d{1,9})?)\\),? ?\\} *\n");

  private NpyFormat() {}

  static byte[] encode(NpyArray array) {
    String shape =
        Arrays.stream(array.shape()).mapToObj(size -> size + ",").collect(Collectors.joining(" "));
    String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
    int padding = ALIGNMENT - 1 - (PREFIX + header.length()) % ALIGNMENT;
    byte[] text = (header + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
    long bytes = PREFIX + text.length + (long) array.values().length * Double.BYTES;
    ByteBuffer npy = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    npy.put(MAGIC).putShort((short) text.length).put(text);
    npy.asDoubleBuffer().put(array.values());
    return npy.array();
  }

  /** Empty where the bytes are not exactly one array. */
  static Optional<NpyArray> decode(byte[] bytes) {
    ByteBuffer npy = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < PREFIX || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return Optional.empty();
    }
    int length = npy.getShort(MAGIC.length) & 0xffff;
    if (length > bytes.length - PREFIX) {
      return Optional.empty();
    }
    Matcher header = HEADER.matcher(new String(bytes, PREFIX, length, StandardCharsets.ISO_8859_1));
    if (!header.matches()) {
      return Optional.empty();
    }
    int[] shape =
        Pattern.compile("\\d+")
            .matcher(header.group(2))
            .results()
            .mapToInt(size -> Integer.parseInt(size.group()))
            .toArray();
    int width = Integer.parseInt(header.group(1));
    npy.position(PREFIX + length);
    if (NpyArray.count(shape) * width != npy.remaining()) {
      return Optional.empty();
    }
    return Optional.of(new NpyArray(shape, values(npy, width)));
  }

  private static double[] values(ByteBuffer npy, int width) {
    double[] values = new double[npy.remaining() / width];
    for (int i = 0; i < values.length; i++) {
      values[i] = width == Double.BYTES ? npy.getDouble() : npy.getFloat();
    }
    return values;
  }
}
