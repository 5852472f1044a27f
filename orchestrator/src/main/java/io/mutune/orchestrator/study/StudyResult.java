package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.search.Decision;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.score.TestMetrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A finished study: public inputs and released values only.
 *
 * @param finalCharge of the final run; empty if it asked no row that needs protection
 * @param finalLostSteps how many steps of the final run a crash took; they stay charged
 * @param testAccuracy noisy if the test rows are private; empty if there are none
 * @param test every figure on the test rows, where these are public
 * @param curve of the final run's iterates on public test rows
 * @param releases the models beside the final one
 * @param seconds over all starts; NaN where that would tell what random stopping keeps secret
 * @param features all maps that a row goes through, a released mean among them
 * @param provenance by what it can be checked later; empty in what is compared with other studies
 */
public record StudyResult(
    Study study,
    List<TrialOutcome> trials,
    Decision decision,
    Optional<Charge> finalCharge,
    int finalLostSteps,
    TrainedModel model,
    OptionalDouble testAccuracy,
    Optional<TestMetrics> test,
    Optional<LearningCurve> curve,
    List<ReleasedModel> releases,
    PrivacyStatement statement,
    double seconds,
    FeaturePipeline features,
    Optional<Provenance> provenance) {
  /** A copy without what differs between two studies of one sweep: seconds and provenance. */
  public StudyResult withoutTimes() {
    return new StudyResult(
        study,
        trials,
        decision,
        finalCharge,
        finalLostSteps,
        model,
        testAccuracy,
        test,
        curve,
        releases,
        statement,
        Double.NaN,
        features,
        Optional.empty());
  }
}
