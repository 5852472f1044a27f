package io.mutune.orchestrator.cli.command;

import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.trainer.file.OwnerOnly;
import io.mutune.trainer.file.WholeFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.io.function.IOConsumer;
import org.apache.commons.io.output.ProxyOutputStream;
import org.jspecify.annotations.Nullable;

/** A file that a command leaves, whole or not at all, in the place of one that is there. */
public final class OutputFile {
  /** The option that names it, where nothing else is said. */
  public static final String OPTION = "--output";

  private OutputFile() {}

  /**
   * Refuses to write over what a command reads.
   *
   * @param option which names the file
   * @param read files, and folders of rows, in which nothing may be left
   */
  public static void requireOther(String option, Path path, List<Path> read) throws IOException {
    if (isAmong(read, path)) {
      throw new UsageException(option + " " + path + ": is read here; name another file");
    }
  }

  /** Whether a file is one of some files, or in one of some folders. */
  public static boolean isAmong(List<Path> files, Path path) throws IOException {
    for (Path each : files) {
      if (Files.isDirectory(each) ? within(each, path) != null : isSame(path, each)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refuses to write over a model and whatever else its study has left.
   *
   * @param model a study's folder, or a model in it
   */
  public static void requireNoDocument(Path path, Path model) throws IOException {
    if (isSame(path, model) || isDocument(path, study(model))) {
      throw document(path);
    }
    requireNoDocument(path);
  }

  /** Refuses to write over what a finished study has left in the folder of a path. */
  public static void requireNoDocument(Path path) throws IOException {
    Path folder = WholeFile.end(path).getParent();
    Path study = folder == null ? null : study(folder.resolve(path.getFileName()));
    if (study != null
        && Files.isRegularFile(study.resolve(StatementDocument.FILE))
        && isDocument(path, study)) {
      throw document(path);
    }
  }

  private static boolean isDocument(Path path, @Nullable Path study) throws IOException {
    String name = study == null ? null : within(study, path);
    return name != null && ModelCard.isLeft(name);
  }

  private static UsageException document(Path path) {
    return new UsageException(
        OPTION + " " + path + ": is a document of the study; name another file");
  }

  /**
   * The folder of the study that a model is of.
   *
   * @param model that folder, or a model in it
   */
  public static @Nullable Path study(Path model) {
    Path folder = Files.isDirectory(model) ? model : model.toAbsolutePath().getParent();
    Path above = folder == null ? null : folder.toAbsolutePath().getParent();
    boolean isRelease = above != null && Files.isRegularFile(above.resolve(StatementDocument.FILE));
    return isRelease ? above : folder;
  }

  /** A file's name below a folder; null if it is not there. */
  private static @Nullable String within(Path folder, Path file) throws IOException {
    Path end = WholeFile.end(file);
    Path parent = end.getParent();
    if (parent == null || !Files.isDirectory(parent) || !Files.isDirectory(folder)) {
      return null;
    }
    Path real = parent.toRealPath().resolve(end.getFileName());
    Path root = folder.toRealPath();
    return real.startsWith(root) ? root.relativize(real).toString().replace('\\', '/') : null;
  }

  private static boolean isSame(@Nullable Path one, @Nullable Path other) throws IOException {
    return one != null
        && other != null
        && Files.exists(one)
        && Files.exists(other)
        && Files.isSameFile(one, other);
  }

  public static void write(Path path, IOConsumer<OutputStream> content) throws IOException {
    make(path, target -> fill(path, target, content));
  }

  /**
   * Leaves a document, and beside it, under its name, its page and its figures.
   *
   * @param figures writes them into a folder
   * @return the three paths
   */
  public static List<Path> writeWithPage(
      Path path, String json, Supplier<String> html, IOConsumer<Path> figures) throws IOException {
    List<Path> all = withPage(path);
    write(path, out -> out.write(json.getBytes(StandardCharsets.UTF_8)));
    write(all.get(1), out -> out.write(html.get().getBytes(StandardCharsets.UTF_8)));
    try {
      figures.accept(all.get(2));
    } catch (IOException e) {
      throw failed(path, e);
    }
    return all;
  }

  /** A document, its page and the folder of its figures. */
  public static List<Path> withPage(Path path) {
    String name = path.getFileName().toString().replaceAll("\\.json$", "");
    return List.of(
        path, path.resolveSibling(name + ".html"), path.resolveSibling(name + "-figures"));
  }

  /** The same of what is as private as the rows: a file for its owner alone. */
  public static void writePrivate(Path path, IOConsumer<OutputStream> content) throws IOException {
    makePrivate(path, target -> fill(path, target, content));
  }

  /** What the content is read from fails as what cannot be read. */
  private static void fill(Path path, Path target, IOConsumer<OutputStream> content)
      throws IOException {
    try (OutputStream out =
        new BufferedOutputStream(
            new ProxyOutputStream(Files.newOutputStream(target)) {
              @Override
              protected void handleIOException(IOException e) {
                throw failed(path, e);
              }
            })) {
      content.accept(out);
    }
  }

  /** Of a file, or what stands beside it, that cannot be written on, as on a full disk. */
  public static StoreException failed(Path path, IOException e) {
    return new StoreException("--output " + path + ": cannot be written: " + e.getMessage(), e);
  }

  /** The same of who writes to a path. Nothing of it is left by a process that is told to end. */
  public static void makePrivate(Path path, IOConsumer<Path> maker) throws IOException {
    make(
        path,
        target -> {
          if (!Files.exists(target)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(target), "output"));
            OwnerOnly.create(target).close();
          }
          maker.accept(target);
        });
  }

  /** Once the file is whole it has another name. */
  private static void delete(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // The process ends all the same.
    }
  }

  private static void make(Path path, IOConsumer<Path> maker) throws IOException {
    requirePlace(OPTION, path);
    WholeFile.make(path, maker);
  }

  /**
   * Makes the folder of a document, and refuses what is in the way of it, of its page or of its
   * figures, before long work.
   */
  public static void makePlaces(Path path) throws IOException {
    Path folder = path.toAbsolutePath().resolveSibling(".").normalize();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UsageException(OPTION + " " + path + ": the folder " + folder + " cannot be made");
    }
    List<Path> all = withPage(path);
    requirePlace(OPTION, path);
    requirePlace(OPTION, all.get(1));
    if (Files.exists(all.get(2)) && !Files.isDirectory(all.get(2))) {
      throw new UsageException(
          OPTION + " " + path + ": " + all.get(2) + " is a file, where the figures go");
    }
  }

  /** Refuses a path at which no file can be left, for who would find it out after long work. */
  public static void requirePlace(String option, Path path) throws IOException {
    Path end = WholeFile.end(path);
    Path folder = end.getParent();
    if (Files.isDirectory(path)) {
      throw new UsageException(option + " " + path + ": is a folder, not a file");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new UsageException(option + " " + path + ": there is no folder " + folder);
    }
    if (Stores.isPart(end)) {
      throw new UsageException(
          option
              + " "
              + path
              + ": is a file of SQLite, as a store is, or a witness; name another file");
    }
    if (WholeFile.isReplaced(end) && !Files.isWritable(folder)) {
      throw new UsageException(option + " " + path + ": the folder may not be written to");
    }
  }
}
