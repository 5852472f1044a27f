/** Strategies held against each other on rows that need no protection. */
@NullMarked
package io.mutune.orchestrator.compare;

import org.jspecify.annotations.NullMarked;
