/** The {@code mutune} command: starts the program, names its commands, reports its errors. */
@NullMarked
package io.mutune.orchestrator.cli;

import org.jspecify.annotations.NullMarked;
