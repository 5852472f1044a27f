/** Reads a sweep's YAML into its definition, or reports every mistake with its line. */
@NullMarked
package io.mutune.orchestrator.sweep.yaml;

import org.jspecify.annotations.NullMarked;
