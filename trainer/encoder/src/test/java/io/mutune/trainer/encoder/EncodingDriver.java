package io.mutune.trainer.encoder;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.sun.management.OperatingSystemMXBean;
import io.mutune.trainer.data.UnlabelledData;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.UnlabelledSpec;
import io.mutune.trainer.network.EncoderReference;
import io.mutune.trainer.table.Column;
import io.mutune.trainer.table.Table;
import io.mutune.trainer.table.TextType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * How fast a file of texts becomes rows, beside a loop that drives the same network one text at a
 * time in one thread and takes the mean of its tokens; by turns. By hand, docs/performance.md.
 *
 * <p>Arguments: a file with one text a line, a folder with {@code model.onnx} and {@code
 * tokenizer.json} of e5-small-v2, and how many turns.
 */
final class EncodingDriver {
  private static final OperatingSystemMXBean MACHINE =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private EncodingDriver() {}

  /** Prints the seconds of each turn. */
  public static void main(String[] arguments) throws IOException, OrtException {
    Path file = Path.of(arguments[0]);
    Path encoder = Path.of(arguments[1]);
    List<String> texts = Files.readAllLines(file, StandardCharsets.UTF_8);
    for (int turn = 0; turn < Integer.parseInt(arguments[2]); turn++) {
      long start = System.nanoTime();
      long cpu = MACHINE.getProcessCpuTime();
      double sum = read(file);
      long middle = System.nanoTime();
      long middleCpu = MACHINE.getProcessCpuTime();
      double load = MACHINE.getSystemLoadAverage();
      double bare = loop(encoder, texts);
      long end = System.nanoTime();
      System.out.printf(
          "%d texts: %.1f s as rows (%.1f s of CPU, load %.1f), %.1f s in a bare loop (%.1f s of"
              + " CPU, load %.1f), ratio %.2f (sums %.3f %.3f)%n",
          texts.size(),
          (middle - start) / 1e9,
          (middleCpu - cpu) / 1e9,
          load,
          (end - middle) / 1e9,
          (MACHINE.getProcessCpuTime() - middleCpu) / 1e9,
          MACHINE.getSystemLoadAverage(),
          (double) (end - middle) / (middle - start),
          sum,
          bare);
    }
  }

  private static double read(Path file) throws IOException {
    Table table =
        Table.of(new Column("text", new TextType(EncoderReference.of(TestEncoder.KNOWN), false)));
    UnlabelledSpec spec =
        new UnlabelledSpec(
            file, RowForm.ofTable(DataFormat.TSV, CsvLayout.ofTable('\t', false, false, 0), table));
    DoubleAdder sum = new DoubleAdder();
    new UnlabelledData(spec, FeaturePipeline.of())
        .forEach(first -> row -> sum.add(row[0]), piece -> {});
    return sum.sum();
  }

  private static double loop(Path encoder, List<String> texts) throws IOException, OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    double sum = 0;
    try (HuggingFaceTokenizer tokenizer =
            HuggingFaceTokenizer.newInstance(encoder.resolve("tokenizer.json"));
        OrtSession session =
            environment.createSession(encoder.resolve("model.onnx").toString(), options)) {
      for (String text : texts) {
        long[] ids = tokenizer.encode("query: " + text).getIds();
        long[] ones = new long[ids.length];
        Arrays.fill(ones, 1);
        Map<String, OnnxTensor> given = new HashMap<>();
        given.put("input_ids", OnnxTensor.createTensor(environment, new long[][] {ids}));
        given.put("attention_mask", OnnxTensor.createTensor(environment, new long[][] {ones}));
        given.put("token_type_ids", OnnxTensor.createTensor(environment, new long[1][ids.length]));
        try (OrtSession.Result result = session.run(given)) {
          sum += mean(((float[][][]) result.get(0).getValue())[0])[0];
        }
        given.values().forEach(OnnxTensor::close);
      }
    }
    return sum;
  }

  private static double[] mean(float[][] tokens) {
    double[] mean = new double[tokens[0].length];
    double squares = 0;
    for (int i = 0; i < mean.length; i++) {
      for (float[] token : tokens) {
        mean[i] += token[i] / tokens.length;
      }
      squares += mean[i] * mean[i];
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] /= Math.sqrt(squares);
    }
    return mean;
  }
}
