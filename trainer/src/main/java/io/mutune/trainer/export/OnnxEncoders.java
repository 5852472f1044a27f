package io.mutune.trainer.export;

import io.mutune.trainer.export.OnnxGraph.Kind;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.PictureForm;
import io.mutune.trainer.network.PictureNetwork;
import io.mutune.trainer.network.TextForm;
import io.mutune.trainer.network.TextNetwork;
import io.mutune.trainer.table.Table;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The encoders of a model as parts of its graph. Each text or picture goes through its encoder
 * alone, as it did in training: networks in 8 bits take their scale from all of a batch.
 */
final class OnnxEncoders {
  private final OnnxExport.Texts form;
  private final Map<EncoderReference, TextNetwork> texts = new LinkedHashMap<>();
  private final Map<EncoderReference, PictureNetwork> pictures = new LinkedHashMap<>();
  private final Map<EncoderReference, EncoderGraph> graphs = new LinkedHashMap<>();

  private OnnxEncoders(OnnxExport.Texts form) {
    this.form = form;
  }

  /**
   * All that a model needs.
   *
   * @throws IOException if one is not in the library, or cannot be computed on this machine
   */
  static OnnxEncoders of(ExportedModel model, OnnxExport.Texts form, EncoderLibrary library)
      throws IOException {
    OnnxEncoders encoders = new OnnxEncoders(form);
    EncoderReference pictures = model.pictures();
    if (pictures != null) {
      PictureNetwork network = library.pictureNetwork(pictures);
      encoders.pictures.put(pictures, network);
      encoders.graphs.put(pictures, EncoderGraph.of(network.model().content()));
    }
    Table table = model.table();
    for (EncoderReference encoder :
        table == null ? List.<EncoderReference>of() : table.encoders()) {
      if (!encoders.texts.containsKey(encoder)) {
        TextNetwork network = library.textNetwork(encoder);
        encoders.texts.put(encoder, network);
        encoders.graphs.put(encoder, EncoderGraph.of(network.model().content()));
      }
    }
    return encoders;
  }

  List<EncoderGraph> graphs() {
    return List.copyOf(graphs.values());
  }

  private static <T> T there(Map<EncoderReference, T> among, EncoderReference encoder) {
    return Objects.requireNonNull(among.get(encoder), encoder.name());
  }

  /**
   * The numbers of a column of texts, [rows, numbers] in double: NaN for a text that does not fit.
   *
   * @param missing texts that are missing ones, beside the empty one
   * @param missingIsEmpty whether a missing text is the empty one; else it does not fit
   */
  String words(
      OnnxGraph graph,
      String column,
      EncoderReference encoder,
      List<String> missing,
      boolean missingIsEmpty) {
    TextNetwork network = there(texts, encoder);
    String given;
    String isMissing;
    OnnxGraph.EachRow tokens;
    if (form == OnnxExport.Texts.TOKENS) {
      given = graph.input(column, Kind.INT64, 0);
      String first = graph.node("Gather", to -> to.number("axis", 1), given, graph.whole(0L));
      isMissing = graph.node("Less", first, graph.whole(0L));
      String all = given;
      tokens = (body, row) -> knownTokens(body, body.node("Gather", all, row));
    } else {
      WordPiece words = WordPiece.of(network.tokenizer(), encoder.name());
      String raw = graph.input(column, Kind.STRING, 1);
      isMissing = graph.isListed(raw, missing);
      given = missingIsEmpty ? graph.node("Where", isMissing, graph.text(""), raw) : raw;
      String all = given;
      tokens = (body, row) -> words.tokens(body, body.node("Gather", all, row), network.form());
    }
    String numbers =
        graph.asDouble(
            graph.loop(
                given,
                encoder.numbers(),
                (body, row) -> encoded(body, encoder, tokens.vector(body, row))));
    return missingIsEmpty && form == OnnxExport.Texts.RAW
        ? numbers
        : graph.node("Where", isMissing, graph.constant(Double.NaN), numbers);
  }

  /** Those before the first -1; of none a token, whose numbers are not used. */
  private static String knownTokens(OnnxGraph body, String ids) {
    String isKnown = body.node("Not", body.node("Less", ids, body.whole(0L)));
    String known = body.node("Compress", to -> to.number("axis", 0), ids, isKnown);
    String count = body.node("Shape", known);
    String isNone = body.node("Equal", count, body.whole(0L));
    String one = body.node("Concat", to -> to.number("axis", 0), known, body.whole(0L));
    String taken = body.node("Where", isNone, body.whole(1L), count);
    return body.node("Slice", one, body.whole(0L), taken);
  }

  /** The vector of a text's tokens. */
  private String encoded(OnnxGraph body, EncoderReference encoder, String tokens) {
    TextNetwork network = there(texts, encoder);
    String ids = body.unsqueeze(tokens, 0);
    String zeros = body.node("Sub", ids, ids);
    Map<String, String> inputs =
        Map.of(
            TextNetwork.IDS, ids,
            TextNetwork.MASK, body.node("Add", zeros, body.whole(1L)),
            TextNetwork.SEGMENTS, zeros);
    String layer = body.encoder(there(graphs, encoder), inputs, network.layer());
    String each = body.asDouble(layer);
    String pooled =
        network.form().pooling() == TextForm.Pooling.FIRST
            ? body.node("Gather", to -> to.number("axis", 1), each, body.whole(0L))
            : body.mean(each, 1);
    if (network.form().unitNorm()) {
      String squares = body.sum(body.node("Mul", pooled, pooled), 2);
      pooled = body.node("Div", pooled, body.node("Sqrt", squares));
    }
    return body.node("Reshape", body.asFloat(pooled), body.whole((long) encoder.numbers()));
  }

  /** The numbers of pictures, [rows, numbers] in double, by their values in a row, from 0 to 1. */
  String pictures(OnnxGraph graph, String name, EncoderReference encoder) {
    PictureNetwork network = there(pictures, encoder);
    PictureForm form = network.form();
    Image size = form.size();
    String rows = graph.input(name, Kind.FLOAT, size.size());
    int[] each = {size.channels(), 1};
    return graph.asDouble(
        graph.loop(
            rows,
            encoder.numbers(),
            (body, row) -> {
              String values = body.asDouble(body.node("Gather", rows, row));
              String apart = body.node("Reshape", values, body.whole((long) size.channels(), -1));
              String less = body.constant(each, doubles(form.mean()));
              String by = body.constant(each, doubles(form.deviation()));
              String scaled = body.node("Div", body.node("Sub", apart, less), by);
              String picture =
                  body.node(
                      "Reshape",
                      body.asFloat(scaled),
                      body.whole(1L, size.channels(), size.height(), size.width()));
              if (network.ports().channelsLast()) {
                picture = body.node("Transpose", to -> to.numbers("perm", 0, 2, 3, 1), picture);
              }
              Map<String, String> inputs = Map.of(network.ports().input(), picture);
              String layer = body.encoder(there(graphs, encoder), inputs, network.ports().layer());
              return body.node("Reshape", layer, body.whole((long) encoder.numbers()));
            }));
  }

  private static double[] doubles(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
