/** What a sweep is: its data, search, method, budget and output, checked and immutable. */
@NullMarked
package io.mutune.orchestrator.sweep;

import org.jspecify.annotations.NullMarked;
