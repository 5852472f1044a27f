/**
 * Private training methods: one class a method, named as its paper names it, behind {@link
 * io.mutune.trainer.method.TrainingMethod}. {@code NoisyGd} from zero is AdaMix's <i>fully
 * private</i>; {@code PublicTraining}, which takes public rows alone, is its <i>only public</i> on
 * few of them and its <i>not private</i> on all of a data set that is declared public.
 *
 * <p>A method that asks for a gradient a step is a question, which is all that reads private rows,
 * and an update rule, which reads none; {@code Descent} puts them together and {@code StepLoop}
 * keeps the journal.
 */
@NullMarked
package io.mutune.trainer.method;

import org.jspecify.annotations.NullMarked;
