package io.mutune.orchestrator.document;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.format.DataSpec;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * By what studies of the same data know each other: a digest of where the private and the test rows
 * are and how they are labelled, all of it from the sweep. No file is read.
 */
public final class DataSetIdentity {
  private static final int DIGITS = 16;

  private DataSetIdentity() {}

  public static String of(SweepDefinition sweep) {
    StringBuilder text = new StringBuilder();
    append(text, sweep.data().training());
    sweep.data().test().ifPresent(test -> append(text, test));
    return DigestUtils.sha256Hex(text.toString()).substring(0, DIGITS);
  }

  private static void append(StringBuilder text, DataSource source) {
    DataSpec spec = source.spec();
    source.files().forEach(file -> text.append(file.toAbsolutePath().normalize()).append('\n'));
    text.append(spec.range()).append('\n');
    text.append(spec.labelling()).append('\n');
    text.append(spec.csv().label().text()).append('\n');
  }
}
