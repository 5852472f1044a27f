package io.mutune.orchestrator.store;

import io.mutune.orchestrator.sweep.CardText;
import java.time.Instant;

/**
 * A registered data set as the store has it.
 *
 * @param card the newest version
 * @param seals of its files when that was registered, as one text; nothing to those without the key
 * @param at when that was
 * @param retired whether its owner takes no new studies of it
 */
public record DataSetRecord(CardText card, String seals, Instant at, boolean retired) {
  /** Returns its name, which is public. */
  public String name() {
    return card.name();
  }
}
