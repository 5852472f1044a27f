/** Reading, checking and holding data sets; private and public rows are different types. */
@NullMarked
package io.mutune.trainer.data;

import org.jspecify.annotations.NullMarked;
