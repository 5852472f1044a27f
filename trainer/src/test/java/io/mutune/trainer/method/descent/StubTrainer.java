package io.mutune.trainer.method.descent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A trainer as a program of its own, which shares no code with ours: {@link StubRegression} with
 * Mutune's noise and samples. Its argument says how it misbehaves, if it does.
 */
final class StubTrainer {
  /** What a private file may have, and nothing else. */
  static final String PRIVATE = "PRIVATE-WORDS";

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
    StubRegression.Descent descent =
        new StubRegression.Descent(
            rate,
            found("momentum").map(Double::parseDouble).orElse(0.0),
            number("clipNorm"),
            number("expectedRows"),
            manner.equals("unclipped") || manner.equals("all-wrong"));
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
    float[] features = StubArrays.floats(Path.of(text("features")));
    int[] labels = StubArrays.ints(Path.of(text("labels")));
    int columns = features.length / Math.max(1, labels.length);
    StubRegression.Rows rows = new StubRegression.Rows(features, labels, columns, classes);
    StubRegression regression = new StubRegression(rows, descent);
    double[] weights = regression.weights();
    double[] velocity = regression.velocity();
    if (found("from").isPresent()) {
      StubArrays.values(Path.of(text("from"))).asDoubleBuffer().get(weights).get(velocity);
    }
    double[][] picked =
        manner.equals("better")
            ? StubRegression.better(rows, descent, steps, deviation)
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
      int[] sample = StubArrays.ints(Path.of(text("sample")));
      if (manner.equals("no-sample")) {
        sample = IntStream.range(0, labels.length).toArray();
      }
      double[] noise = StubArrays.doubles(Path.of(text("noise")));
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
      regression.step(sample, noise);
      say("{\"type\":\"progress\",\"step\":" + step + "}");
      if (step % (manner.equals("often") ? 1 : every) == 0) {
        StubArrays.writeBoth(checkpoint, columns + ", " + classes, weights, velocity);
        say("{\"type\":\"checkpoint\",\"step\":" + step + "}");
        hear();
      }
      misbehave("after-step", step == 6);
    }
    misbehave("late");
    if (!manner.equals("no-model")) {
      Files.write(model, StubArrays.bytes(weights));
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
    double[] weights = StubArrays.doublesOf(Files.readAllBytes(Path.of(text("model"))));
    int classes = (int) number("columns");
    float[] x = StubArrays.floats(Path.of(text("features")));
    int columns = weights.length / classes;
    int count = x.length / columns;
    StubRegression.Rows rows = new StubRegression.Rows(x, new int[0], columns, classes);
    misbehave("predict");
    int wrong = manner.equals("fewer-scores") ? 1 : 0;
    ByteBuffer scores =
        ByteBuffer.allocate((count - wrong) * classes * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < count - wrong; row++) {
      for (double score : rows.scores(row, weights)) {
        scores.putFloat(manner.equals("no-numbers") && row % 2 == 0 ? Float.NaN : (float) score);
      }
    }
    StubArrays.write(Path.of(text("scores")), 4, count - wrong + ", " + classes, scores.array());
    say("{\"type\":\"scores\"}");
    hear();
  }
}
