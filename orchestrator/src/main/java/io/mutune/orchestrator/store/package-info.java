/** Where studies, charges and checkpoints are kept: SQLite. */
@NullMarked
package io.mutune.orchestrator.store;

import org.jspecify.annotations.NullMarked;
