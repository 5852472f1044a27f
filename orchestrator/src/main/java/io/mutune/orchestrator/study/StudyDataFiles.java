package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks whether a sweep's files are there, from their metadata, before anything is charged. */
public final class StudyDataFiles {
  private StudyDataFiles() {}

  /**
   * Reads no byte of any file.
   *
   * @throws IOException naming the first file that is missing or may not be read
   */
  public static void checkReadable(SweepDefinition sweep) throws IOException {
    List<DataSource> sources =
        Stream.of(Optional.of(sweep.training()), sweep.validation(), sweep.test())
            .flatMap(Optional::stream)
            .toList();
    for (DataSource source : sources) {
      source.spec().checkReadable();
    }
  }
}
