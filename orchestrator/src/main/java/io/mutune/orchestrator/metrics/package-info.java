/** Metrics by Micrometer, of public inputs, plans and released values only. */
@NullMarked
package io.mutune.orchestrator.metrics;

import org.jspecify.annotations.NullMarked;
