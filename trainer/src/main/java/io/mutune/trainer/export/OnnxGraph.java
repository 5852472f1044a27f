package io.mutune.trainer.export;

import io.mutune.trainer.feature.InexpressibleException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A graph of ONNX while it grows, each value by its name. Rows are the first dimension of all that
 * is not constant.
 *
 * <p>A file has one version of ONNX's operators: 13, unless an encoder within was written for
 * another. Those operators that were written otherwise before or after are written here alone.
 */
final class OnnxGraph {
  /** How ONNX numbers what the elements of a tensor are. */
  enum Kind {
    FLOAT(1),
    INT64(7),
    STRING(8),
    BOOL(9),
    DOUBLE(11);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  private static final int OPERATORS = 13;

  /** From where on the operators here are as they are written here. */
  private static final int OLDEST_OPERATORS = 11;

  private static final int AXES_ARE_INPUTS = 13;
  private static final int AXES_OF_MEANS_ARE_INPUTS = 18;
  private static final String CLASSIC = "ai.onnx.ml";
  private static final String EXTENSIONS = "ai.onnx.contrib";

  private final ProtoMessage graph;
  private final OnnxFile file;

  /** What a file knows beside its graph. */
  private static final class OnnxFile {
    private final Set<String> names = new HashSet<>();
    private final Map<String, Long> operators = new LinkedHashMap<>();
    private final Set<ProtoField> functions = new LinkedHashSet<>();
    private long irVersion = 8;
    private int count;
  }

  private OnnxGraph(String name, OnnxFile file) {
    this.graph = new ProtoMessage().text(2, name);
    this.file = file;
  }

  /**
   * A graph that will have these encoders within.
   *
   * @throws InexpressibleException if they do not go together
   */
  OnnxGraph(List<EncoderGraph> encoders) {
    this("mutune", new OnnxFile());
    file.operators.put(CLASSIC, 2L);
    for (EncoderGraph encoder : encoders) {
      file.irVersion = Math.max(file.irVersion, encoder.irVersion());
      encoder.operators().forEach(this::require);
    }
    if (file.operators.putIfAbsent("", (long) OPERATORS) != null
        && version("") < OLDEST_OPERATORS) {
      throw new InexpressibleException(
          "an encoder of version %d of ONNX's operators, which is before %d, cannot be written down"
              .formatted(version(""), OLDEST_OPERATORS));
    }
  }

  private long version(String domain) {
    return file.operators.getOrDefault(domain, 0L);
  }

  private void require(String domain, long version) {
    Long there = file.operators.putIfAbsent(domain, version);
    if (domain.equals(CLASSIC)) {
      file.operators.merge(domain, version, Math::max); // what is written here is as it was
    } else if (there != null && there != version) {
      throw new InexpressibleException(
          "encoders of versions %d and %d of the operators %s cannot be written down together"
              .formatted(there, version, domain.isEmpty() ? "of ONNX" : domain));
    }
  }

  /** What stands beside the inputs of a node; of the kinds that are needed. */
  record Attributes(ProtoMessage node) {
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

    Attributes graph(String name, OnnxGraph body) {
      node.message(5, new ProtoMessage().text(1, name).message(6, body.graph).number(20, 5));
      return this;
    }
  }

  /** Declares an input of {@code [rows, columns]}; no columns are any number of them. */
  String input(String name, Kind kind, int columns) {
    file.names.add(name);
    graph.message(
        11, value(name, kind, size("rows"), columns > 0 ? size(columns) : size("tokens")));
    return name;
  }

  private static ProtoMessage size(String name) {
    return new ProtoMessage().text(2, name);
  }

  private static ProtoMessage size(int number) {
    return new ProtoMessage().number(1, number);
  }

  private static ProtoMessage value(String name, Kind kind, ProtoMessage... sizes) {
    ProtoMessage shape = new ProtoMessage();
    for (ProtoMessage size : sizes) {
      shape.message(1, size);
    }
    ProtoMessage tensor = new ProtoMessage().number(1, kind.code).message(2, shape);
    return new ProtoMessage().text(1, name).message(2, new ProtoMessage().message(1, tensor));
  }

  /** Names a value as an output: {@code [rows, columns]}, or {@code [rows]} for no columns. */
  void output(String name, String value, Kind kind, int columns) {
    String free = name;
    while (!file.names.add(free)) {
      free += "_";
    }
    name(value, free);
    graph.message(
        12,
        columns > 0
            ? value(free, kind, size("rows"), size(columns))
            : value(free, kind, size("rows")));
  }

  private void name(String value, String name) {
    graph.message(1, node("Identity", List.of(name), "", List.of(value), to -> {}));
  }

  /** What is done for one row, from its number on: a vector of float32. */
  interface EachRow {
    String vector(OnnxGraph body, String row);
  }

  /**
   * Goes through the rows one after the other, each by itself.
   *
   * @param rows any value with all rows
   * @return {@code [rows, columns]} of float32
   */
  String loop(String rows, int columns, EachRow each) {
    String count = node("Gather", node("Shape", rows), whole(0L));
    OnnxGraph body = new OnnxGraph("row", file);
    String row = body.fresh();
    String goesOn = body.fresh();
    body.graph.message(11, value(row, Kind.INT64)).message(11, value(goesOn, Kind.BOOL));
    String vector = each.vector(body, row);
    String goesOnStill = body.node("Identity", goesOn);
    body.graph
        .message(12, value(goesOnStill, Kind.BOOL))
        .message(12, value(vector, Kind.FLOAT, size(columns)));
    return node("Loop", to -> to.graph("body", body), count, "");
  }

  /**
   * Adds an encoder.
   *
   * @param inputs the values that it is given, by its own names; more than it takes may be there
   * @param layer whose value is wanted
   */
  String encoder(EncoderGraph encoder, Map<String, String> inputs, String layer) {
    String prefix = fresh() + "/";
    inputs.forEach(
        (name, value) -> {
          if (encoder.inputs().contains(name)) {
            name(value, prefix + name);
          }
        });
    encoder.addTo(graph, prefix);
    file.functions.addAll(encoder.functions());
    return prefix + layer;
  }

  String node(String operator, String... inputs) {
    return node(operator, to -> {}, inputs);
  }

  String node(String operator, Consumer<Attributes> attributes, String... inputs) {
    String output = fresh();
    graph.message(1, node(operator, List.of(output), "", List.of(inputs), attributes));
    return output;
  }

  /** An operator for classic models. */
  String classic(String operator, Consumer<Attributes> attributes, String... inputs) {
    return foreign(CLASSIC, operator, 1, attributes, inputs);
  }

  /** An operator of ONNX Runtime Extensions; the first of its outputs. */
  String extension(
      String operator, int outputs, Consumer<Attributes> attributes, String... inputs) {
    file.operators.put(EXTENSIONS, 1L);
    return foreign(EXTENSIONS, operator, outputs, attributes, inputs);
  }

  private String foreign(
      String domain,
      String operator,
      int outputs,
      Consumer<Attributes> attributes,
      String... inputs) {
    List<String> all = Stream.generate(this::fresh).limit(outputs).toList();
    graph.message(1, node(operator, all, domain, List.of(inputs), attributes));
    return all.get(0);
  }

  String asDouble(String value) {
    return node("Cast", to -> to.kind("to", Kind.DOUBLE), value);
  }

  String asFloat(String value) {
    return node("Cast", to -> to.kind("to", Kind.FLOAT), value);
  }

  /** [rows, 1]: whether a text is empty or one of these. */
  String isListed(String texts, List<String> listed) {
    List<String> all = Stream.concat(Stream.of(""), listed.stream()).distinct().toList();
    long[] ones = new long[all.size()];
    Arrays.fill(ones, 1);
    String found =
        classic(
            "LabelEncoder",
            to ->
                to.texts("keys_strings", all)
                    .numbers("values_int64s", ones)
                    .number("default_int64", 0),
            texts);
    return node("Equal", found, whole(1L));
  }

  /** The sum along an axis, which stays as one of 1. */
  String sum(String of, long axis) {
    return alongAxis("ReduceSum", AXES_ARE_INPUTS, of, axis);
  }

  /** The mean along an axis, which stays as one of 1. */
  String mean(String of, long axis) {
    return alongAxis("ReduceMean", AXES_OF_MEANS_ARE_INPUTS, of, axis);
  }

  /** The same with one axis of 1 more. */
  String unsqueeze(String of, long axis) {
    return alongAxis("Unsqueeze", AXES_ARE_INPUTS, of, axis);
  }

  private String alongAxis(String operator, int inputSince, String of, long axis) {
    return version("") >= inputSince
        ? node(operator, of, whole(axis))
        : node(operator, to -> to.numbers("axes", axis), of);
  }

  private static ProtoMessage node(
      String operator,
      List<String> outputs,
      String domain,
      List<String> inputs,
      Consumer<Attributes> attributes) {
    ProtoMessage node = new ProtoMessage();
    inputs.forEach(input -> node.text(1, input));
    outputs.forEach(output -> node.text(2, output));
    node.text(3, outputs.get(0)).text(4, operator).text(7, domain);
    attributes.accept(new Attributes(node));
    return node;
  }

  /** No column has such a name: it would be one of a file without blanks around it. */
  private String fresh() {
    file.count++;
    return " " + file.count;
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

  /** One text. */
  String text(String text) {
    String name = fresh();
    ProtoMessage tensor = new ProtoMessage().number(1, 1).number(2, Kind.STRING.code);
    graph.message(5, tensor.text(6, text).text(8, name));
    return name;
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
    ProtoMessage whole =
        new ProtoMessage()
            .number(1, file.irVersion)
            .text(2, "mutune")
            .text(6, about)
            .message(7, graph);
    file.operators.forEach(
        (domain, version) ->
            whole.message(8, new ProtoMessage().text(1, domain).number(2, version)));
    file.functions.forEach(whole::field);
    return whole.toBytes();
  }
}
