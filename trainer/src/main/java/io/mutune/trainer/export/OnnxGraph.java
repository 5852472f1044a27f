package io.mutune.trainer.export;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A graph of ONNX while it grows: operators of version 13 and of version 2 of the operators for
 * classic models, each value by its name. Rows are the first dimension of all that is not constant.
 */
final class OnnxGraph {
  /** How ONNX numbers what the elements of a tensor are. */
  enum Kind {
    FLOAT(1),
    INT64(7),
    STRING(8),
    DOUBLE(11);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final int IR_VERSION = 8;
  private static final int OPERATORS = 13;
  private static final int CLASSIC_OPERATORS = 2;
  private static final String CLASSIC = "ai.onnx.ml";

  private final ProtoMessage graph = new ProtoMessage().text(2, "mutune");
  private final Set<String> names = new HashSet<>();
  private int count;

  /** What stands beside the inputs of a node; of the kinds that are needed. */
  static final class Attributes {
    private final ProtoMessage node;

    private Attributes(ProtoMessage node) {
      this.node = node;
    }

    Attributes number(String name, long value) {
      node.message(5, new ProtoMessage().text(1, name).number(3, value).number(20, 2));
      return this;
    }

    Attributes numbers(String name, long... values) {
      ProtoMessage list = new ProtoMessage().text(1, name).number(20, 7);
      for (long value : values) {
        list.number(8, value);
      }
      node.message(5, list);
      return this;
    }

    Attributes text(String name, String value) {
      node.message(5, new ProtoMessage().text(1, name).text(4, value).number(20, 3));
      return this;
    }

    Attributes texts(String name, List<String> values) {
      ProtoMessage list = new ProtoMessage().text(1, name).number(20, 8);
      values.forEach(value -> list.text(9, value));
      node.message(5, list);
      return this;
    }

    Attributes kind(String name, Kind kind) {
      return number(name, kind.code);
    }
  }

  /** Sets a node's attributes. */
  interface Setting {
    void set(Attributes to);
  }

  /** Declares an input of {@code [rows, columns]}. */
  String input(String name, Kind kind, int columns) {
    names.add(name);
    graph.message(11, value(name, kind, 2, columns));
    return name;
  }

  private static ProtoMessage value(String name, Kind kind, int dimensions, int columns) {
    ProtoMessage shape = new ProtoMessage().message(1, new ProtoMessage().text(2, "rows"));
    if (dimensions > 1) {
      shape.message(1, new ProtoMessage().number(1, columns));
    }
    ProtoMessage tensor = new ProtoMessage().number(1, kind.code).message(2, shape);
    return new ProtoMessage().text(1, name).message(2, new ProtoMessage().message(1, tensor));
  }

  /** Names a value as an output: {@code [rows, columns]}, or {@code [rows]} for no columns. */
  void output(String name, String value, Kind kind, int columns) {
    String free = name;
    while (!names.add(free)) {
      free += "_";
    }
    graph.message(1, node("Identity", free, "", List.of(value), to -> {}));
    graph.message(12, value(free, kind, columns > 0 ? 2 : 1, columns));
  }

  String node(String operator, String... inputs) {
    return node(operator, to -> {}, inputs);
  }

  String node(String operator, Setting attributes, String... inputs) {
    String output = fresh();
    graph.message(1, node(operator, output, "", List.of(inputs), attributes));
    return output;
  }

  /** An operator for classic models. */
  String classic(String operator, Setting attributes, String... inputs) {
    String output = fresh();
    graph.message(1, node(operator, output, CLASSIC, List.of(inputs), attributes));
    return output;
  }

  private static ProtoMessage node(
      String operator, String output, String domain, List<String> inputs, Setting attributes) {
    ProtoMessage node = new ProtoMessage();
    inputs.forEach(input -> node.text(1, input));
    node.text(2, output).text(3, output).text(4, operator).text(7, domain);
    attributes.set(new Attributes(node));
    return node;
  }

  /** No column has such a name: it would be one of a file without blanks around it. */
  private String fresh() {
    count++;
    return " " + count;
  }

  String constant(double value) {
    return constant(new int[] {1}, value);
  }

  String constant(int[] shape, double... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(values.length, Double.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    return constant(shape, Kind.DOUBLE, bytes.array());
  }

  String whole(long... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return constant(new int[] {values.length}, Kind.INT64, bytes.array());
  }

  private String constant(int[] shape, Kind kind, byte[] bytes) {
    String name = fresh();
    ProtoMessage tensor = new ProtoMessage();
    for (int size : shape) {
      tensor.number(1, size);
    }
    graph.message(5, tensor.number(2, kind.code).text(8, name).raw(9, bytes));
    return name;
  }

  byte[] toBytes(String about) {
    return new ProtoMessage()
        .number(1, IR_VERSION)
        .text(2, "mutune")
        .text(6, about)
        .message(7, graph)
        .message(8, new ProtoMessage().text(1, "").number(2, OPERATORS))
        .message(8, new ProtoMessage().text(1, CLASSIC).number(2, CLASSIC_OPERATORS))
        .toBytes();
  }
}
