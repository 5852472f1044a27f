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
 * @param covered from which entry on it tells of runs and releases too, which it does from the
 *     first unless an earlier version began it; empty if it does not
 * @param problem the first thing that does not fit, in one sentence
 */
public record LedgerFinding(
    String entries,
    String head,
    String original,
    Optional<Long> covered,
    Optional<String> problem) {
  /** Whether everything fits. */
  public boolean fits() {
    return problem.isEmpty();
  }

  /** The same with another problem, or none. */
  LedgerFinding with(Optional<String> other) {
    return new LedgerFinding(entries, head, original, covered, other);
  }

  /**
   * Where it ends, to be written into what is published.
   *
   * @throws StoreException if it is not what was written: nothing can be stated from it
   */
  public LedgerHead requireHead(String study) {
    if (problem.isPresent()) {
      throw StoreException.damaged(
          "study " + study + ": its ledger is not what was written: " + problem.get());
    }
    return new LedgerHead(Long.parseLong(entries), head);
  }
}
