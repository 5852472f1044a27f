/** Comparisons, claims and attacks: studies that are run to learn about studies. */
@NullMarked
package io.mutune.orchestrator.cli.experiment;

import org.jspecify.annotations.NullMarked;
