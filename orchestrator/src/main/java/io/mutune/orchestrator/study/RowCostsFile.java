package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a study may write what each training row has cost: apart from everything that it releases,
 * as the file system sees it and not only by name, and over nothing that it reads.
 */
final class RowCostsFile {
  private RowCostsFile() {}

  /**
   * Looks at the place before anything is charged. The command line may have chosen another output
   * directory than the sweep.
   *
   * @param file absolute
   * @param output the study's own folder
   * @throws IOException if the file would lie among releases, by whatever links; would take the
   *     place of something that the study reads; or could not be written in the end
   */
  static void check(Path file, SweepDefinition sweep, Path output) throws IOException {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new IOException(file + ": its folder has to be there, and to be writable");
    }
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory");
    }
    Path releases = output.toAbsolutePath().normalize().getParent();
    if (releases != null && real(file).startsWith(real(releases))) {
      throw new IOException(
          file + ": holds private figures, so it must not be in the output directory");
    }
    for (Path read : inputs(sweep)) {
      if (Files.exists(file) && Files.exists(read) && Files.isSameFile(file, read)) {
        throw new IOException(file + ": is read by the study, and would be overwritten");
      }
    }
  }

  private static List<Path> inputs(SweepDefinition sweep) {
    List<Path> inputs = new ArrayList<>();
    for (DataSource source : sweep.sources()) {
      inputs.addAll(source.files());
    }
    if (sweep.train().method().start() instanceof StartRule.FromFile start) {
      inputs.add(start.file());
    }
    return inputs;
  }

  /** With the links of its folders followed, as far as these are there. */
  private static Path real(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null || Files.isDirectory(path)) {
      return path.toRealPath();
    }
    return real(parent).resolve(path.getFileName());
  }
}
