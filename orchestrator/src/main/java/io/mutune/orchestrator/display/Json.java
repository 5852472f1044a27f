package io.mutune.orchestrator.display;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form of every JSON that Mutune writes: camelCase keys, numbers as numbers, a version first,
 * and no key for an empty optional value.
 */
public final class Json {
  public static final int VERSION = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // Of two values a reader sees one, and another reader the other.
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT) // 6.5 would be read as 6
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .annotationIntrospector(new RequiredNumbers())
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  private Json() {}

  /** A number that a document lacks would be read as 0, and 0 is an epsilon. */
  private static final class RequiredNumbers extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
      return member.getRawType().isPrimitive()
          ? Boolean.TRUE
          : super.hasRequiredMarker(config, member);
    }
  }

  /** A new document that carries its version. */
  public static ObjectNode document() {
    return object().put("version", VERSION);
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Writes a record or a tree. */
  public static String write(Object document) {
    return MAPPER.writeValueAsString(document) + "\n";
  }

  /** A record as a tree. */
  public static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * Reads a document as a tree.
   *
   * @throws JacksonException if it is not a JSON object
   */
  public static ObjectNode read(String text) {
    return read(text, ObjectNode.class);
  }

  /**
   * Reads a document as a record.
   *
   * @throws JacksonException if it is not a JSON object, lacks a value that the record needs, or
   *     has one of another kind
   */
  public static <T> T read(String text, Class<T> type) {
    T document = MAPPER.readValue(text, type);
    if (document == null) {
      throw MismatchedInputException.from(null, type, "null is no document");
    }
    return document;
  }

  /** A number of a tree; empty where there is none. */
  public static OptionalDouble number(JsonNode value) {
    return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
  }

  /**
   * Reads a tree as a record.
   *
   * @throws JacksonException if it lacks a value that the record needs, or has one of another kind
   */
  public static <T> T read(ObjectNode tree, Class<T> type) {
    return MAPPER.treeToValue(tree, type);
  }
}
