package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.search.Decision;
import io.mutune.trainer.model.LinearModel;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A finished study: public inputs and released values only.
 *
 * @param finalCharge of the final run
 * @param finalLostSteps how many steps of the final run a crash took; they stay charged
 * @param testAccuracy noisy if the test rows are private; empty if there are none
 * @param seconds over all starts; NaN where that would tell what random stopping keeps secret
 */
public record StudyResult(
    Study study,
    List<TrialOutcome> trials,
    Decision decision,
    Charge finalCharge,
    int finalLostSteps,
    LinearModel model,
    OptionalDouble testAccuracy,
    PrivacyStatement statement,
    double seconds) {}
