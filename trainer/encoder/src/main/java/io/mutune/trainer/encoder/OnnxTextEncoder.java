package io.mutune.trainer.encoder;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import io.mutune.trainer.network.TextNetwork;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A transformer of tokens whose last layer is made into one vector. */
final class OnnxTextEncoder implements TextEncoder {
  private static final List<String> OUTPUTS =
      List.of("last_hidden_state", "token_embeddings", "hidden_states");

  private final OrtSession session;
  private final Tokens tokens;
  private final TextForm form;
  private final String output;

  /** 0 until the first text is encoded. */
  private int width;

  private OnnxTextEncoder(OrtSession session, Tokens tokens, TextForm form, String output) {
    this.session = session;
    this.tokens = tokens;
    this.form = form;
    this.output = output;
  }

  /**
   * @throws IOException if the network is not of that kind
   */
  static OnnxTextEncoder of(OrtSession session, Tokens tokens, TextForm form) throws IOException {
    if (!session.getInputNames().contains(TextNetwork.IDS)
        || !TextNetwork.INPUTS.containsAll(session.getInputNames())) {
      throw new IOException(
          "the network must take %s, and at most %s and %s beside them; it takes %s"
              .formatted(
                  TextNetwork.IDS,
                  TextNetwork.MASK,
                  TextNetwork.SEGMENTS,
                  session.getInputNames()));
    }
    OnnxTextEncoder encoder = new OnnxTextEncoder(session, tokens, form, output(session));
    float[] numbers = encoder.encode(ANY_TEXT);
    encoder.width = numbers.length;
    OnnxRuntime.requireSame(numbers, encoder.encode(ANY_TEXT));
    try {
      encoder.encode("a ".repeat(form.tokens()));
    } catch (IOException e) {
      throw new IOException(
          "the network fails at a text of %d tokens; give fewer by --tokens (%s)"
              .formatted(form.tokens(), e.getMessage()),
          e);
    }
    return encoder;
  }

  /** The layer whose numbers belong to tokens. */
  private static String output(OrtSession session) throws IOException {
    try {
      Map<String, NodeInfo> outputs = session.getOutputInfo();
      List<String> perToken =
          outputs.entrySet().stream()
              .filter(
                  entry ->
                      entry.getValue().getInfo() instanceof TensorInfo info
                          && info.type == OnnxJavaType.FLOAT
                          && info.getShape().length == 3)
              .map(Map.Entry::getKey)
              .toList();
      return OUTPUTS.stream()
          .filter(perToken::contains)
          .findFirst()
          .or(() -> perToken.size() == 1 ? perToken.stream().findFirst() : Optional.empty())
          .orElseThrow(
              () ->
                  new IOException(
                      "the network must give numbers for each token, as one of %s; it gives %s"
                          .formatted(OUTPUTS, outputs.keySet())));
    } catch (OrtException e) {
      throw new IOException(OnnxRuntime.line(e), e);
    }
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public String layer() {
    return output;
  }

  @Override
  public void encode(String text, float[] out, int at) throws IOException {
    float[] vector = encode(text);
    System.arraycopy(vector, 0, out, at, vector.length);
  }

  private float[] encode(String text) throws IOException {
    long[] ids = tokens.of(text);
    long[] shape = {1, ids.length};
    long[] ones = new long[ids.length];
    Arrays.fill(ones, 1);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    Map<String, OnnxTensor> given = new HashMap<>();
    try {
      for (String name : session.getInputNames()) {
        long[] values =
            switch (name) {
              case TextNetwork.IDS -> ids;
              case TextNetwork.MASK -> ones;
              default -> new long[ids.length];
            };
        given.put(name, OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape));
      }
      try (OrtSession.Result result = session.run(given, Set.of(output))) {
        return pooled((OnnxTensor) result.get(0), ids.length);
      }
    } catch (OrtException e) {
      throw new IOException(OnnxRuntime.line(e), e);
    } finally {
      given.values().forEach(OnnxTensor::close);
    }
  }

  private float[] pooled(OnnxTensor given, int length) throws IOException {
    long[] shape = given.getInfo().getShape();
    if (shape.length != 3 || shape[0] != 1 || shape[1] != length || !isWidth(shape[2])) {
      throw new IOException(
          "the network gives %s for %d tokens, not %snumbers for each"
              .formatted(Arrays.toString(shape), length, width == 0 ? "" : width + " "));
    }
    int features = (int) shape[2];
    FloatBuffer hidden = given.getFloatBuffer(); // a copy already
    int counted = form.pooling() == TextForm.Pooling.FIRST ? 1 : length;
    double[] sum = new double[features];
    for (int token = 0; token < counted; token++) {
      for (int i = 0; i < features; i++) {
        sum[i] += hidden.get(token * features + i);
      }
    }
    double squares = 0;
    for (double value : sum) {
      squares += value * value;
    }
    double scale = form.unitNorm() ? 1 / Math.sqrt(squares) : 1.0 / counted;
    float[] vector = new float[features];
    for (int i = 0; i < features; i++) {
      vector[i] = (float) (sum[i] * scale);
      if (!Float.isFinite(vector[i])) {
        throw new IOException("the network gives a number that is not finite");
      }
    }
    return vector;
  }

  /** More would stand in the numbers of another column. */
  private boolean isWidth(long features) {
    return width == 0 ? features > 0 && features <= EncoderIdentity.MOST_WIDTH : features == width;
  }

  @Override
  public void close() {
    OnnxRuntime.close(session);
    tokens.close();
  }
}
