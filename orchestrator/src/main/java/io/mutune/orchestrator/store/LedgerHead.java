package io.mutune.orchestrator.store;

/**
 * The last entry of a ledger at some moment. A ledger only grows, so the entry of this number must
 * keep this hash.
 *
 * @param entries their number
 * @param hash of the last entry
 */
public record LedgerHead(long entries, String hash) {}
