package io.mutune.orchestrator.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * What users run, for the processes that tests start: without the libraries of tests, which would
 * stand in for one that is missing. The classes that a study uses are parsed and checked once for a
 * build: a process starts in two thirds of the processor's time.
 */
final class RuntimeClasses {
  private static final Path BUILD = Path.of("target").toAbsolutePath();

  private static List<String> options = List.of();

  private RuntimeClasses() {}

  /** The build tells of it; elsewhere it is that of the tests. */
  static String path() {
    String libraries = System.getProperty("mutune.runtime.libraries");
    return libraries == null
        ? System.getProperty("java.class.path")
        : BUILD.resolve("classes") + File.pathSeparator + libraries;
  }

  /** Those of the JVM that name the classes. */
  static synchronized List<String> options() {
    if (options.isEmpty()) {
      options =
          System.getProperty("mutune.runtime.libraries") == null
              ? List.of("-cp", path())
              : prepared();
    }
    return options;
  }

  /** One process of the build makes it, and others wait. */
  private static List<String> prepared() {
    try (FileChannel lock =
            FileChannel.open(
                BUILD.resolve("runtime-classes.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        var held = lock.lock()) {
      assert held.isValid();
      List<Path> entries = Stream.of(path().split(File.pathSeparator)).map(Path::of).toList();
      long newest = 0;
      for (Path entry : entries) {
        newest = Math.max(newest, newest(entry));
      }
      Path folder = BUILD.resolve("runtime-classes-" + newest);
      boolean fresh = !Files.exists(folder);
      Files.createDirectories(folder);
      List<String> jars = new ArrayList<>();
      for (Path entry : entries) {
        Path jar = Files.isDirectory(entry) ? folder.resolve(jars.size() + ".jar") : entry;
        if (fresh && Files.isDirectory(entry)) {
          pack(entry, jar);
        }
        jars.add(jar.toString());
      }
      List<String> found = List.of("-cp", String.join(File.pathSeparator, jars));
      Path archive = folder.resolve("classes.jsa");
      if (fresh) {
        dump(folder, archive, found);
      }
      List<String> all = new ArrayList<>(found);
      if (Files.exists(archive)) {
        all.add("-XX:SharedArchiveFile=" + archive);
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long newest(Path entry) throws IOException {
    try (Stream<Path> files = Files.walk(entry)) {
      return files.mapToLong(file -> file.toFile().lastModified()).max().orElse(0);
    }
  }

  private static void pack(Path classes, Path jar) {
    int status =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, "cf0", jar.toString(), "-C", classes.toString(), ".");
    if (status != 0) {
      throw new IllegalStateException("no jar of " + classes);
    }
  }

  /** A JVM that cannot share classes leaves no archive, and processes start as slowly as ever. */
  private static void dump(Path folder, Path archive, List<String> classes)
      throws IOException, InterruptedException {
    SmallSweep sweep = SmallSweep.in(folder);
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:ArchiveClassesAtExit=" + archive));
    words.addAll(classes);
    words.add(MutuneCommand.class.getName());
    words.addAll(List.of(sweep.command("run")));
    new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log.txt").toFile())
        .start()
        .waitFor();
  }
}
