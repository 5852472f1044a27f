package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;

/**
 * One trial, fixed before any data is read.
 *
 * @param number 1-based, over all rounds
 * @param round 1-based
 * @param mu of its noise: of a Gaussian run over all rows whose steps sum to as much noise. Where
 *     training is Gaussian, what it may cost
 */
public record PlannedTrial(int number, int round, Epsilon epsilon, Mu mu, TrialPoint point) {}
