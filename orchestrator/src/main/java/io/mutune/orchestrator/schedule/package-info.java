/** Which trial runs when and where: studies are submitted here, and workers run their trials. */
@NullMarked
package io.mutune.orchestrator.schedule;

import org.jspecify.annotations.NullMarked;
