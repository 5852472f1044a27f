/** The {@code mutune} command. */
@NullMarked
package io.mutune.orchestrator.cli;

import org.jspecify.annotations.NullMarked;
