/** Named, typed columns, and how the cells of a row become numbers by public rules alone. */
@NullMarked
package io.mutune.trainer.table;

import org.jspecify.annotations.NullMarked;
