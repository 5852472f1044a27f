package io.mutune.orchestrator.search;

import java.util.List;
import java.util.Optional;

/** The point of the final run, and why. */
public record Decision(TrialPoint point, Optional<Fit> fit, List<Guard> guards) {}
