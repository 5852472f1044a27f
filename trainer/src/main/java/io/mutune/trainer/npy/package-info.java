/** NumPy's array files. */
@NullMarked
package io.mutune.trainer.npy;

import org.jspecify.annotations.NullMarked;
