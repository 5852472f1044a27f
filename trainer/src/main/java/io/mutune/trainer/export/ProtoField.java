package io.mutune.trainer.export;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A field of a message in the encoding of Protocol Buffers, as it lies in the bytes of a file.
 *
 * @param number by which the message's own definition knows it
 * @param type how it is written
 * @param value of a varint; else 0
 * @param content of all others
 */
record ProtoField(int number, int type, long value, ByteBuffer content) {
  private static final int FIXED_64 = 1;

  /**
   * All fields of a message, in their order.
   *
   * @throws IllegalArgumentException if it is none
   */
  static List<ProtoField> of(byte[] message) {
    return fields(ByteBuffer.wrap(message));
  }

  /** The fields of the message that this field is. */
  List<ProtoField> fields() {
    return fields(content.duplicate());
  }

  String text() {
    return StandardCharsets.UTF_8.decode(content.duplicate()).toString();
  }

  boolean isEmpty() {
    return !content.hasRemaining();
  }

  private static List<ProtoField> fields(ByteBuffer message) {
    List<ProtoField> fields = new ArrayList<>();
    try {
      while (message.hasRemaining()) {
        long key = varint(message);
        fields.add(field((int) (key >>> 3), (int) (key & 7), message));
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a field is longer than its message", e);
    }
    return fields;
  }

  private static ProtoField field(int number, int type, ByteBuffer message) {
    long value = type == ProtoMessage.VARINT ? varint(message) : 0;
    long length =
        switch (type) {
          case ProtoMessage.VARINT -> 0;
          case ProtoMessage.LENGTH -> varint(message);
          case ProtoMessage.FIXED_32 -> Float.BYTES;
          case FIXED_64 -> Double.BYTES;
          default -> throw new IllegalArgumentException("there is no field of type " + type);
        };
    if (length < 0 || length > message.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer content = message.slice(message.position(), (int) length);
    message.position(message.position() + (int) length);
    return new ProtoField(number, type, value, content);
  }

  private static long varint(ByteBuffer message) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = message.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number does not end");
  }
}
