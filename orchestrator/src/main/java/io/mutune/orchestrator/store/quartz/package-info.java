/** The tables in which Quartz notes who runs what, beside the store's own and less than them. */
@NullMarked
package io.mutune.orchestrator.store.quartz;

import org.jspecify.annotations.NullMarked;
