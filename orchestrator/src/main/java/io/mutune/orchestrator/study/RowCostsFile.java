package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.NamedFile;
import io.mutune.orchestrator.sweep.RealPath;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Where a study may write what each training row has cost: apart from everything that it releases,
 * as the file system sees it and not only by name, and over nothing that it reads.
 */
final class RowCostsFile {
  private static final Set<NamedFile.Use> READ =
      EnumSet.of(NamedFile.Use.CHARGED, NamedFile.Use.OPEN);

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
    if (Files.isSymbolicLink(file)) {
      throw new IOException(file + ": is a link, which would be replaced");
    }
    Path releases = output.toAbsolutePath().normalize().getParent();
    Path place = real(folder).resolve(file.getFileName());
    if (releases != null && place.startsWith(real(releases))) {
      throw new IOException(
          file + ": holds private figures, so it must not be in the output directory");
    }
    for (Path read : inputs(sweep)) {
      if (Files.exists(file) && Files.exists(read) && Files.isSameFile(file, read)) {
        throw new IOException(file + ": is read by the study, and would be overwritten");
      }
    }
  }

  private static Path real(Path path) throws IOException {
    return RealPath.of(path)
        .orElseThrow(() -> new IOException(path + ": leads to nothing that is there"));
  }

  private static List<Path> inputs(SweepDefinition sweep) {
    return sweep.files().stream()
        .filter(file -> READ.contains(file.use()))
        .map(NamedFile::path)
        .toList();
  }
}
