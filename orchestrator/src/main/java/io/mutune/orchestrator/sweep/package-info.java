/** A sweep's YAML, its checks, and the plan that follows from it before any data is read. */
@NullMarked
package io.mutune.orchestrator.sweep;

import org.jspecify.annotations.NullMarked;
