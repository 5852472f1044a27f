package io.mutune.trainer.encoder;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.util.Utils;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.mutune.trainer.network.EncoderFile;
import io.mutune.trainer.network.EncoderRuntime;
import io.mutune.trainer.network.PictureEncoder;
import io.mutune.trainer.network.PictureForm;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.network.TextForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * ONNX Runtime on this machine. Each text or picture is a batch of its own and is computed by one
 * thread: networks in 8 bits take their scale from all of a batch, and a sum over threads could
 * differ from run to run.
 */
public final class OnnxRuntime implements EncoderRuntime {
  private static final Path COMMAND = Path.of("/proc/self/cmdline");
  private static final int MOST_COMMAND_BYTES = 4000;

  /** Where a network seeks weights in other files; else it is where the process was started. */
  private static final String FOLDER_OF_WEIGHTS =
      "session.model_external_initializers_file_folder_path";

  private static final String NO_FOLDER = "/no/other/files";

  @Override
  public TextEncoder open(EncoderFile model, EncoderFile tokenizer, TextForm form)
      throws IOException {
    OrtSession session = session(model, model.content());
    try {
      return OnnxTextEncoder.of(session, Tokens.of(tokenizer, form), form);
    } catch (IOException | RuntimeException e) {
      close(session);
      throw e;
    }
  }

  @Override
  public PictureEncoder open(EncoderFile model, PictureForm form) throws IOException {
    byte[] network = model.content();
    Optional<String> layer = form.output();
    OrtSession session =
        session(model, layer.isEmpty() ? network : NetworkFile.giving(network, layer.get()));
    try {
      return OnnxPictureEncoder.of(session, form);
    } catch (IOException | RuntimeException e) {
      close(session);
      throw e;
    }
  }

  /** Of bytes that were read once, and of no other file that the network names. */
  private static OrtSession session(EncoderFile model, byte[] network) throws IOException {
    OrtEnvironment environment = environment();
    try (SessionOptions options = new SessionOptions()) {
      // Else it says, past System.err, what it failed at: a number of a row's.
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(SessionOptions.OptLevel.ALL_OPT);
      options.setDeterministicCompute(true);
      options.addConfigEntry(FOLDER_OF_WEIGHTS, NO_FOLDER);
      options.setMemoryPatternOptimization(false); // rows have many lengths
      options.setCPUArenaAllocator(false); // threads would wait for each other at its lock
      Provider.here().addTo(options);
      return environment.createSession(network, options);
    } catch (OrtException e) {
      String line = line(e);
      throw new IOException(
          model.name()
              + (line.contains("External data")
                  ? ": keeps its weights in other files; save it with all of them in one file"
                  : ": is no ONNX network that can be computed: " + line),
          e);
    } catch (LinkageError e) {
      throw noLibrary("ONNX Runtime has", e);
    }
  }

  private static OrtEnvironment environment() throws IOException {
    refuseLongCommand();
    try {
      return OrtEnvironment.getEnvironment();
    } catch (LinkageError | RuntimeException e) {
      throw noLibrary("ONNX Runtime has", e);
    }
  }

  /** ONNX Runtime 1.29 ends the process where the command that started it is longer. */
  private static void refuseLongCommand() throws IOException {
    if (Files.isReadable(COMMAND) && Files.readAllBytes(COMMAND).length >= MOST_COMMAND_BYTES) {
      throw new IOException(
          ("nothing can be encoded in a process whose command has %d bytes or more: give the class"
                  + " path with a wildcard or in the variable CLASSPATH")
              .formatted(MOST_COMMAND_BYTES));
    }
  }

  /** Not the fault of any file. */
  static IOException noLibrary(String whoHas, Throwable cause) {
    return new IOException(
        "%s no library for this machine (%s, %s): nothing can be encoded here"
            .formatted(whoHas, System.getProperty("os.name"), System.getProperty("os.arch")),
        cause);
  }

  /** What a failure says, on one line. */
  static String line(Exception e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String line = message.strip().replaceAll("\\s+", " ");
    return line.length() > 300 ? line.substring(0, 300) + " …" : line;
  }

  /** A network that draws random numbers would carry something from one row to the next. */
  static void requireSame(float[] numbers, float[] again) throws IOException {
    if (!Arrays.equals(numbers, again)) {
      throw new IOException("the network gives other numbers for the same input: it is not frozen");
    }
  }

  static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String identity() throws IOException {
    environment();
    return "onnxruntime %s, tokenizers %s, %s, %s"
        .formatted(
            OrtEnvironment.class.getPackage().getImplementationVersion(),
            Tokens.version(),
            System.getProperty("os.arch"),
            Provider.here().description());
  }

  /** What DJL needs itself (Gson, SLF4J) a machine of a cluster has. */
  @Override
  public List<Class<?>> libraries() {
    return List.of(
        OnnxRuntime.class, OrtEnvironment.class, HuggingFaceTokenizer.class, Utils.class);
  }
}
