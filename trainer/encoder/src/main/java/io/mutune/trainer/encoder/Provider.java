package io.mutune.trainer.encoder;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What networks are computed on: the GPU where this is the build for one (the profile {@code
 * cuda-encoder}), and nowhere else then; otherwise the processor.
 */
enum Provider {
  PROCESSOR,
  CUDA;

  private static final Path DRIVER = Path.of("/proc/driver/nvidia");

  static Provider here() {
    return OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA) ? CUDA : PROCESSOR;
  }

  /**
   * Lets a network be computed on it, by algorithms that are not chosen by how fast they just were,
   * and with all bits.
   *
   * @throws IOException if there is no such thing here
   */
  void addTo(SessionOptions options) throws IOException {
    if (this == PROCESSOR) {
      return;
    }
    try (OrtCUDAProviderOptions gpu = new OrtCUDAProviderOptions(0)) {
      gpu.add("cudnn_conv_algo_search", "DEFAULT");
      gpu.add("use_tf32", "0");
      options.addCUDA(gpu);
    } catch (OrtException | LinkageError e) {
      throw new IOException(
          "this build computes encoders on a GPU, and finds none that it can use (CUDA and cuDNN"
              + " included): build without -Pcuda-encoder",
          e);
    }
  }

  /** What a network's numbers depend on there. */
  String description() throws IOException {
    return switch (this) {
      case PROCESSOR -> Processor.description();
      case CUDA -> "cuda, " + Processor.description() + ", " + driver();
    };
  }

  /** The driver's version and the names of the GPUs, as far as it tells. */
  private static String driver() throws IOException {
    Path version = DRIVER.resolve("version");
    if (!Files.isReadable(version)) {
      return "unknown GPU";
    }
    StringBuilder all = new StringBuilder(firstLine(version));
    try (Stream<Path> gpus = Files.list(DRIVER.resolve("gpus"))) {
      for (Path gpu : gpus.sorted().toList()) {
        all.append("; ").append(firstLine(gpu.resolve("information")));
      }
    }
    return all.toString().replaceAll("\\s+", " ");
  }

  private static String firstLine(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream().findFirst().orElse("");
  }
}
