/** Published documents compared with the ledger, and their totals computed again. */
@NullMarked
package io.mutune.orchestrator.verify;

import org.jspecify.annotations.NullMarked;
