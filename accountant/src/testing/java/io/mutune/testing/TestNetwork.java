package io.mutune.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Small networks, as the bytes of an ONNX file ({@code onnx.proto}). */
public final class TestNetwork {
  /** Of the usual network, for pictures of 8 × 8 with 3 channels: 4 maps of 4 × 4. */
  public static final int WIDTH = 64;

  public static final int SIDE = 8;

  private static final int FLOAT = 1;
  private static final int INT64 = 7;

  private final ByteArrayOutputStream graph = new ByteArrayOutputStream();
  private int opset = 13;

  /** x, [1, 3, 8, 8], is folded, cut at 0 ("cut") and laid flat ("flat"). */
  public static TestNetwork usual() {
    return new TestNetwork()
        .input("x", 1, 3, SIDE, SIDE)
        .weights("w", 4, 3, 3, 3)
        .folded("x")
        .node("Flatten", "flat", "cut")
        .output("flat", 1, WIDTH);
  }

  public TestNetwork folded(String from) {
    graph.writeBytes(
        field(
            1,
            text(1, from),
            text(1, "w"),
            text(2, "folded"),
            text(4, "Conv"),
            numbers("strides", 2, 2),
            numbers("pads", 1, 1, 1, 1)));
    return node("Relu", "cut", "folded");
  }

  public TestNetwork opset(int version) {
    opset = version;
    return this;
  }

  public TestNetwork node(String operation, String output, String... inputs) {
    byte[] names =
        Arrays.stream(inputs).map(name -> text(1, name)).reduce(new byte[0], TestNetwork::both);
    graph.writeBytes(field(1, names, text(2, output), text(4, operation)));
    return this;
  }

  /** Of pictures that have their channels last. */
  public TestNetwork turned(String output, String input) {
    return turned(output, input, 0, 3, 1, 2);
  }

  public TestNetwork turned(String output, String input, int... order) {
    graph.writeBytes(
        field(1, text(1, input), text(2, output), text(4, "Transpose"), numbers("perm", order)));
    return this;
  }

  /** Of tokens: looks each one's numbers up. */
  public static TestNetwork looksUp(int tokens, int width) {
    return new TestNetwork()
        .inputOfWholeNumbers("input_ids", 1, 0)
        .weights("numbers", tokens, width)
        .node("Gather", "last_hidden_state", "numbers", "input_ids")
        .output("last_hidden_state", 1, 0, width);
  }

  /** The value as it is, or its negative: a graph within for each. */
  public TestNetwork either(String output, String value) {
    weights("limit");
    graph.writeBytes(
        field(
            1,
            text(1, value),
            text(2, "greatest"),
            text(4, "ReduceMax"),
            field(5, text(1, "keepdims"), whole(3, 0), whole(20, 2))));
    node("Greater", "isGreat", "greatest", "limit");
    graph.writeBytes(
        field(
            1,
            text(1, "isGreat"),
            text(2, output),
            text(4, "If"),
            branch("then_branch", "Identity", value),
            branch("else_branch", "Neg", value)));
    return this;
  }

  private static byte[] branch(String name, String operation, String value) {
    byte[] node = field(1, text(1, value), text(2, name), text(4, operation));
    return field(
        5,
        text(1, name),
        field(6, node, text(2, name), field(12, value(name, FLOAT, 1, 0, -1))),
        whole(20, 5));
  }

  /** Random, but always the same. */
  public TestNetwork weights(String name, int... shape) {
    Random random = new Random(5);
    ByteBuffer values =
        ByteBuffer.allocate(Float.BYTES * Arrays.stream(shape).reduce(1, (a, b) -> a * b))
            .order(ByteOrder.LITTLE_ENDIAN);
    while (values.hasRemaining()) {
      values.putFloat((float) random.nextGaussian() / 3);
    }
    graph.writeBytes(
        field(5, sizes(shape), whole(2, FLOAT), text(8, name), field(9, values.array())));
    return this;
  }

  /** Weights that lie in another file. */
  public TestNetwork weightsIn(String place, String name, int... shape) {
    graph.writeBytes(
        field(
            5,
            sizes(shape),
            whole(2, FLOAT),
            text(8, name),
            field(13, text(1, "location"), text(2, place)),
            whole(14, 1)));
    return this;
  }

  public TestNetwork input(String name, int... shape) {
    graph.writeBytes(field(11, value(name, FLOAT, shape)));
    return this;
  }

  public TestNetwork inputOfWholeNumbers(String name, int... shape) {
    graph.writeBytes(field(11, value(name, INT64, shape)));
    return this;
  }

  public TestNetwork output(String name, int... shape) {
    graph.writeBytes(field(12, value(name, FLOAT, shape)));
    return this;
  }

  public TestNetwork outputOfWholeNumbers(String name, int... shape) {
    graph.writeBytes(field(12, value(name, INT64, shape)));
    return this;
  }

  public byte[] bytes() {
    return both(
        both(whole(1, 7), field(8, text(1, ""), whole(2, opset))),
        field(7, text(2, "test"), graph.toByteArray()));
  }

  public Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }

  /** A tokenizer that knows three words, fails at any other, and makes no token of an empty text. */
  public static Path tokenizer(Path file) throws IOException {
    return Files.writeString(
        file,
        """
        {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
         "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null,
         "decoder": null,
         "model": {"type": "WordLevel", "vocab": {"a": 0, "text": 1, "word": 2},
                   "unk_token": "[UNK]"}}
        """);
  }

  /** Sizes below 1 are left open. */
  private static byte[] value(String name, int type, int... shape) {
    byte[] dimensions = new byte[0];
    for (int size : shape) {
      dimensions =
          both(dimensions, size < 1 ? field(1, text(2, "open" + -size)) : field(1, whole(1, size)));
    }
    byte[] tensor = field(1, whole(1, type), field(2, dimensions));
    return both(text(1, name), field(2, tensor));
  }

  private static byte[] numbers(String name, int... values) {
    byte[] all = new byte[0];
    for (int value : values) {
      all = both(all, whole(8, value));
    }
    return field(5, text(1, name), all, whole(20, 7));
  }

  private static byte[] sizes(int... shape) {
    byte[] all = new byte[0];
    for (int size : shape) {
      all = both(all, whole(1, size));
    }
    return all;
  }

  private static byte[] text(int number, String text) {
    return field(number, text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] whole(int number, int value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    varint(out, number << 3);
    varint(out, value);
    return out.toByteArray();
  }

  private static byte[] field(int number, byte[]... parts) {
    byte[] content = Arrays.stream(parts).reduce(new byte[0], TestNetwork::both);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    varint(out, number << 3 | 2);
    varint(out, content.length);
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static void varint(ByteArrayOutputStream out, int value) {
    int left = value;
    for (; left > 0x7f; left >>>= 7) {
      out.write((left & 0x7f) | 0x80);
    }
    out.write(left);
  }

  private static byte[] both(byte[] first, byte[] then) {
    byte[] both = Arrays.copyOf(first, first.length + then.length);
    System.arraycopy(then, 0, both, first.length, then.length);
    return both;
  }
}
