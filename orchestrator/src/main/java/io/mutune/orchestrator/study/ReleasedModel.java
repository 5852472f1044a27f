package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.search.Decision;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.score.TestMetrics;
import java.util.Optional;

/**
 * A model that a study trained beside its final one.
 *
 * @param decision of the same search, for what this one may spend
 * @param lostSteps how many of its steps a crash took; they stay charged
 * @param test every figure on the test rows, where these are public
 */
public record ReleasedModel(
    PlannedRelease planned,
    Decision decision,
    Charge charge,
    int lostSteps,
    TrainedModel model,
    Optional<TestMetrics> test) {}
