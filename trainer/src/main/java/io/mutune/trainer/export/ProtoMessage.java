package io.mutune.trainer.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One message in the encoding of Protocol Buffers, whose fields are written in any order. An ONNX
 * file needs three kinds of fields, fewer lines than what a library's generated classes would add.
 */
public final class ProtoMessage {
  static final int VARINT = 0;
  static final int LENGTH = 2;
  static final int FIXED_32 = 5;
  private static final int MORE = 0x80;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  ProtoMessage number(int field, long value) {
    varint(field << 3 | VARINT);
    varint(value);
    return this;
  }

  public ProtoMessage text(int field, String value) {
    return raw(field, value.getBytes(StandardCharsets.UTF_8));
  }

  public ProtoMessage message(int field, ProtoMessage value) {
    return raw(field, value.toBytes());
  }

  ProtoMessage raw(int field, byte[] value) {
    varint(field << 3 | LENGTH);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  /** A field of another message, as it is. */
  ProtoMessage field(ProtoField field) {
    varint((long) field.number() << 3 | field.type());
    if (field.type() == VARINT) {
      varint(field.value());
    } else if (field.type() == LENGTH) {
      varint(field.content().remaining());
    }
    byte[] content = new byte[field.content().remaining()];
    field.content().duplicate().get(content);
    bytes.writeBytes(content);
    return this;
  }

  private void varint(long value) {
    long left = value;
    while ((left & -MORE) != 0) {
      bytes.write(((int) left & (MORE - 1)) | MORE);
      left >>>= 7;
    }
    bytes.write((int) left);
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
