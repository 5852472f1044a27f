package io.mutune.trainer.export;

import io.mutune.trainer.feature.InexpressibleException;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.TextForm;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * @param encoder its name, for messages
   * @throws InexpressibleException if it is another tokenizer
   */
  static WordPiece of(EncoderFile file, String encoder) {
    try {
      return read(JSON.readTree(file.content()));
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

  private static WordPiece read(JsonNode all) {
    JsonNode model = part(all, "model", "WordPiece");
    JsonNode letters = part(all, "normalizer", "BertNormalizer");
    part(all, "pre_tokenizer", "BertPreTokenizer");
    if (!letters.path("clean_text").booleanValue(true)) {
      throw new IllegalArgumentException("its normalizer keeps control characters");
    }
    boolean lowerCase = letters.path("lowercase").booleanValue(true);
    JsonNode around = part(all, "post_processor", "TemplateProcessing").path("single");
    if (around.size() != 3
        || !around.path(1).path("Sequence").path("id").stringValue("").equals("A")) {
      throw new IllegalArgumentException("its texts are not between two tokens");
    }
    return new WordPiece(
        pieces(model.path("vocab")),
        model.path("unk_token").stringValue(""),
        model.path("continuing_subword_prefix").stringValue(""),
        around.path(0).path("SpecialToken").path("id").stringValue(""),
        around.path(2).path("SpecialToken").path("id").stringValue(""),
        lowerCase,
        letters.path("strip_accents").booleanValue(lowerCase),
        letters.path("handle_chinese_chars").booleanValue(true));
  }

  private static JsonNode part(JsonNode all, String key, String type) {
    JsonNode part = all.path(key);
    String found = part.path("type").stringValue("of no type");
    if (!type.equals(found)) {
      throw new IllegalArgumentException("its " + key + " is " + found);
    }
    return part;
  }

  private static List<String> pieces(JsonNode vocabulary) {
    if (!vocabulary.isObject()) {
      throw new IllegalArgumentException("it has no vocabulary");
    }
    String[] pieces = new String[vocabulary.size()];
    vocabulary.forEachEntry(
        (piece, number) -> {
          int at = number.isInt() ? number.intValue() : -1;
          if (at < 0
              || at >= pieces.length
              || pieces[at] != null
              || piece.isEmpty()
              || piece.contains("\n")) {
            throw new IllegalArgumentException("its vocabulary is no list of lines");
          }
          pieces[at] = piece;
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
}
