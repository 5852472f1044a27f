/** Private training methods: one class a method, named as its paper names it. */
@NullMarked
package io.mutune.trainer.method;

import org.jspecify.annotations.NullMarked;
