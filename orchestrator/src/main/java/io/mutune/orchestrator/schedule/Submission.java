package io.mutune.orchestrator.schedule;

import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepHeading;
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
   * Reads the sweep from the text, and no other file: it names a registered data set, and no path.
   *
   * @throws io.mutune.orchestrator.sweep.InvalidSweepException with every problem
   */
  public SweepDefinition sweep() {
    return SweepReader.readSubmitted(file, text, context);
  }

  /** Returns the same with the card of the data set that it names, as a store has it. */
  Submission with(StudyStore store) {
    return SweepHeading.read(text, context)
        .dataSet()
        .flatMap(store::dataSet)
        .map(set -> new Submission(file, text, context.with(set.card())))
        .orElse(this);
  }
}
