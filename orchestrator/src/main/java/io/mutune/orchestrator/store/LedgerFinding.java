package io.mutune.orchestrator.store;

import java.util.Optional;

/**
 * What a ledger's chain of hashes says.
 *
 * @param entries that it should have
 * @param head the hash of the last of them, which stands for all; who noted it down earlier can
 *     tell whether the ledger has only grown since
 * @param original the first entry that was chained when it was made; those before it were chained
 *     when their store was upgraded
 * @param problem the first thing that does not fit, in one sentence
 */
public record LedgerFinding(
    String entries, String head, String original, Optional<String> problem) {
  /** Whether everything fits. */
  public boolean fits() {
    return problem.isEmpty();
  }
}
