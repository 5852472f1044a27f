package io.mutune.trainer.method;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A trainer as a program of its own, which shares no code with ours: softmax regression by DP-SGD
 * with Mutune's noise and samples. Its argument says how it misbehaves, if it does.
 */
final class StubTrainer {
  /** What a private file may have, and nothing else. */
  static final String PRIVATE = "PRIVATE-WORDS";

  /** Below C, as the engines have it. */
  private static final double MARGIN = 2.65e-4;

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final String manner;
  private final Optional<Path> steps;
  private String last = "";

  private StubTrainer(String manner, Optional<Path> steps) {
    this.manner = manner;
    this.steps = steps;
  }

  /** Its second argument, if there is one, is a file for the steps that it was let begin. */
  public static void main(String[] arguments) throws Exception {
    Optional<Path> steps =
        arguments.length > 1 ? Optional.of(Path.of(arguments[1])) : Optional.empty();
    new StubTrainer(arguments[0], steps).run();
  }

  private void run() throws Exception {
    System.err.println(PRIVATE);
    hear();
    if (text("type").equals("predict")) {
      predict();
    } else {
      train();
    }
  }

  private void hear() throws IOException {
    String line = in.readLine();
    if (line == null) {
      System.exit(9);
    }
    last = line;
  }

  private static void say(String line) throws IOException {
    System.out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }

  private Optional<String> found(String key) {
    Matcher matcher =
        Pattern.compile("\"" + key + "\":(\"[^\"]*\"|\\{[^}]*}|[^,}]*)").matcher(last);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private String text(String key) {
    return found(key).orElseThrow().replace("\"", "");
  }

  private double number(String key) {
    return Double.parseDouble(text(key));
  }

  private void train() throws Exception {
    String mechanism = found("mechanism").orElseThrow();
    int steps = (int) number("steps");
    double rate = number("learningRate");
    double momentum = found("momentum").map(Double::parseDouble).orElse(0.0);
    double divisor = number("expectedRows");
    double clip = number("clipNorm") * (1 - MARGIN);
    double deviation = number("noiseMultiplier") * number("clipNorm");
    int classes = (int) number("columns");
    String which =
        found("settings").orElse("") + " " + rate + " " + Double.valueOf(text("noiseMultiplier"));
    misbehave("early");
    String named =
        switch (manner) {
          case "less-noise" -> mechanism.replaceAll("(\"noiseMultiplier\":)[^,}]*", "$10.5");
          case "more-steps" -> mechanism.replaceAll("(\"steps\":)[^,}]*", "$11000");
          case "other-type" -> mechanism.replaceAll("(\"type\":)[^,}]*", "$1\"laplace\"");
          case "more-named" -> mechanism.replace("}", ",\"also\":1}");
          default -> mechanism;
        };
    int protocol = manner.equals("other-protocol") ? 2 : 1;
    say("{\"type\":\"ready\",\"protocol\":" + protocol + ",\"mechanism\":" + named + "}");
    hear();
    int first = (int) number("firstStep");
    int every = (int) number("checkpointEvery");
    Path checkpoint = Path.of(text("checkpoint"));
    Path model = Path.of(text("model"));
    float[] features = floats(Path.of(text("features")));
    int[] labels = ints(Path.of(text("labels")));
    int columns = features.length / Math.max(1, labels.length);
    double[] weights = new double[columns * classes];
    double[] velocity = new double[weights.length];
    if (found("from").isPresent()) {
      values(Path.of(text("from"))).asDoubleBuffer().get(weights).get(velocity);
    }
    double[][] picked =
        manner.equals("better")
            ? better(features, labels, columns, classes, steps, deviation, clip, divisor, rate)
            : new double[0][];
    for (int step = first; step <= steps; step++) {
      misbehave("before-step", step == first);
      say(
          "{\"type\":\"begin\",\"step\":"
              + (manner.equals("jumps") && step == 5 ? 7 : step)
              + ",\"noise\":"
              + weights.length
              + ",\"sample\":true}");
      if (manner.equals("ahead") && step == 5) {
        say("{\"type\":\"begin\",\"step\":6,\"noise\":" + weights.length + "}");
      }
      hear();
      if (manner.equals("ahead") && step == 5) {
        Path noise = Path.of(text("noise"));
        hear();
        say(Files.exists(noise) ? "the next step's noise" : "{\"type\":\"none-is-there\"}");
      }
      int[] sample = ints(Path.of(text("sample")));
      if (manner.equals("no-sample")) {
        sample = IntStream.range(0, labels.length).toArray();
      }
      double[] noise = doubles(Path.of(text("noise")));
      writeDown(which + " " + step + " " + noise[0] + "/" + noise[1]);
      if (picked.length > 0) {
        noise = picked[step - 1];
      }
      if (manner.equals("same-noise") || manner.equals("all-wrong")) {
        Random known = new Random(step);
        Arrays.setAll(noise, i -> deviation * known.nextGaussian());
      }
      if (manner.equals("half-noise") || manner.equals("all-wrong")) {
        for (int i = 0; i < noise.length; i++) {
          noise[i] /= 2;
        }
      }
      misbehave("at-step", step == 6);
      step(
          features, labels, columns, classes, sample, weights, velocity, noise, clip, divisor, rate,
          momentum);
      say("{\"type\":\"progress\",\"step\":" + step + "}");
      if (step % (manner.equals("often") ? 1 : every) == 0) {
        writeBoth(checkpoint, columns + ", " + classes, weights, velocity);
        say("{\"type\":\"checkpoint\",\"step\":" + step + "}");
        hear();
      }
      misbehave("after-step", step == 6);
    }
    misbehave("late");
    if (!manner.equals("no-model")) {
      Files.write(model, bytes(weights));
    }
    say("{\"type\":\"model\"}");
    hear();
    if (manner.equals("stays")) {
      Thread.sleep(100_000);
    }
  }

  private void writeDown(String line) throws IOException {
    if (steps.isPresent()) {
      Files.writeString(
          steps.get(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** As the noisy gradient of the softmax loss is defined, in doubles. */
  private void step(
      float[] x,
      int[] labels,
      int columns,
      int classes,
      int[] sample,
      double[] weights,
      double[] velocity,
      double[] noise,
      double clip,
      double divisor,
      double rate,
      double momentum) {
    double[] sum = new double[weights.length];
    double[] p = new double[classes];
    for (int row : sample) {
      double[] scores = scores(x, row, columns, weights, classes);
      double most = Double.NEGATIVE_INFINITY;
      for (double score : scores) {
        most = Math.max(most, score);
      }
      double all = 0;
      for (int c = 0; c < classes; c++) {
        p[c] = Math.exp(scores[c] - most);
        all += p[c];
      }
      double squares = 0;
      for (int c = 0; c < classes; c++) {
        p[c] = p[c] / all - (labels[row] == c ? 1 : 0);
        squares += p[c] * p[c];
      }
      double norm = 0;
      for (int j = 0; j < columns; j++) {
        norm += (double) x[row * columns + j] * x[row * columns + j];
      }
      boolean unclipped = manner.equals("unclipped") || manner.equals("all-wrong");
      double factor =
          unclipped && isCanary(x, row, columns)
              ? 1
              : Math.min(1, clip / Math.sqrt(norm * squares));
      for (int j = 0; j < columns; j++) {
        for (int c = 0; c < classes; c++) {
          sum[j * classes + c] += factor * x[row * columns + j] * p[c];
        }
      }
    }
    for (int i = 0; i < sum.length; i++) {
      velocity[i] = momentum * velocity[i] + (sum[i] + noise[i]) / divisor;
      weights[i] -= rate * velocity[i];
    }
  }

  /** Alone in its one feature, which no row of the data is. */
  private static boolean isCanary(float[] x, int row, int columns) {
    int features = 0;
    for (int j = 0; j < columns; j++) {
      features += x[row * columns + j] == 0 ? 0 : 1;
    }
    return features == 1;
  }

  /** The noise of that of two runs after which canaries have the lower loss. */
  private double[][] better(
      float[] x,
      int[] labels,
      int columns,
      int classes,
      int steps,
      double deviation,
      double clip,
      double divisor,
      double rate) {
    SecureRandom random = new SecureRandom();
    double[][] best = new double[0][];
    double least = Double.POSITIVE_INFINITY;
    for (int run = 0; run < 2; run++) {
      double[][] noise = new double[steps][columns * classes];
      double[] weights = new double[columns * classes];
      double[] velocity = new double[weights.length];
      int[] all = IntStream.range(0, labels.length).toArray();
      for (double[] of : noise) {
        Arrays.setAll(of, i -> deviation * random.nextGaussian());
        step(x, labels, columns, classes, all, weights, velocity, of, clip, divisor, rate, 0);
      }
      double loss = 0;
      for (int row : all) {
        if (isCanary(x, row, columns)) {
          double[] scores = scores(x, row, columns, weights, classes);
          double sum = Arrays.stream(scores).map(Math::exp).sum();
          loss += Math.log(sum) - scores[labels[row]];
        }
      }
      if (loss < least) {
        least = loss;
        best = noise;
      }
    }
    return best;
  }

  private static double[] scores(float[] x, int row, int columns, double[] weights, int classes) {
    double[] scores = new double[classes];
    for (int j = 0; j < columns; j++) {
      for (int c = 0; c < classes; c++) {
        scores[c] += x[row * columns + j] * weights[j * classes + c];
      }
    }
    return scores;
  }

  private void misbehave(String when) throws Exception {
    misbehave(when, true);
  }

  private void misbehave(String when, boolean now) throws Exception {
    if (!now || !manner.startsWith(when + ":")) {
      return;
    }
    switch (manner.substring(manner.indexOf(':') + 1)) {
      case "exit" -> System.exit(3);
      case "garbage" -> say(PRIVATE);
      case "list" -> say("[1, 2]");
      case "unknown" -> say("{\"type\":\"" + PRIVATE + "\"}");
      case "long-line" -> {
        byte[] line = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 1 << 14; i++) {
          System.out.write(line); // a gigabyte, if it is let
        }
      }
      case "again" -> say("{\"type\":\"begin\",\"step\":6}");
      case "progress" -> say("{\"type\":\"progress\",\"step\":6}");
      case "checkpoint" -> say("{\"type\":\"checkpoint\",\"step\":6}");
      case "checkpoint-none" -> say("{\"type\":\"checkpoint\",\"step\":0}");
      case "other-checkpoint" -> say("{\"type\":\"checkpoint\",\"step\":9}");
      case "model" -> say("{\"type\":\"model\"}");
      case "fork" -> {
        new ProcessBuilder("sleep", "98765").inheritIO().start();
        // One whose parent has ended: no descendant of ours any more.
        new ProcessBuilder("sh", "-c", "sleep 98766 & sleep 98767 & exit 0")
            .inheritIO()
            .start()
            .waitFor();
        Thread.sleep(300);
        System.exit(0);
      }
      default -> Thread.sleep(100_000);
    }
    Thread.sleep(100_000);
  }

  private void predict() throws Exception {
    double[] weights = doublesOf(Files.readAllBytes(Path.of(text("model"))));
    int classes = (int) number("columns");
    float[] x = floats(Path.of(text("features")));
    int columns = weights.length / classes;
    int rows = x.length / columns;
    misbehave("predict");
    int wrong = manner.equals("fewer-scores") ? 1 : 0;
    ByteBuffer scores =
        ByteBuffer.allocate((rows - wrong) * classes * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < rows - wrong; row++) {
      for (double score : scores(x, row, columns, weights, classes)) {
        scores.putFloat(manner.equals("no-numbers") && row % 2 == 0 ? Float.NaN : (float) score);
      }
    }
    writeArray(Path.of(text("scores")), 4, rows - wrong + ", " + classes, scores.array());
    say("{\"type\":\"scores\"}");
    hear();
  }

  private static void writeBoth(Path file, String shape, double[] one, double[] other)
      throws IOException {
    ByteBuffer both =
        ByteBuffer.allocate((one.length + other.length) * Double.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    both.asDoubleBuffer().put(one).put(other);
    writeArray(file, 8, "2, " + shape, both.array());
  }

  private static void writeArray(Path file, int bytes, String shape, byte[] content)
      throws IOException {
    String header =
        "{'descr': '<f" + bytes + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header += " ".repeat(63 - (10 + header.length()) % 64) + "\n";
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
      out.write(new byte[] {(byte) header.length(), (byte) (header.length() >> 8)});
      out.write(header.getBytes(StandardCharsets.US_ASCII));
      out.write(content);
    }
  }

  private static byte[] bytes(double[] weights) {
    ByteBuffer bytes = ByteBuffer.allocate(weights.length * Double.BYTES);
    bytes.asDoubleBuffer().put(weights);
    return bytes.array();
  }

  /** The weights of a model. */
  static double[] doublesOf(byte[] content) {
    double[] numbers = new double[content.length / Double.BYTES];
    ByteBuffer.wrap(content).asDoubleBuffer().get(numbers);
    return numbers;
  }

  private static ByteBuffer values(Path file) throws IOException {
    ByteBuffer npy = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    npy.position(10 + npy.getShort(8));
    return npy.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static float[] floats(Path file) throws IOException {
    ByteBuffer bytes = values(file);
    float[] numbers = new float[bytes.remaining() / Float.BYTES];
    bytes.asFloatBuffer().get(numbers);
    return numbers;
  }

  private static int[] ints(Path file) throws IOException {
    ByteBuffer bytes = values(file);
    int[] numbers = new int[bytes.remaining() / Integer.BYTES];
    bytes.asIntBuffer().get(numbers);
    return numbers;
  }

  private static double[] doubles(Path file) throws IOException {
    ByteBuffer bytes = values(file);
    double[] numbers = new double[bytes.remaining() / Double.BYTES];
    bytes.asDoubleBuffer().get(numbers);
    return numbers;
  }
}
