/** Released models written down for programs that do not know Mutune. */
@NullMarked
package io.mutune.trainer.export;

import org.jspecify.annotations.NullMarked;
