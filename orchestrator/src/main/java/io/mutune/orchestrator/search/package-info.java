/** Search strategies: one class each, deciding from released values alone. */
@NullMarked
package io.mutune.orchestrator.search;

import org.jspecify.annotations.NullMarked;
