package io.mutune.trainer.encoder;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderIdentity;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureForm;
import io.mutune.trainer.network.PictureNetwork.Ports;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A network that takes one picture and gives a fixed number of numbers. */
record OnnxPictureEncoder(OrtSession session, PictureForm form, Ports ports, int width)
    implements PictureEncoder {
  /**
   * @throws IOException if the network is not of that kind, in one line
   */
  static OnnxPictureEncoder of(OrtSession session, PictureForm form) throws IOException {
    try {
      String input = input(session);
      String output = output(session, form);
      boolean channelsLast =
          channelsLast(numbers("take", input, session.getInputInfo().get(input)), form.size());
      int width = width(output, numbers("give", output, session.getOutputInfo().get(output)));
      OnnxPictureEncoder encoder =
          new OnnxPictureEncoder(session, form, new Ports(input, channelsLast, output), width);
      // Not a black one: nothing that is multiplied by chance shows in zeros.
      float[] picture = new float[form.size().size()];
      for (int i = 0; i < picture.length; i++) {
        picture[i] = (i % 251 + 1) / 252f;
      }
      OnnxRuntime.requireSame(encoder.encode(picture), encoder.encode(picture));
      return encoder;
    } catch (OrtException e) {
      throw new IOException(OnnxRuntime.line(e), e);
    }
  }

  private static String input(OrtSession session) throws IOException {
    Set<String> names = session.getInputNames();
    if (names.size() != 1) {
      throw new IOException(
          "the network must take one picture and nothing else; it takes " + names);
    }
    return names.iterator().next();
  }

  private static String output(OrtSession session, PictureForm form) throws IOException {
    if (form.output().isPresent()) {
      return form.output().get();
    }
    Set<String> names = session.getOutputNames();
    if (names.size() != 1) {
      throw new IOException("the network gives " + names + ": name one with --output");
    }
    return names.iterator().next();
  }

  private static long[] numbers(String verb, String name, @Nullable NodeInfo node)
      throws IOException {
    if (node != null
        && node.getInfo() instanceof TensorInfo info
        && info.type == OnnxJavaType.FLOAT) {
      return info.getShape();
    }
    throw new IOException("the network must %s numbers of 32 bits as '%s'".formatted(verb, name));
  }

  /** Sizes below 1 are those that the network leaves open. */
  private static boolean channelsLast(long[] taken, Image size) throws IOException {
    if (takes(taken, 1, size.channels(), size.height(), size.width())) {
      return false;
    }
    if (takes(taken, 1, size.height(), size.width(), size.channels())) {
      return true;
    }
    throw new IOException(
        "the network takes %s, which is no picture of %d x %d with %d channels: see --size and --channels"
            .formatted(Arrays.toString(taken), size.height(), size.width(), size.channels()));
  }

  private static boolean takes(long[] taken, long... given) {
    boolean fits = taken.length == given.length;
    for (int i = 0; fits && i < given.length; i++) {
      fits = taken[i] < 1 || taken[i] == given[i];
    }
    return fits;
  }

  private static int width(String output, long[] given) throws IOException {
    boolean isBatch = given.length > 1;
    if (given.length == 0 || (isBatch && given[0] > 1)) {
      throw new IOException(
          "the network must give numbers of one picture as '%s'; they are %s"
              .formatted(output, Arrays.toString(given)));
    }
    long width = 1;
    for (int i = isBatch ? 1 : 0; i < given.length; i++) {
      if (given[i] < 1) {
        throw new IOException(
            "the network must say how many numbers '%s' has; they are %s (below 1 is open)"
                .formatted(output, Arrays.toString(given)));
      }
      width = Math.min(width * given[i], Integer.MAX_VALUE);
    }
    if (width > EncoderIdentity.MOST_WIDTH) {
      throw new IOException(
          "'%s' has %d numbers, and a picture becomes at most %d: name a later layer with --output"
              .formatted(output, width, EncoderIdentity.MOST_WIDTH));
    }
    return (int) width;
  }

  @Override
  public float[] encode(float[] values) throws IOException {
    float[] normalized = form.normalized(values);
    Image size = form.size();
    long[] shape =
        ports.channelsLast()
            ? new long[] {1, size.height(), size.width(), size.channels()}
            : new long[] {1, size.channels(), size.height(), size.width()};
    FloatBuffer given = FloatBuffer.wrap(ports.channelsLast() ? turned(normalized) : normalized);
    try (OnnxTensor picture =
            OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), given, shape);
        OrtSession.Result result =
            session.run(Map.of(ports.input(), picture), Set.of(ports.layer()))) {
      return checked(((OnnxTensor) result.get(0)).getFloatBuffer());
    } catch (OrtException e) {
      throw new IOException(OnnxRuntime.line(e), e);
    }
  }

  /** [height, width, channels]. */
  private float[] turned(float[] values) {
    int channels = form.size().channels();
    int pixels = values.length / channels;
    float[] turned = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      turned[i % pixels * channels + i / pixels] = values[i];
    }
    return turned;
  }

  private float[] checked(FloatBuffer given) throws IOException {
    if (given.remaining() != width) {
      throw new IOException(
          "the network gives %d numbers, and said %d".formatted(given.remaining(), width));
    }
    float[] numbers = new float[width];
    given.get(numbers);
    for (float number : numbers) {
      if (!Float.isFinite(number)) {
        throw new IOException("the network gives a number that is not finite");
      }
    }
    return numbers;
  }

  @Override
  public void close() {
    OnnxRuntime.close(session);
  }
}
