package io.mutune.orchestrator.store;

/**
 * Where a ledger stood at some moment. It only grows, so that its entry of this number must have
 * this hash for ever.
 *
 * @param entries how many there were
 * @param hash of the last
 */
public record LedgerHead(long entries, String hash) {}
