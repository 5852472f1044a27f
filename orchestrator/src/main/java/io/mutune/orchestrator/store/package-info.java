/** Where studies, charges and checkpoints are kept: SQLite, or PostgreSQL for several machines. */
@NullMarked
package io.mutune.orchestrator.store;

import org.jspecify.annotations.NullMarked;
