package io.mutune.trainer.spark;

import io.mutune.trainer.data.RowFiles;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextEncoders;
import io.mutune.trainer.network.TextNetwork;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.broadcast.Broadcast;

/**
 * Encoders of texts whose files are broadcast, so that executors need none of their own. An
 * executor makes each ready once and keeps it until it ends.
 *
 * @param networks by the digests of the encoders
 * @param identity what numbers may depend on beside the encoder, on the driver: where they are
 *     other ones, the bits of a row would follow from which executor reads it
 */
record SentEncoders(HashMap<String, Broadcast<TextNetwork>> networks, String identity)
    implements TextEncoders, Serializable {
  /**
   * Those of this process, by their digests: tasks come and go, and have nothing else in common.
   */
  private static final Map<String, TextEncoder> READY = new HashMap<>();

  @Override
  public TextEncoder openTexts(EncoderReference encoder) throws IOException {
    synchronized (READY) {
      TextEncoder ready = READY.get(encoder.digest());
      if (ready == null) {
        ready = ready(encoder);
        READY.put(encoder.digest(), ready);
      }
      return new Shared(ready);
    }
  }

  /** Why this process cannot encode, each in one line; none if it can. */
  List<String> problems(RowFiles files) {
    List<String> problems = new ArrayList<>();
    for (EncoderReference encoder : files.encoders()) {
      try {
        openTexts(encoder).close();
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return problems;
  }

  private TextEncoder ready(EncoderReference encoder) throws IOException {
    try {
      String here = EncoderLibrary.runtime().identity();
      if (!here.equals(identity)) {
        throw new IOException(
            "it encodes by %s, where the driver does by %s, so that bits would differ"
                .formatted(here, identity));
      }
      return network(encoder).open(encoder);
    } catch (IOException e) {
      throw new IOException("an executor cannot encode texts: " + e.getMessage(), e);
    } catch (LinkageError e) {
      throw new IOException("an executor cannot encode texts: it lacks a class of what does", e);
    }
  }

  private TextNetwork network(EncoderReference encoder) {
    Broadcast<TextNetwork> network = networks.get(encoder.digest());
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
  private record Shared(TextEncoder encoder) implements TextEncoder {
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
}
