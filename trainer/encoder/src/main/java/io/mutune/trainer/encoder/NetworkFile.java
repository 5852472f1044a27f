package io.mutune.trainer.encoder;

import io.mutune.trainer.export.ProtoMessage;
import java.nio.ByteBuffer;

/**
 * The bytes of an ONNX network, which are a message of Protocol Buffers ({@code onnx.proto}, {@code
 * ModelProto}).
 */
final class NetworkFile {
  /** By the numbers of the messages' own definitions. */
  private static final int MODEL_GRAPH = 7;

  private static final int GRAPH_OUTPUT = 12;
  private static final int VALUE_NAME = 1;

  private NetworkFile() {}

  /**
   * A network, which gives one more of its layers. A message that is followed by another of its
   * kind is one with the fields of both, so nothing of the first is read here.
   */
  static byte[] giving(byte[] network, String layer) {
    ProtoMessage output = new ProtoMessage().text(VALUE_NAME, layer);
    ProtoMessage graph = new ProtoMessage().message(GRAPH_OUTPUT, output);
    byte[] more = new ProtoMessage().message(MODEL_GRAPH, graph).toBytes();
    return ByteBuffer.allocate(network.length + more.length).put(network).put(more).array();
  }
}
