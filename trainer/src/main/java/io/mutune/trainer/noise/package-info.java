/** Where noise comes from; secure by default. */
@NullMarked
package io.mutune.trainer.noise;

import org.jspecify.annotations.NullMarked;
