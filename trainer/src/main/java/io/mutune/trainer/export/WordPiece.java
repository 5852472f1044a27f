package io.mutune.trainer.export;

import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.TextForm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * BERT's tokenizer, read from a {@code tokenizer.json}: words in pieces of a list. ONNX Runtime
 * Extensions have an operator for it, {@code BertTokenizer}, and for no other in this form.
 *
 * @param pieces in the order of their numbers
 * @param unknown stands for a word that has no pieces
 * @param continuation stands before a piece that does not begin a word
 * @param first stands before the tokens of a text
 * @param last stands behind them
 * @param lowerCase whether capitals are small letters
 * @param plain whether accents are left out
 * @param chinese whether each Chinese character is a word
 */
record WordPiece(
    List<String> pieces,
    String unknown,
    String continuation,
    String first,
    String last,
    boolean lowerCase,
    boolean plain,
    boolean chinese) {

  /**
   * @param encoder its name, for messages
   * @throws InexpressibleException if it is another tokenizer
   */
  static WordPiece of(EncoderFile file, String encoder) {
    try {
      return read(Tree.of(file));
    } catch (JacksonException e) {
      throw refusal(encoder, "it cannot be read");
    } catch (IllegalArgumentException e) {
      throw refusal(encoder, e.getMessage());
    }
  }

  private static InexpressibleException refusal(String encoder, @Nullable String why) {
    return new InexpressibleException(
        "the tokenizer of the encoder '%s' is not BERT's (%s) and, without --tokens, cannot be written down"
            .formatted(encoder, why));
  }

  private static WordPiece read(Tree all) {
    Tree model = all.get("model").ofType("WordPiece");
    Tree letters = all.get("normalizer").ofType("BertNormalizer");
    all.get("pre_tokenizer").ofType("BertPreTokenizer");
    if (!letters.flag("clean_text", true)) {
      throw new IllegalArgumentException("its normalizer keeps control characters");
    }
    boolean lowerCase = letters.flag("lowercase", true);
    Tree around = all.get("post_processor").ofType("TemplateProcessing").get("single");
    if (around.size() != 3 || !around.at(1).get("Sequence").text("id").equals("A")) {
      throw new IllegalArgumentException("its texts are not between two tokens");
    }
    return new WordPiece(
        pieces(model.get("vocab")),
        model.text("unk_token"),
        model.text("continuing_subword_prefix"),
        around.at(0).get("SpecialToken").text("id"),
        around.at(2).get("SpecialToken").text("id"),
        lowerCase,
        letters.flag("strip_accents", lowerCase),
        letters.flag("handle_chinese_chars", true));
  }

  private static List<String> pieces(Tree vocabulary) {
    Map<?, ?> numbers = vocabulary.map();
    String[] pieces = new String[numbers.size()];
    numbers.forEach(
        (piece, number) -> {
          String text = String.valueOf(piece);
          if (!(number instanceof Long at)
              || at < 0
              || at >= pieces.length
              || pieces[at.intValue()] != null
              || text.isEmpty()
              || text.contains("\n")) {
            throw new IllegalArgumentException("its vocabulary is no list of lines");
          }
          pieces[at.intValue()] = text;
        });
    return List.of(pieces);
  }

  /**
   * The numbers of a text's tokens.
   *
   * @param text one, in an array of one
   */
  String tokens(OnnxGraph graph, String text, TextForm form) {
    String whole =
        form.prefix().isEmpty()
            ? text
            : graph.extension("StringConcat", 1, to -> {}, graph.text(form.prefix()), text);
    return graph.extension(
        "BertTokenizer",
        3,
        to ->
            to.text("vocab_file", String.join("\n", pieces))
                .number("do_lower_case", lowerCase ? 1 : 0)
                .number("strip_accents", plain ? 1 : 0)
                .number("tokenize_chinese_chars", chinese ? 1 : 0)
                .text("suffix_indicator", continuation)
                .text("unk_token", unknown)
                .text("cls_token", first)
                .text("sep_token", last)
                // These two must be known to it, and are never used.
                .text("pad_token", unknown)
                .text("mask_token", unknown)
                .number("max_length", form.tokens()),
        whole);
  }

  /** What JSON has: maps, lists, texts, whole numbers and flags. */
  private record Tree(String name, @Nullable Object value) {
    static Tree of(EncoderFile file) {
      String text = new String(file.content(), StandardCharsets.UTF_8);
      try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
        return new Tree("it", value(parser, parser.nextToken()));
      }
    }

    private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) {
      if (token == JsonToken.START_OBJECT) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String key = parser.nextName(); key != null; key = parser.nextName()) {
          map.put(key, value(parser, parser.nextToken()));
        }
        return map;
      }
      if (token == JsonToken.START_ARRAY) {
        List<@Nullable Object> list = new ArrayList<>();
        for (JsonToken next = parser.nextToken();
            next != JsonToken.END_ARRAY;
            next = parser.nextToken()) {
          list.add(value(parser, next));
        }
        return list;
      }
      if (token == JsonToken.VALUE_NUMBER_INT) {
        return parser.getLongValue();
      }
      if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
        return token == JsonToken.VALUE_TRUE;
      }
      return token == JsonToken.VALUE_STRING ? parser.getString() : null;
    }

    Map<?, ?> map() {
      return value instanceof Map<?, ?> map ? map : Map.of();
    }

    Tree get(String key) {
      return new Tree("its " + key, map().get(key));
    }

    Tree ofType(String type) {
      if (!type.equals(map().get("type"))) {
        throw new IllegalArgumentException(name + " is " + map().get("type"));
      }
      return this;
    }

    int size() {
      return value instanceof List<?> list ? list.size() : 0;
    }

    Tree at(int index) {
      return new Tree(name, value instanceof List<?> list ? list.get(index) : null);
    }

    String text(String key) {
      return map().get(key) instanceof String text ? text : "";
    }

    boolean flag(String key, boolean usual) {
      return map().get(key) instanceof Boolean flag ? flag : usual;
    }
  }
}
