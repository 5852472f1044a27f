/**
 * How files are read: one class for each form, which hands each row to a sink. What reads private
 * rows with them is {@code trainer.data} alone.
 */
@NullMarked
package io.mutune.trainer.format;

import org.jspecify.annotations.NullMarked;
