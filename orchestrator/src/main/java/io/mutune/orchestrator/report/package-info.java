/**
 * Pages and files of a study, of comparisons, claims and attacks, with their charts: made from
 * documents.
 */
@NullMarked
package io.mutune.orchestrator.report;

import org.jspecify.annotations.NullMarked;
