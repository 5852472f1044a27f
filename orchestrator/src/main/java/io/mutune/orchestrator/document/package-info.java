/**
 * The documents that people and programs read, made from studies and from released values alone.
 */
@NullMarked
package io.mutune.orchestrator.document;

import org.jspecify.annotations.NullMarked;
