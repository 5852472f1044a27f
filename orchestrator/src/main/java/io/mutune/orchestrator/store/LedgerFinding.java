package io.mutune.orchestrator.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of verifying a ledger's chain of hashes.
 *
 * @param entries that the ledger should have, as the store says it
 * @param head the hash of the last entry, which covers all; compared with an earlier copy of it, it
 *     shows whether the ledger has only grown
 * @param original the first entry that was chained when it was made; earlier ones were chained when
 *     their store was upgraded
 * @param covered the first entry from which runs and releases are covered too: 1, unless an earlier
 *     version began the study; empty if they are not
 * @param problem the first one found, in one sentence
 */
public record LedgerFinding(
    String entries,
    String head,
    String original,
    Optional<Long> covered,
    Optional<String> problem) {
  /** Returns whether no problem was found. */
  public boolean fits() {
    return problem.isEmpty();
  }

  /** Returns how many entries it should have; empty where what the store says is no number. */
  public OptionalLong count() {
    return entries.matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(entries))
        : OptionalLong.empty();
  }

  /** Returns the same finding with another problem, or none. */
  LedgerFinding with(Optional<String> other) {
    return new LedgerFinding(entries, head, original, covered, other);
  }

  /**
   * Returns where it ends, for what is published.
   *
   * @throws StoreException if there is a problem: no statement can be made from such a ledger
   */
  public LedgerHead requireHead(String study) {
    return require("study " + study);
  }

  LedgerHead require(String name) {
    if (problem.isPresent()) {
      throw StoreException.damaged(name + ": its ledger is not what was written: " + problem.get());
    }
    return new LedgerHead(Long.parseLong(entries), head);
  }
}
