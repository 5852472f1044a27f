package io.mutune.trainer.gradient;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.environment.Nd4jEnvironment;
import org.nd4j.linalg.factory.Nd4j;

/** What sums by ND4J depend on, as ND4J says it. */
final class Nd4jCircumstances {
  /** Its manifest has no version. */
  private static final String BUILD = "/META-INF/maven/org.nd4j/nd4j-api/pom.properties";

  private Nd4jCircumstances() {}

  /** In this process; loads ND4J. */
  static Map<String, String> here() {
    Map<String, String> found = new LinkedHashMap<>();
    found.put("nd4j", version());
    Properties environment = Nd4j.getExecutioner().getEnvironmentInformation();
    put(found, "backend", environment.get(Nd4jEnvironment.BACKEND_KEY));
    put(found, "blas", environment.get(Nd4jEnvironment.BLAS_VENDOR_KEY));
    put(found, "blasThreads", environment.get(Nd4jEnvironment.BLAS_THREADS_KEY));
    put(found, "threads", environment.get(Nd4jEnvironment.OMP_THREADS_KEY));
    return found;
  }

  private static String version() {
    Properties build = new Properties();
    try (InputStream in = Nd4j.class.getResourceAsStream(BUILD)) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      // It is told as unknown.
    }
    return build.getProperty("version", "unknown");
  }

  private static void put(Map<String, String> found, String name, @Nullable Object value) {
    if (value != null) {
      found.put(name, value.toString());
    }
  }
}
