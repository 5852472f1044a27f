/** Rows in blocks, in secret orders, in memory or in a scratch file, and samples of them. */
@NullMarked
package io.mutune.trainer.layout;

import org.jspecify.annotations.NullMarked;
