package io.mutune.orchestrator.cli.encoder;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.commons.io.file.PathUtils;

/**
 * A jar that Maven brings, from its repository or its own folder: as the build's parts come, with
 * the same settings and mirrors.
 */
record MavenArtifact(Path folder, Path jar) implements Closeable {
  private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

  /**
   * Fetches one.
   *
   * @param coordinates group, artifact and version
   * @throws IOException if there is no Maven here, or it cannot find the artifact
   */
  static MavenArtifact fetch(String coordinates) throws IOException {
    return fetch(coordinates, "mvn");
  }

  /**
   * The same by another program, which is given what Maven is given.
   *
   * @param maven its path, or its name on the PATH
   */
  static MavenArtifact fetch(String coordinates, String maven) throws IOException {
    Path folder = Files.createTempDirectory("mutune-artifact");
    try {
      run(
          folder,
          List.of(
              maven, "-B", "-q", COPY, "-Dartifact=" + coordinates, "-DoutputDirectory=" + folder));
      try (Stream<Path> files = Files.list(folder)) {
        return new MavenArtifact(
            folder,
            files
                .filter(file -> file.toString().endsWith(".jar"))
                .findFirst()
                .orElseThrow(() -> new IOException("Maven did not bring " + coordinates)));
      }
    } catch (IOException e) {
      PathUtils.deleteDirectory(folder);
      throw e;
    }
  }

  private static void run(Path folder, List<String> command) throws IOException {
    Process process;
    try {
      process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException("Maven (mvn) brings encoders, and is not here: install it", e);
    }
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    try {
      if (process.waitFor() != 0) {
        throw new IOException("Maven could not bring it (is there a network?): " + firstLine(said));
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while Maven was at work", e);
    }
  }

  private static String firstLine(String said) {
    return said.lines().filter(line -> line.startsWith("[ERROR]")).findFirst().orElse(said.strip());
  }

  /** A file of the jar, for as long as this is open. */
  Path file(String name) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry entry = zip.getEntry(name);
      if (entry == null) {
        throw new IOException(jar.getFileName() + " has no " + name);
      }
      Path file = folder.resolve(Path.of(name).getFileName());
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, file);
      }
      return file;
    }
  }

  @Override
  public void close() throws IOException {
    PathUtils.deleteDirectory(folder);
  }
}
