package io.mutune.orchestrator.reproduce;

import io.mutune.orchestrator.plan.ModelCost;
import io.mutune.orchestrator.study.ReleasedModel;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.score.TestMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is kept of one study.
 *
 * @param epsilon that it cost in all, at the budget's δ; infinite if it protects no row
 * @param finalEpsilon that of its final run alone
 * @param releases the models beside the final one
 */
record ClaimRepeat(
    double figure, double epsilon, double finalEpsilon, double seconds, List<Release> releases) {
  ClaimRepeat {
    releases = List.copyOf(releases);
  }

  /**
   * A model beside the final one.
   *
   * @param epsilon with the tuning
   * @param finalEpsilon of its own run
   */
  record Release(double figure, double epsilon, double finalEpsilon) {}

  /**
   * @param figure of any model of the study
   */
  static ClaimRepeat of(StudyResult result, FigureOf figure, double seconds) throws IOException {
    TrainingMethod method = result.study().sweep().train().method();
    if (!method.isCharged() && !method.needs(Need.PUBLIC_ROWS)) {
      double none = Double.POSITIVE_INFINITY;
      double reached = figure.of(result.model(), result.test());
      return new ClaimRepeat(reached, none, none, seconds, List.of());
    }
    double total = result.statement().epsilon().value();
    double last = result.study().plan().target().epsilon().value();
    List<Release> releases = new ArrayList<>();
    for (ReleasedModel released : result.releases()) {
      double epsilon =
          ModelCost.of(result.study().plan()).stream()
              .filter(cost -> cost.model().equals(released.planned().name()))
              .findFirst()
              .orElseThrow()
              .epsilon()
              .value();
      releases.add(
          new Release(
              figure.of(released.model(), released.test()),
              epsilon,
              released.planned().epsilon().value()));
    }
    return new ClaimRepeat(
        figure.of(result.model(), result.test()),
        total,
        result.finalCharge().isPresent() ? Math.min(total, last) : 0,
        seconds,
        releases);
  }

  /** A figure of one of a study's models. */
  interface FigureOf {
    /**
     * That of a model.
     *
     * @param test every figure on the public test rows
     */
    double of(TrainedModel model, Optional<TestMetrics> test) throws IOException;
  }

  /**
   * The same of the model beside the final one that has so much alone.
   *
   * @throws ClaimsException if there is none
   */
  ClaimRepeat release(double epsilon) {
    Release one =
        releases.stream()
            .filter(release -> release.finalEpsilon() == epsilon)
            .findFirst()
            .orElseThrow(() -> new ClaimsException("no study releases a model at " + epsilon));
    return new ClaimRepeat(one.figure(), one.epsilon(), one.finalEpsilon(), seconds, List.of());
  }
}
