package io.mutune.trainer.encoder;

import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.KnownEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** The encoder whose files are among the tests' own. */
final class TestEncoder {
  static final KnownEncoder KNOWN = KnownEncoder.named("e5-small-v2").orElseThrow();

  private TestEncoder() {}

  /** Puts it into a library, whose digests are asked for. */
  static void addTo(EncoderLibrary library, Path scratch) throws IOException {
    library.add(
        KNOWN.entry(),
        file(KNOWN.modelFile(), scratch),
        Optional.of(file(KNOWN.tokenizerFile(), scratch)));
  }

  static Path file(String name, Path scratch) throws IOException {
    Path file = scratch.resolve(name);
    if (!Files.exists(file)) {
      try (InputStream in = TestEncoder.class.getResourceAsStream("/" + name)) {
        Files.copy(Objects.requireNonNull(in, name), file);
      }
    }
    return file;
  }
}
