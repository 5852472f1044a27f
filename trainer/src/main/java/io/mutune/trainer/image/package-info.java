/** Files of pictures into pixels, each by itself. Knows no label and no folder. */
@NullMarked
package io.mutune.trainer.image;

import org.jspecify.annotations.NullMarked;
