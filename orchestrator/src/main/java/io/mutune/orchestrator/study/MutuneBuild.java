package io.mutune.orchestrator.study;

import io.mutune.trainer.file.Resource;
import java.io.IOException;
import java.io.StringReader;
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
    try {
      build.load(new StringReader(Resource.text(MutuneBuild.class, RESOURCE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new MutuneBuild(
        build.getProperty("version"),
        Optional.ofNullable(build.getProperty("commit")).filter(text -> !text.isBlank()));
  }
}
