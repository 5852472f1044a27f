package io.mutune.orchestrator.store;

import java.util.Optional;

/**
 * A vector that a study releases beside its models.
 *
 * @param what of the charge that it is released against
 * @param values empty while its question may have been asked and no answer was kept
 */
public record StoredRelease(String what, Optional<double[]> values) {}
