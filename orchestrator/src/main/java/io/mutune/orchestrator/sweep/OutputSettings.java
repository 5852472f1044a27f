package io.mutune.orchestrator.sweep;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a study's files go.
 *
 * @param directory under which the study's own folder is written
 * @param perInstance the private file for what each training row has paid
 */
public record OutputSettings(Path directory, Optional<Path> perInstance) {}
