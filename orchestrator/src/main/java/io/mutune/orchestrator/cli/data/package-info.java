/** Data sets and their accounts. */
@NullMarked
package io.mutune.orchestrator.cli.data;

import org.jspecify.annotations.NullMarked;
