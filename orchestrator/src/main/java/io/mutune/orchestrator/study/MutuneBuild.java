package io.mutune.orchestrator.study;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/**
 * Which Mutune this is.
 *
 * @param commit that it was built from, where the build was told
 */
public record MutuneBuild(String version, Optional<String> commit) {
  private static final String RESOURCE = "build.properties";

  /** The one that runs. */
  public static MutuneBuild here() {
    Properties build = new Properties();
    try (InputStream in = MutuneBuild.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the build");
      }
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new MutuneBuild(
        build.getProperty("version"),
        Optional.ofNullable(build.getProperty("commit")).filter(text -> !text.isBlank()));
  }
}
