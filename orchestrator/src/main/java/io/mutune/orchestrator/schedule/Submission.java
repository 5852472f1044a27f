package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;

/**
 * A sweep to be run.
 *
 * @param file its name in messages
 * @param text the YAML
 * @param context by which its paths are resolved
 */
public record Submission(String file, String text, SweepContext context) {
  /**
   * Reads the sweep from the text, and no other file.
   *
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException with every problem
   */
  public SweepDefinition sweep() {
    return SweepReader.read(file, text, context);
  }
}
