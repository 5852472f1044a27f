/** Uses models that studies have released. */
@NullMarked
package io.mutune.orchestrator.cli.model;

import org.jspecify.annotations.NullMarked;
