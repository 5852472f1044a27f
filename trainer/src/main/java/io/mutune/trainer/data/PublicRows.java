package io.mutune.trainer.data;

/** Rows that the sweep's author declares public: whatever is computed from them may be shown. */
public record PublicRows(RowBlocks blocks) {}
