/** Questions about costs, without a study. */
@NullMarked
package io.mutune.orchestrator.cli.cost;

import org.jspecify.annotations.NullMarked;
