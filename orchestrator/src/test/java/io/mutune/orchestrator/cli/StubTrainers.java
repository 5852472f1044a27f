package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.commons.io.file.PathUtils;
import tools.jackson.databind.node.ObjectNode;

/** The trainer's own stub, which shares no code with ours, as sweeps and cards name it. */
final class StubTrainers {
  static final Path ROOT = Path.of(System.getProperty("mutune.root"));

  /** What the stub says on standard error, and says wrong. */
  static final String PRIVATE = "PRIVATE-WORDS";

  private static final String STUB = "io/mutune/trainer/method/descent/StubTrainer";
  private static final Path CLASSES = compiled();

  private StubTrainers() {}

  private static Path compiled() {
    try {
      Path classes = Files.createTempDirectory("stub");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(classes)));
      String sources = ROOT.resolve("trainer/src/test/java").toString();
      String stub = Path.of(sources, STUB + ".java").toString();
      int status =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, "-cp", sources, "-d", classes.toString(), stub);
      assertThat(status).isZero();
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      PathUtils.deleteDirectory(folder);
    } catch (IOException e) {
      // A temporary folder more.
    }
  }

  /** Where nobody but the owner of a program may see that it lies. */
  static Path classes() {
    return CLASSES;
  }

  /** The words that start it, as YAML. */
  static String command(String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    words.add(CLASSES.toString());
    words.add(STUB.replace('/', '.'));
    words.addAll(List.of(arguments));
    return "[" + String.join(", ", words) + "]";
  }

  /**
   * What stands after {@code train:}.
   *
   * @param mechanism what is in its section
   */
  static String train(String manner, String mechanism) {
    return "{method: external, descends: true, silence: 60, command: %s, mechanism: {%s}}"
        .formatted(command(manner), mechanism);
  }

  static String sampled(String manner) {
    return train(manner, "type: sampled-gaussian, samplingRate: 0.3, clipNorm: 0.5");
  }

  static String onAllRows(String manner) {
    return train(manner, "type: gaussian, clipNorm: 0.5");
  }

  /** Those that run now. */
  static List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .filter(l -> l.contains(CLASSES.toString()))
                    .isPresent())
        .toList();
  }

  static ObjectNode json(Path file) throws IOException {
    return Json.read(Files.readString(file));
  }

  /** No file below, a store's among them, has what only the owner may see. */
  static void requireNothingPrivate(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(PRIVATE);
      }
    }
  }
}
