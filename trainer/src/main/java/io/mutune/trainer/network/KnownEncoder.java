package io.mutune.trainer.network;

import java.util.List;
import java.util.Optional;

/**
 * An encoder that is known by name: a Maven artifact has its files, and only files of these digests
 * are taken.
 *
 * @param name in cards and sweeps
 * @param artifact group, artifact and version
 * @param modelFile in the artifact's jar
 * @param tokenizerFile in the artifact's jar
 * @param source where the network was published
 * @param licence of its weights, as its publisher states it
 */
public record KnownEncoder(
    String name,
    EncoderIdentity identity,
    String artifact,
    String modelFile,
    String tokenizerFile,
    String source,
    String licence) {
  private static final String ARTIFACT = "dev.langchain4j:langchain4j-embeddings-%s:1.0.0-beta5";
  private static final int WIDTH = 384;

  /** The vocabulary that E5 and BGE share. */
  private static final String BERT_TOKENIZER =
      "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66";

  /** All of them; weights in 8 bits. */
  public static final List<KnownEncoder> ALL =
      List.of(
          of(
              "e5-small-v2",
              EncoderIdentity.ofTexts(
                  WIDTH,
                  new TextForm("query: ", TextForm.Pooling.MEAN, 512, true),
                  "7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded",
                  BERT_TOKENIZER),
              "e5-small-v2-q",
              "e5-small-v2-q",
              "huggingface: intfloat/e5-small-v2, quantised by Xenova",
              "MIT"),
          of(
              "bge-small-en-v1.5",
              EncoderIdentity.ofTexts(
                  WIDTH,
                  new TextForm("", TextForm.Pooling.FIRST, 512, true),
                  "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
                  BERT_TOKENIZER),
              "bge-small-en-v15-q",
              "bge-small-en-v1.5-q",
              "huggingface: BAAI/bge-small-en-v1.5, quantised by Xenova",
              "MIT"),
          of(
              "all-minilm-l6-v2",
              EncoderIdentity.ofTexts(
                  WIDTH,
                  new TextForm("", TextForm.Pooling.MEAN, 256, true),
                  "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
                  "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"),
              "all-minilm-l6-v2-q",
              "all-minilm-l6-v2-q",
              "huggingface: sentence-transformers/all-MiniLM-L6-v2, quantised by Xenova",
              "Apache-2.0"));

  private static KnownEncoder of(
      String name,
      EncoderIdentity identity,
      String artifact,
      String file,
      String source,
      String licence) {
    return new KnownEncoder(
        name,
        identity,
        ARTIFACT.formatted(artifact),
        file + ".onnx",
        file + "-tokenizer.json",
        source,
        licence);
  }

  /** As it is once it is on a machine. */
  public EncoderLibrary.Entry entry() {
    return new EncoderLibrary.Entry(name, identity, source, licence);
  }

  /** The one of that name. */
  public static Optional<KnownEncoder> named(String name) {
    return ALL.stream().filter(known -> known.name().equals(name)).findFirst();
  }
}
