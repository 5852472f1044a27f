package io.mutune.trainer.spark;

import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderNetwork;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.Encoders;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureNetwork;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextNetwork;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.broadcast.Broadcast;

/**
 * Encoders whose files are broadcast, so that executors need none of their own. An executor makes
 * each ready once and keeps it until it ends.
 *
 * @param networks by the digests of the encoders
 * @param identity what numbers may depend on beside the encoder, on the driver: where they are
 *     other ones, the bits of a row would follow from which executor reads it
 */
record SentEncoders(HashMap<String, Broadcast<EncoderNetwork>> networks, String identity)
    implements Encoders, Serializable {
  /**
   * Those of this process, by their digests: tasks come and go, and have nothing else in common.
   */
  private static final Map<String, TextEncoder> OF_TEXTS = new HashMap<>();

  private static final Map<String, PictureEncoder> OF_PICTURES = new HashMap<>();

  @Override
  public TextEncoder openTexts(EncoderReference encoder) throws IOException {
    return new SharedTexts(
        ready(OF_TEXTS, encoder, network -> ((TextNetwork) network).open(encoder)));
  }

  @Override
  public PictureEncoder openPictures(EncoderReference encoder) throws IOException {
    return new SharedPictures(
        ready(OF_PICTURES, encoder, network -> ((PictureNetwork) network).open(encoder)));
  }

  @Override
  public Image size(EncoderReference encoder) {
    return ((PictureNetwork) network(encoder)).form().size();
  }

  @Override
  public double bytesOfAThread(EncoderReference encoder) {
    return network(encoder).identity(encoder.numbers()).bytesOfAThread();
  }

  /** Why this process cannot encode, each in one line; none if it can. */
  List<String> problems(RowFiles files) {
    List<String> problems = new ArrayList<>();
    for (EncoderReference encoder : files.encoders()) {
      try {
        check(encoder);
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return problems;
  }

  private interface Opening<T> {
    T of(EncoderNetwork network) throws IOException;
  }

  private <T> T ready(Map<String, T> all, EncoderReference encoder, Opening<T> opening)
      throws IOException {
    synchronized (all) {
      T ready = all.get(encoder.digest());
      if (ready == null) {
        ready = opened(encoder, opening);
        all.put(encoder.digest(), ready);
      }
      return ready;
    }
  }

  private <T> T opened(EncoderReference encoder, Opening<T> opening) throws IOException {
    String problem = "an executor cannot encode %ss: ".formatted(encoder.subject().word());
    try {
      String here = EncoderLibrary.runtime().identity();
      if (!here.equals(identity)) {
        throw new IOException(
            "it encodes by %s, where the driver does by %s, so that bits would differ"
                .formatted(here, identity));
      }
      return opening.of(network(encoder));
    } catch (IOException e) {
      throw new IOException(problem + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new IOException(problem + "it lacks a class of what does", e);
    }
  }

  private EncoderNetwork network(EncoderReference encoder) {
    Broadcast<EncoderNetwork> network = networks.get(encoder.digest());
    if (network == null) {
      throw new IllegalArgumentException("the encoder '" + encoder.name() + "' was not sent");
    }
    try {
      return network.value();
    } catch (Exception e) { // Spark declares none of its own
      throw new IllegalStateException("an encoder has not come", e); // and is asked again
    }
  }

  /** Is never closed: others use it, and later ones will. */
  private record SharedTexts(TextEncoder encoder) implements TextEncoder {
    @Override
    public int width() {
      return encoder.width();
    }

    @Override
    public String layer() {
      return encoder.layer();
    }

    @Override
    public void encode(String text, float[] out, int at) throws IOException {
      encoder.encode(text, out, at);
    }

    @Override
    public void close() {}
  }

  /** Likewise. */
  private record SharedPictures(PictureEncoder encoder) implements PictureEncoder {
    @Override
    public int width() {
      return encoder.width();
    }

    @Override
    public PictureNetwork.Ports ports() {
      return encoder.ports();
    }

    @Override
    public float[] encode(float[] values) throws IOException {
      return encoder.encode(values);
    }

    @Override
    public void close() {}
  }
}
