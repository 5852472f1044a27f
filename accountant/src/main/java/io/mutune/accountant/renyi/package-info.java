/** Rényi divergences, concentrated DP, private selection, and the older rules of composition. */
@NullMarked
package io.mutune.accountant.renyi;

import org.jspecify.annotations.NullMarked;
