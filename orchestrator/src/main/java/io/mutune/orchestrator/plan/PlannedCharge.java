package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.Optional;

/**
 * What one question of a study will cost.
 *
 * @param what the name that the ledger will use
 * @param mu at most this; the charge itself is at or below it; empty for what has none
 * @param epsilon of this charge alone at the study's δ, rounded up
 */
public record PlannedCharge(String what, Optional<Mu> mu, Epsilon epsilon) {}
