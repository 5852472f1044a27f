package io.mutune.orchestrator.report;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.DataSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * By what studies of the same data know each other: a digest of where the private and the test rows
 * are and how they are labelled, all of it from the sweep. No file is read.
 */
final class DataSetIdentity {
  private static final int BYTES = 8;

  private DataSetIdentity() {}

  static String of(SweepDefinition sweep) {
    StringBuilder text = new StringBuilder();
    append(text, sweep.training());
    sweep.test().ifPresent(test -> append(text, test));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void append(StringBuilder text, DataSource source) {
    DataSpec spec = source.spec();
    source.files().forEach(file -> text.append(file.toAbsolutePath().normalize()).append('\n'));
    text.append(spec.range()).append('\n');
    text.append(spec.labelling()).append('\n');
    text.append(spec.csv().label().text()).append('\n');
  }
}
