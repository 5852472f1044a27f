/** Public settings: their keys, their ranges and how they are read. */
@NullMarked
package io.mutune.trainer.setting;

import org.jspecify.annotations.NullMarked;
