package io.mutune.orchestrator.store;

import java.util.Optional;

/**
 * A vector that a study releases beside its models.
 *
 * @param what the name of its charge
 * @param values empty while no answer is stored, though the question may have been asked
 */
public record StoredRelease(String what, Optional<double[]> values) {}
