package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.StartRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Looks at a sweep's files by their metadata before anything is charged; reads no byte of them. */
public final class StudyDataFiles {
  private StudyDataFiles() {}

  /**
   * Whether a study may run on these files.
   *
   * @throws IOException if one is missing or may not be read, or if rows that the sweep calls
   *     public are protected ones under another name, by a link: they would be read without a
   *     charge
   */
  public static void check(SweepDefinition sweep) throws IOException {
    List<DataSource> sources = sweep.sources();
    for (DataSource source : sources) {
      source.spec().checkReadable();
    }
    if (sweep.train().method().start() instanceof StartRule.FromFile start) {
      checkStart(start.file(), sources);
    }
    for (DataSource open : sources) {
      for (DataSource guarded : sources) {
        if (!open.isPrivate() && guarded.isPrivate() && open.overlaps(guarded)) {
          refuseSameFile(open, guarded);
        }
      }
    }
  }

  /**
   * The same before a study is made, and that no protected row decides how wide the model is.
   *
   * @throws IOException as {@link #check}, or if the width of protected rows is stated nowhere
   */
  public static void checkNew(SweepDefinition sweep) throws IOException {
    check(sweep);
    for (DataSource source : sweep.sources()) {
      boolean open = sweep.declared().isOpen() && source.equals(sweep.training());
      if (source.isPrivate() && !open && !source.spec().columnsAreStated()) {
        throw new IOException(
            source.spec().file()
                + ": state 'features', or have a header: else the first row would tell how many"
                + " columns the released model has");
      }
    }
  }

  private static void checkStart(Path start, List<DataSource> sources) throws IOException {
    if (!Files.isReadable(start) || !Files.isRegularFile(start)) {
      throw new IOException(start + ": train.start is no file that can be read");
    }
    for (DataSource guarded : sources) {
      if (guarded.isPrivate()) {
        refuseSameFile(List.of(start), guarded);
      }
    }
  }

  private static void refuseSameFile(DataSource open, DataSource guarded) throws IOException {
    refuseSameFile(open.files(), guarded);
  }

  private static void refuseSameFile(List<Path> open, DataSource guarded) throws IOException {
    for (Path file : open) {
      for (Path other : guarded.files()) {
        if (Files.isSameFile(file, other)) {
          throw new IOException(
              file
                  + ": is the same file as "
                  + other
                  + ", whose rows are protected; public rows must be others");
        }
      }
    }
  }
}
