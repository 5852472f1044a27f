package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.study.StudyResult;

/**
 * What is kept of one study.
 *
 * @param epsilon that it cost in all, at the budget's δ
 * @param finalEpsilon that of its final run alone
 */
record ClaimRepeat(double figure, double epsilon, double finalEpsilon, double seconds) {
  static ClaimRepeat of(StudyResult result, Figure figure, double seconds) {
    double total = result.statement().epsilon().value();
    double last = result.study().plan().target().epsilon().value();
    return new ClaimRepeat(
        figure.of(result),
        total,
        result.finalCharge().isPresent() ? Math.min(total, last) : 0,
        seconds);
  }
}
