/** The quantities of differential privacy, each a type of its own so that two cannot be swapped. */
@NullMarked
package io.mutune.accountant;

import org.jspecify.annotations.NullMarked;
