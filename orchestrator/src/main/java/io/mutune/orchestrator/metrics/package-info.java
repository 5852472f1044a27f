/**
 * What Mutune measures of itself, by Micrometer: public inputs, plans and released values alone.
 */
@NullMarked
package io.mutune.orchestrator.metrics;

import org.jspecify.annotations.NullMarked;
