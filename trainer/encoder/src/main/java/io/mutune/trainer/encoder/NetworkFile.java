package io.mutune.trainer.encoder;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of an ONNX network, which are a message of Protocol Buffers ({@code onnx.proto}, {@code
 * ModelProto}).
 */
final class NetworkFile {
  /** Fields with a length, by the numbers of the messages' own definitions. */
  private static final int LENGTH_TYPE = 2;

  private static final int MODEL_GRAPH = 7;
  private static final int GRAPH_OUTPUT = 12;
  private static final int VALUE_NAME = 1;

  private NetworkFile() {}

  /**
   * A network, which gives one more of its layers. A message that is followed by another of its
   * kind is one with the fields of both, so nothing of the first is read here.
   */
  static byte[] giving(byte[] network, String layer) {
    byte[] name = field(VALUE_NAME, layer.getBytes(StandardCharsets.UTF_8));
    byte[] more = field(MODEL_GRAPH, field(GRAPH_OUTPUT, name));
    ByteArrayOutputStream both = new ByteArrayOutputStream(network.length + more.length);
    both.writeBytes(network);
    both.writeBytes(more);
    return both.toByteArray();
  }

  private static byte[] field(int number, byte[] content) {
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write(number << 3 | LENGTH_TYPE); // numbers below 16 are one byte
    int length = content.length;
    for (; length > 0x7f; length >>>= 7) {
      field.write((length & 0x7f) | 0x80);
    }
    field.write(length);
    field.writeBytes(content);
    return field.toByteArray();
  }
}
