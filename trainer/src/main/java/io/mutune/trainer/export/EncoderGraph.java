package io.mutune.trainer.export;

import io.mutune.trainer.feature.InexpressibleException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The graph of an encoder's own ONNX file, to be part of another one: its nodes and its weights
 * under names of their own, with the versions of the operators that they were written for.
 *
 * <p>Numbers of fields are those of {@code onnx.proto}.
 */
final class EncoderGraph {
  private static final int MODEL_IR_VERSION = 1;
  private static final int MODEL_GRAPH = 7;
  private static final int MODEL_OPERATORS = 8;
  private static final int MODEL_FUNCTION = 25;
  private static final int GRAPH_NODE = 1;
  private static final int GRAPH_NAME = 2;
  private static final int GRAPH_WEIGHTS = 5;
  private static final int GRAPH_INPUT = 11;
  private static final int GRAPH_OUTPUT = 12;
  private static final int GRAPH_SPARSE_WEIGHTS = 15;
  private static final int NODE_INPUT = 1;
  private static final int NODE_OUTPUT = 2;
  private static final int NODE_NAME = 3;
  private static final int NODE_ATTRIBUTE = 5;
  private static final int ATTRIBUTE_GRAPH = 6;
  private static final int ATTRIBUTE_GRAPHS = 11;
  private static final int WEIGHTS_NAME = 8;
  private static final int SPARSE_VALUES = 1;
  private static final int VALUE_NAME = 1;

  private long irVersion;
  private final Map<String, Long> operators = new LinkedHashMap<>();
  private final List<ProtoField> functions = new ArrayList<>();
  private final List<ProtoField> graph = new ArrayList<>();

  private EncoderGraph() {}

  /**
   * @throws InexpressibleException if it is no ONNX file
   */
  static EncoderGraph of(byte[] file) {
    EncoderGraph read = new EncoderGraph();
    try {
      ProtoField.of(file).forEach(read::add);
    } catch (IllegalArgumentException e) {
      throw new InexpressibleException(
          "its encoder is no ONNX network (" + e.getMessage() + ") and cannot be written down");
    }
    return read;
  }

  private void add(ProtoField field) {
    switch (field.number()) {
      case MODEL_IR_VERSION -> irVersion = field.value();
      case MODEL_GRAPH -> graph.addAll(field.fields());
      case MODEL_OPERATORS -> addOperators(field.fields());
      case MODEL_FUNCTION -> functions.add(field);
      default -> {} // who made it
    }
  }

  private void addOperators(List<ProtoField> fields) {
    String domain = "";
    long version = 0;
    for (ProtoField field : fields) {
      if (field.number() == 1) {
        domain = field.text();
      } else {
        version = field.value();
      }
    }
    operators.put(domain.equals("ai.onnx") ? "" : domain, version);
  }

  long irVersion() {
    return irVersion;
  }

  /** The versions of its operators, by their domains; the empty one is ONNX's own. */
  Map<String, Long> operators() {
    return operators;
  }

  List<ProtoField> functions() {
    return functions;
  }

  /** What it has to be given. Old files list their weights among it too. */
  Set<String> inputs() {
    Set<String> inputs = new HashSet<>();
    graph.stream()
        .filter(field -> field.number() == GRAPH_INPUT)
        .forEach(field -> inputs.add(textOf(field, VALUE_NAME)));
    graph.stream()
        .filter(field -> field.number() == GRAPH_WEIGHTS)
        .forEach(field -> inputs.remove(textOf(field, WEIGHTS_NAME)));
    return inputs;
  }

  private static String textOf(ProtoField message, int number) {
    return message.fields().stream()
        .filter(field -> field.number() == number)
        .map(ProtoField::text)
        .findFirst()
        .orElse("");
  }

  /** Adds its nodes and weights to a graph, each name after the prefix. */
  void addTo(ProtoMessage to, String prefix) {
    for (ProtoField field : graph) {
      if (field.number() == GRAPH_NODE) {
        to.message(GRAPH_NODE, node(field, prefix));
      } else {
        addWeights(to, field, prefix);
      }
    }
  }

  private static void addWeights(ProtoMessage to, ProtoField field, String prefix) {
    if (field.number() == GRAPH_WEIGHTS) {
      to.message(GRAPH_WEIGHTS, renamed(field, WEIGHTS_NAME, prefix));
    } else if (field.number() == GRAPH_SPARSE_WEIGHTS) {
      ProtoMessage sparse = new ProtoMessage();
      for (ProtoField part : field.fields()) {
        if (part.number() == SPARSE_VALUES) {
          sparse.message(SPARSE_VALUES, renamed(part, WEIGHTS_NAME, prefix));
        } else {
          sparse.field(part);
        }
      }
      to.message(GRAPH_SPARSE_WEIGHTS, sparse);
    }
  }

  private static ProtoMessage node(ProtoField node, String prefix) {
    ProtoMessage renamed = new ProtoMessage();
    for (ProtoField field : node.fields()) {
      switch (field.number()) {
        case NODE_INPUT, NODE_OUTPUT, NODE_NAME ->
            renamed.text(field.number(), name(field, prefix));
        case NODE_ATTRIBUTE -> renamed.message(NODE_ATTRIBUTE, attribute(field, prefix));
        default -> renamed.field(field);
      }
    }
    return renamed;
  }

  /** An input that is left out has no name. */
  private static String name(ProtoField field, String prefix) {
    return field.isEmpty() ? "" : prefix + field.text();
  }

  /** A condition or a loop has a graph within, whose nodes know the names around them. */
  private static ProtoMessage attribute(ProtoField attribute, String prefix) {
    ProtoMessage renamed = new ProtoMessage();
    for (ProtoField field : attribute.fields()) {
      if (field.number() == ATTRIBUTE_GRAPH || field.number() == ATTRIBUTE_GRAPHS) {
        renamed.message(field.number(), within(field, prefix));
      } else {
        renamed.field(field);
      }
    }
    return renamed;
  }

  private static ProtoMessage within(ProtoField inner, String prefix) {
    ProtoMessage renamed = new ProtoMessage();
    for (ProtoField field : inner.fields()) {
      switch (field.number()) {
        case GRAPH_NODE -> renamed.message(GRAPH_NODE, node(field, prefix));
        case GRAPH_NAME -> renamed.field(field);
        case GRAPH_INPUT, GRAPH_OUTPUT ->
            renamed.message(field.number(), renamed(field, VALUE_NAME, prefix));
        default -> addWeights(renamed, field, prefix);
      }
    }
    return renamed;
  }

  private static ProtoMessage renamed(ProtoField message, int nameField, String prefix) {
    ProtoMessage renamed = new ProtoMessage();
    for (ProtoField field : message.fields()) {
      if (field.number() == nameField) {
        renamed.text(nameField, name(field, prefix));
      } else {
        renamed.field(field);
      }
    }
    return renamed;
  }
}
