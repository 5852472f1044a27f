/** The sweep, the store and the study that options name. */
@NullMarked
package io.mutune.orchestrator.cli.input;

import org.jspecify.annotations.NullMarked;
