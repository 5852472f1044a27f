/** Float32 arithmetic on blocks of rows: logits, residuals and outer products. Knows no privacy. */
@NullMarked
package io.mutune.trainer.kernel;

import org.jspecify.annotations.NullMarked;
