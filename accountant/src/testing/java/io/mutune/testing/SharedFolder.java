package io.mutune.testing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder {@code ../shared} beside the project, with reference tables and data sets. Where it is
 * missing, a test that asks for it is skipped with a reason, and fails in CI.
 */
public final class SharedFolder {
  private SharedFolder() {}

  public static Path file(String relative) {
    Path root = Path.of(System.getProperty("mutune.root", ".")).toAbsolutePath();
    Path file = root.resolveSibling("shared").resolve(relative);
    if (!Files.exists(file)) {
      String reason = "../shared/" + relative + " is not here";
      if ("true".equals(System.getenv("CI"))) {
        fail(reason);
      }
      abort(reason);
    }
    return file;
  }
}
