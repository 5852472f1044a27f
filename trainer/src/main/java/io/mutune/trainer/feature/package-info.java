/** Feature maps that need no private data. */
@NullMarked
package io.mutune.trainer.feature;

import org.jspecify.annotations.NullMarked;
