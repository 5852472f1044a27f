/** Reads sweeps and stored studies, and runs nothing. */
@NullMarked
package io.mutune.orchestrator.cli.study;

import org.jspecify.annotations.NullMarked;
