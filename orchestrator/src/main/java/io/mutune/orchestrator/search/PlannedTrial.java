package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;

/**
 * One trial, fixed before any data is read.
 *
 * @param number 1-based, over all rounds
 * @param round 1-based
 * @param mu what its training may cost
 */
public record PlannedTrial(int number, int round, Epsilon epsilon, Mu mu, TrialPoint point) {}
