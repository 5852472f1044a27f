/**
 * How files are read: one class for each form, which hands each row to a sink. Only {@code
 * trainer.data} and {@code trainer.check} read with them.
 */
@NullMarked
package io.mutune.trainer.format;

import org.jspecify.annotations.NullMarked;
