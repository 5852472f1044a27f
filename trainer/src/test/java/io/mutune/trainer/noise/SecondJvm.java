package io.mutune.trainer.noise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class in a process of its own, on the class path of the test. */
public final class SecondJvm {
  private SecondJvm() {}

  /** The lines that {@code main} printed, standard error among them. */
  public static List<String> run(List<String> options, Class<?> main)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(main.getSimpleName() + " failed: " + output);
    }
    return output.lines().toList();
  }
}
