/** Quartz's tables in the database of a store. They may be lost: the store's own tables decide. */
@NullMarked
package io.mutune.orchestrator.store.quartz;

import org.jspecify.annotations.NullMarked;
