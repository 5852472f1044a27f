/**
 * Queue, scheduler and workers: studies are submitted to the queue, and workers run their trials.
 */
@NullMarked
package io.mutune.orchestrator.schedule;

import org.jspecify.annotations.NullMarked;
