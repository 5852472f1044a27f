package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.RunState;
import java.util.OptionalDouble;

/**
 * What came of one trial.
 *
 * @param charge of its training
 * @param lostSteps how many of its steps a crash took; they stay charged
 */
public record TrialOutcome(
    PlannedTrial trial, Charge charge, RunState state, int lostSteps, OptionalDouble score) {}
