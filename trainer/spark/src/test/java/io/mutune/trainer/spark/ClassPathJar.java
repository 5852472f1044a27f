package io.mutune.trainer.spark;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * This process's class path, as a jar that has nothing but its names: ONNX Runtime refuses to be
 * used by a process whose command is long.
 */
final class ClassPathJar {
  private ClassPathJar() {}

  /** All of it. */
  static String in(Path folder) throws IOException {
    return in(folder, place -> true);
  }

  /** Some of it. */
  static String in(Path folder, Predicate<String> some) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(some)
                .map(place -> Path.of(place).toUri().toString())
                .collect(Collectors.joining(" ")));
    Path jar = Files.createTempFile(folder, "classpath", ".jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar.toString();
  }
}
