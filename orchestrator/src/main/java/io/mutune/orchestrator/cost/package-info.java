/** Questions about privacy costs that need no study: what is asked, its answer, and its JSON. */
@NullMarked
package io.mutune.orchestrator.cost;

import org.jspecify.annotations.NullMarked;
