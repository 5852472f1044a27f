/**
 * Methods that ask for a noisy answer a step: a question, which is all that reads private rows, and
 * an update rule, which reads none; {@code Descent} puts them together.
 */
@NullMarked
package io.mutune.trainer.method.descent;

import org.jspecify.annotations.NullMarked;
