/** Starts a study, shows how it goes on, and steers it. */
@NullMarked
package io.mutune.orchestrator.cli.run;

import org.jspecify.annotations.NullMarked;
