/** A study's life, from plan to statement. */
@NullMarked
package io.mutune.orchestrator.study;

import org.jspecify.annotations.NullMarked;
