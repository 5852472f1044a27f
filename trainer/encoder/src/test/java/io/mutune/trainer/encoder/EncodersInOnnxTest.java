package io.mutune.trainer.encoder;

import static io.mutune.trainer.encoder.Answer.mutune;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.extensions.OrtxPackage;
import io.mutune.testing.SharedFolder;
import io.mutune.testing.TestNetwork;
import io.mutune.testing.Thorough;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.TextForm;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model whose encoder went along into its ONNX file says the same as mutune predict. */
class EncodersInOnnxTest {
  private static final int WIDTH = 4;
  private static final List<String> PIECES =
      List.of(
          "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "film", "text", "##s", "##ing", "play",
          ".", ",", "query", ":", "\u4e2d", "\u6587", "cafe", "!", "no", "not", "##e");
  private static final TextForm FORM = new TextForm("query: ", TextForm.Pooling.MEAN, 9, true);

  @TempDir Path folder;

  private static Path tokenizer(Path file) throws IOException {
    String pieces =
        IntStream.range(0, PIECES.size())
            .mapToObj(i -> "\"%s\": %d".formatted(PIECES.get(i), i))
            .collect(Collectors.joining(", "));
    return Files.writeString(
        file,
        """
        {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
         "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                        "strip_accents": null, "lowercase": true},
         "pre_tokenizer": {"type": "BertPreTokenizer"},
         "post_processor": {"type": "TemplateProcessing",
           "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                      {"Sequence": {"id": "A", "type_id": 0}},
                      {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
           "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
           "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                              "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
         "decoder": null,
         "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100, "vocab": {%s}}}
        """
            .formatted(pieces));
  }

  /** Asks for all that a network may be given, and has a graph within its graph. */
  private static TestNetwork network(int operators) {
    return new TestNetwork()
        .opset(operators)
        .inputOfWholeNumbers("input_ids", 1, 0)
        .inputOfWholeNumbers("attention_mask", 1, 0)
        .inputOfWholeNumbers("token_type_ids", 1, 0)
        .weights("numbers", PIECES.size(), WIDTH)
        .weights("marks", 2, WIDTH)
        .weights("segments", 2, WIDTH)
        .node("Gather", "looked", "numbers", "input_ids")
        .node("Gather", "mark", "marks", "attention_mask")
        .node("Gather", "segment", "segments", "token_type_ids")
        .node("Add", "both", "looked", "mark")
        .node("Add", "all", "both", "segment")
        .either("last_hidden_state", "all")
        .output("last_hidden_state", 1, 0, WIDTH);
  }

  private EncoderReference add(TestNetwork network, Path tokenizer, TextForm form)
      throws IOException {
    Path file = network.write(folder.resolve("network.onnx"));
    EncoderIdentity identity =
        EncoderIdentity.ofTexts(
            WIDTH, form, EncoderFile.read(file).sha256(), EncoderFile.read(tokenizer).sha256());
    EncoderLibrary.usual()
        .add(
            new EncoderLibrary.Entry("joined", identity, "a test's own", "none"),
            file,
            Optional.of(tokenizer));
    return new EncoderReference(
        identity.form().subject(), "joined", identity.digest(), WIDTH, Optional.empty());
  }

  /** A model that nobody trained, with weights at random. */
  private Path model(String data, int inputs) throws IOException {
    Path model = Files.createDirectories(folder.resolve("model"));
    double[] weights = new SplittableRandom(6).doubles(3L * inputs, -9, 9).toArray();
    NpyArray array = new NpyArray(new int[] {inputs, 3}, weights);
    NpzFile.write(model.resolve("model.npz"), Map.of("weights", array));
    Files.writeString(
        model.resolve("model.json"),
        """
        {"version": 1, "study": "1", "name": "small", "loss": "softmax",
         "classes": ["left", "middle", "right"], "features": [{"type": "l2-normalize"}],
         "data": {%s}}"""
            .formatted(data));
    return model;
  }

  private Path ofTexts(EncoderReference encoder, String more) throws IOException {
    return model(
        """
        "format": "tsv", "delimiter": "\\t", "header": false, "features": %d, "table":
          {"missing": ["?"], "columns": [
            {"name": "words", "type": "text", "encoder": "%s", "digest": "%s", "numbers": %d%s}]}"""
            .formatted(
                encoder.numbers(), encoder.name(), encoder.digest(), encoder.numbers(), more),
        encoder.numbers());
  }

  private Map<String, Object> onnx(Path model, Object given, String... options)
      throws IOException, OrtException {
    Path file = folder.resolve("model.onnx");
    List<String> words = new ArrayList<>(List.of("export", model.toString()));
    words.addAll(List.of("--output", file.toString()));
    words.addAll(List.of(options));
    mutune(words.toArray(String[]::new)).succeeded();
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions settings = new OrtSession.SessionOptions()) {
      if (given instanceof String[][]) {
        settings.registerCustomOpLibrary(OrtxPackage.getLibraryPath());
      }
      try (OrtSession session = environment.createSession(file.toString(), settings);
          OnnxTensor rows = OnnxTensor.createTensor(environment, given);
          OrtSession.Result result =
              session.run(Map.of(session.getInputNames().iterator().next(), rows))) {
        return Map.of(
            "label", result.get("label").orElseThrow().getValue(),
            "probabilities", result.get("probabilities").orElseThrow().getValue());
      }
    }
  }

  private List<String> predicted(Path model, Path rows) {
    return mutune("predict", model.toString(), rows.toString(), "--format", "csv")
        .succeeded()
        .out()
        .lines()
        .skip(1)
        .toList();
  }

  /** What a tokenizer may trip over, and texts of more tokens than are looked at. */
  private static List<String> texts() {
    List<String> parts =
        List.of(
            ("a, FILM, films, playing, no., not,a, \u4e2d\u6587, Caf\u00e9, unheard-of, !,"
                    + " query: text, e\u0301e,   text , \u00a0film, \u2019s")
                .split(", "));
    SplittableRandom random = new SplittableRandom(3);
    List<String> texts = new ArrayList<>(parts);
    for (int row = 0; row < 60; row++) {
      texts.add(
          random
              .ints(1 + row % 12, 0, parts.size())
              .mapToObj(parts::get)
              .collect(Collectors.joining(" ")));
    }
    return texts;
  }

  private static String[][] cells(List<String> texts) {
    return texts.stream().map(text -> new String[] {text}).toArray(String[][]::new);
  }

  /** Operators were written otherwise before versions 13 and 18. */
  @ParameterizedTest
  @ValueSource(ints = {11, 13, 18})
  void texts_sayTheSame_asTheyAre_andAsTokens(int operators) throws IOException, OrtException {
    Path words = tokenizer(folder.resolve("tokenizer.json"));
    Path model = ofTexts(add(network(operators), words, FORM), "");
    List<String> texts = texts();
    Path file = Files.write(folder.resolve("rows.tsv"), texts);
    List<String> predicted = predicted(model, file);
    OnnxExportTest.assertEqual(onnx(model, cells(texts)), predicted);
    OnnxExportTest.assertEqual(onnx(model, tokens(words, FORM, texts), "--tokens"), predicted);
  }

  private static long[][] tokens(Path file, TextForm form, List<String> texts) throws IOException {
    Tokens tokens = Tokens.of(EncoderFile.read(file), form);
    List<long[]> all = new ArrayList<>();
    for (String text : texts) {
      all.add(tokens.of(text));
    }
    tokens.close();
    int most = all.stream().mapToInt(ids -> ids.length).max().orElse(0);
    return all.stream()
        .map(
            ids -> {
              long[] filled = Arrays.copyOf(ids, most);
              Arrays.fill(filled, ids.length, most, -1);
              return filled;
            })
        .toArray(long[][]::new);
  }

  /** By the first token's numbers, not brought to norm 1. */
  @Test
  void aMissingText_fitsWhereTheOwnerSaysSo_andNowhereElse() throws IOException, OrtException {
    Path words = tokenizer(folder.resolve("tokenizer.json"));
    TextForm form = new TextForm("", TextForm.Pooling.FIRST, 9, false);
    EncoderReference encoder = add(network(13), words, form);
    List<String> texts = List.of("a film", "?", "", "not a film", "a", "plays");
    Path empty = ofTexts(encoder, ", \"missing\": true");
    Path file = Files.write(folder.resolve("rows.tsv"), texts.subList(0, 2));
    Map<String, Object> outputs = onnx(empty, cells(texts));
    assertThat(labels(outputs)[1]).isEqualTo(predicted(empty, file).get(1).split(",")[1]);
    double[][] filled = probabilities(outputs);
    assertThat(filled[1]).isEqualTo(filled[2]).doesNotContain(Double.NaN);
    outputs = onnx(ofTexts(encoder, ""), cells(texts));
    assertThat(labels(outputs)).contains("", "middle");
    double[][] left = probabilities(outputs);
    assertThat(left[1]).containsOnly(Double.NaN);
    assertThat(left[2]).containsOnly(Double.NaN);
    assertThat(left[3]).isEqualTo(filled[3]);
    outputs = onnx(ofTexts(encoder, ""), new long[][] {{2, 5, 3}, {-1, -1, -1}}, "--tokens");
    assertThat(labels(outputs)[1]).isEmpty();
    assertThat(probabilities(outputs)[0]).isEqualTo(left[4]);
  }

  private static String[] labels(Map<String, Object> outputs) {
    return (String[]) Objects.requireNonNull(outputs.get("label"));
  }

  private static double[][] probabilities(Map<String, Object> outputs) {
    return (double[][]) Objects.requireNonNull(outputs.get("probabilities"));
  }

  @Test
  void whatCannotBeWrittenDown_isRefusedByItsName() throws IOException {
    Path other = TestNetwork.tokenizer(folder.resolve("other.json"));
    TextForm plain = new TextForm("", TextForm.Pooling.MEAN, 9, true);
    Path model = ofTexts(add(TestNetwork.looksUp(3, WIDTH), other, plain), "");
    assertThat(refused(model, "onnx"))
        .contains(
            "the tokenizer of the encoder 'joined' is not BERT's (its model is WordLevel) and,"
                + " without --tokens, cannot be written down as onnx");
    for (String form : List.of("json", "java", "npz")) {
      assertThat(refused(model, form))
          .contains("column 'words' of type text: the encoder 'joined' is a network", "as " + form);
    }
    assertThat(refused(model, "json", "--tokens")).contains("--tokens is of use for texts");
    Path words = tokenizer(folder.resolve("tokenizer.json"));
    assertThat(refused(ofTexts(add(network(10), words, FORM), ""), "onnx"))
        .contains("version 10 of ONNX's operators, which is before 11");
  }

  private String refused(Path model, String form, String... more) {
    Path output = folder.resolve("Refused." + form);
    List<String> words = new ArrayList<>(List.of("export", model.toString()));
    words.addAll(List.of("--output", output.toString()));
    words.addAll(List.of(more));
    Answer answer = mutune(words.toArray(String[]::new));
    assertThat(answer.status()).isEqualTo(2);
    assertThat(output).doesNotExist();
    return answer.err();
  }

  /** A network that wants channels last, and one whose numbers are taken from within. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pictures_sayTheSame_byTheirPixels(boolean channelsLast) throws IOException, OrtException {
    int side = TestNetwork.SIDE;
    TestNetwork network =
        channelsLast
            ? new TestNetwork()
                .input("x", 1, side, side, 3)
                .turned("first", "x")
                .weights("w", 4, 3, 3, 3)
                .folded("first")
                .node("Flatten", "flat", "cut")
                .node("Neg", "behind", "flat")
                .output("flat", 1, TestNetwork.WIDTH)
                .output("behind", 1, TestNetwork.WIDTH)
            : TestNetwork.usual();
    Path file = network.write(folder.resolve("network.onnx"));
    List<String> added =
        new ArrayList<>(
            List.of("encoder", "add", file.toString(), "--name", "seen", "--size", "8"));
    added.addAll(List.of("--mean", "0.5,0.4,0.3", "--std", "0.2,0.3,0.4"));
    added.addAll(channelsLast ? List.of("--output", "flat") : List.of());
    mutune(added.toArray(String[]::new)).succeeded();
    SplittableRandom random = new SplittableRandom(8);
    float[][] rows = new float[20][3 * side * side];
    Path pictures = Files.createDirectories(folder.resolve("pictures"));
    for (int row = 0; row < rows.length; row++) {
      BufferedImage picture = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
      for (int i = 0; i < side * side; i++) {
        int colour = random.nextInt(1 << 24);
        picture.setRGB(i % side, i / side, colour);
        for (int channel = 0; channel < 3; channel++) {
          int level = colour >> (16 - 8 * channel) & 0xff;
          rows[row][channel * side * side + i] = level / 255f;
        }
      }
      ImageIO.write(picture, "png", pictures.resolve("%03d.png".formatted(row)).toFile());
    }
    EncoderIdentity identity = EncoderLibrary.usual().find("seen").orElseThrow().identity();
    Path model =
        model(
            """
            "format": "images", "features": %1$d, "images":
              {"encoder": {"name": "seen", "digest": "%2$s", "numbers": %1$d}, "file": "first"}"""
                .formatted(identity.width(), identity.digest()),
            identity.width());
    List<String> withoutFiles =
        predicted(model, pictures).stream().map(line -> line.replaceFirst(",[^,]*", "")).toList();
    OnnxExportTest.assertEqual(onnx(model, rows), withoutFiles);
  }

  /** A network in 8 bits whose operators are of version 11, as all that are known by name. */
  @Test
  @Thorough
  void sentences_throughARealEncoder_sayTheSame() throws IOException, OrtException {
    TestEncoder.addTo(EncoderLibrary.usual(), folder);
    Path model = ofTexts(EncoderReference.of(TestEncoder.KNOWN), "");
    Path file = SharedFolder.file("data/sst2-test.tsv.gz");
    List<String> texts;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      texts = lines.lines().map(line -> line.substring(0, line.indexOf('\t'))).toList();
    }
    List<String> predicted = predicted(model, Files.write(folder.resolve("rows.tsv"), texts));
    OnnxExportTest.assertEqual(onnx(model, cells(texts)), predicted);
  }
}
