package io.mutune.trainer.encoder;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.mutune.trainer.text.EncoderRuntime;
import io.mutune.trainer.text.TextEncoder;
import io.mutune.trainer.text.TextForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * ONNX Runtime on this machine's processor. Each text is a batch of its own and is computed by one
 * thread: networks in 8 bits take their scale from all of a batch, and a sum over threads could
 * differ from run to run.
 */
public final class OnnxRuntime implements EncoderRuntime {
  private static final Path COMMAND = Path.of("/proc/self/cmdline");
  private static final int MOST_COMMAND_BYTES = 4000;
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  @Override
  public TextEncoder open(Path model, Path tokenizer, TextForm form) throws IOException {
    OrtSession session = session(model);
    try {
      return OnnxTextEncoder.of(session, Tokens.of(tokenizer, form), form);
    } catch (IOException | RuntimeException e) {
      close(session);
      throw e;
    }
  }

  private static OrtSession session(Path model) throws IOException {
    try (SessionOptions options = new SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(SessionOptions.OptLevel.ALL_OPT);
      options.setDeterministicCompute(true);
      options.setMemoryPatternOptimization(false); // texts have many lengths
      return environment().createSession(model.toString(), options);
    } catch (OrtException e) {
      throw new IOException(
          model.getFileName() + ": is no ONNX network that can be computed: " + line(e), e);
    } catch (LinkageError e) {
      throw noLibrary(e);
    }
  }

  private static OrtEnvironment environment() throws IOException {
    refuseLongCommand();
    try {
      return OrtEnvironment.getEnvironment();
    } catch (LinkageError | RuntimeException e) {
      throw noLibrary(e);
    }
  }

  /** ONNX Runtime 1.29 ends the process where the command that started it is longer. */
  private static void refuseLongCommand() throws IOException {
    if (Files.isReadable(COMMAND) && Files.readAllBytes(COMMAND).length >= MOST_COMMAND_BYTES) {
      throw new IOException(
          ("texts cannot be encoded in a process whose command has %d bytes or more: give the class"
                  + " path with a wildcard or in the variable CLASSPATH")
              .formatted(MOST_COMMAND_BYTES));
    }
  }

  private static IOException noLibrary(Throwable cause) {
    return new IOException(
        "ONNX Runtime has no library for this machine (%s, %s): texts cannot be encoded here"
            .formatted(System.getProperty("os.name"), System.getProperty("os.arch")),
        cause);
  }

  /** What a failure says, on one line. */
  static String line(Exception e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String line = message.strip().replaceAll("\\s+", " ");
    return line.length() > 300 ? line.substring(0, 300) + " …" : line;
  }

  static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String identity() {
    String version = OrtEnvironment.class.getPackage().getImplementationVersion();
    return "onnxruntime %s, %s, %s".formatted(version, System.getProperty("os.arch"), processor());
  }

  /** Its instructions decide the order of additions. */
  private static String processor() {
    try {
      return Files.readAllLines(PROCESSORS, StandardCharsets.ISO_8859_1).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException e) {
      return String.valueOf(System.getenv("PROCESSOR_IDENTIFIER"));
    }
  }
}
