/** Trainers that are processes of their own: how they are started, spoken to and ended. */
@NullMarked
package io.mutune.trainer.external;

import org.jspecify.annotations.NullMarked;
