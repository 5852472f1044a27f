package io.mutune.trainer.npy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * NumPy arrays as whole values: writes version 1.0, {@code \x93NUMPY}, the version, the header's
 * length as little-endian uint16, the header as a Python literal padded to a multiple of 64 bytes,
 * then {@code <f8} values; reads {@code <f8} and {@code <f4}.
 */
public final class NpyFormat {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  private static final int PREFIX = MAGIC.length + Short.BYTES;
  private static final int ALIGNMENT = 64;
  private static final List<NpyElement> READ =
      List.of(
          new NpyElement('f', 4, ByteOrder.LITTLE_ENDIAN),
          new NpyElement('f', 8, ByteOrder.LITTLE_ENDIAN));

  private NpyFormat() {}

  public static byte[] encode(NpyArray array) {
    byte[] header = header("f8", Arrays.stream(array.shape()).asLongStream().toArray());
    long bytes = header.length + (long) array.values().length * Double.BYTES;
    ByteBuffer npy = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    npy.put(header);
    npy.asDoubleBuffer().put(array.values());
    return npy.array();
  }

  /**
   * The bytes before the values of a little-endian array in C order.
   *
   * @param element such as {@code f4} or {@code i4}
   */
  public static byte[] header(String element, long... shape) {
    String sizes = Arrays.stream(shape).mapToObj(n -> n + ",").collect(Collectors.joining(" "));
    String literal =
        "{'descr': '<" + element + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
    int padding = ALIGNMENT - 1 - (PREFIX + literal.length()) % ALIGNMENT;
    byte[] text = (literal + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(PREFIX + text.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  /** Empty where the bytes are not exactly one array of float32 or float64 in C order. */
  public static Optional<NpyArray> decode(byte[] bytes) {
    Optional<NpyHeader> read = header(bytes);
    if (read.isEmpty() || read.get().fortranOrder() || !READ.contains(read.get().element())) {
      return Optional.empty();
    }
    NpyHeader header = read.get();
    NpyElement element = header.element();
    long count = NpyArray.count(header.shape());
    if (count * element.bytes() != bytes.length - header.bytes()) {
      return Optional.empty();
    }
    ByteBuffer npy = ByteBuffer.wrap(bytes).order(element.order());
    double[] values = new double[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = element.read(npy, header.bytes() + i * element.bytes());
    }
    return Optional.of(new NpyArray(header.shape(), values));
  }

  /**
   * How many bytes the array has that begins so, its header included; empty where they begin none.
   */
  static OptionalLong length(byte[] head) {
    Optional<NpyHeader> header = header(head);
    return header.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            header.get().bytes()
                + NpyArray.count(header.get().shape()) * header.get().element().bytes());
  }

  private static Optional<NpyHeader> header(byte[] bytes) {
    try {
      return NpyHeader.read(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("an array in memory always reads", e);
    }
  }
}
