package io.mutune.trainer.method.descent;

import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.RowArrays;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.external.TrainerProcess;
import io.mutune.trainer.file.ScratchFolder;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.StepLoop;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.model.PackedBytes;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.UniformStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A run of a trainer that is a process: what is said to it and what it may answer, in the order of
 * the protocol. It learns where the rows are once it has named the mechanism that is charged.
 */
final class ExternalTraining extends Training {
  private static final int MOST_BYTES = 1 << 26;
  private static final int SECRET_WORDS = 4;

  /** How long a run that is told to stop waits for the checkpoint that is due. */
  private static final long NANOS_TO_CHECKPOINT = TimeUnit.SECONDS.toNanos(5);

  /** In an iterate's memory: its bytes are a checkpoint, or the model. */
  private static final double CHECKPOINT = 0;

  private static final double MODEL = 1;

  private final External method;
  private final Problem problem;
  private final Run run;

  ExternalTraining(External method, Problem problem, Run run) {
    super(method);
    this.method = method;
    this.problem = problem;
    this.run = run;
  }

  @Override
  public Mechanism mechanism() {
    return method.mechanism(run.sigma(), problem, run.steps());
  }

  @Override
  public int steps() {
    return run.steps();
  }

  @Override
  protected TrainedModel trainCharged(PrivateRows rows, TrainingAttempt attempt) {
    Optional<Iterate> from = attempt.from();
    if (from.isPresent() && from.get().memory()[0] == MODEL) {
      return method.stored(from.get().weights(), problem.columns());
    }
    try (ScratchFolder work = ScratchFolder.create();
        TrainerProcess process = method.command().start(work)) {
      RunQuestion question = new RunQuestion(method, problem, run);
      process.send(question.message());
      question.requireCharged(process, said(process, attempt));
      return new Conversation(process, work.path(), rows.blocks(), attempt).run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> said(TrainerProcess process, TrainingAttempt attempt)
      throws IOException {
    Map<String, Object> message = heard(process, attempt.cancelled(), attempt.stepsBegun());
    if (!"ready".equals(message.get("type"))) {
      throw process.failure("was expected to say 'ready' and said something else");
    }
    return message;
  }

  private Map<String, Object> heard(TrainerProcess process, BooleanSupplier cancelled, int done)
      throws IOException {
    return process.receive(cancelled).orElseThrow(() -> new TrainingCancelled(done, run.steps()));
  }

  /**
   * Checkpoints that are one array of weights, then velocity, {@code [2, features, columns]}; empty
   * where one is not.
   */
  static Optional<List<Iterate>> opened(List<Iterate> iterates) {
    List<Iterate> opened = new ArrayList<>();
    for (Iterate iterate : iterates) {
      if (iterate.memory()[0] == CHECKPOINT) {
        Optional<double[]> both = RowArrays.readPair(PackedBytes.bytes(iterate.weights()));
        if (both.isEmpty()) {
          return Optional.empty();
        }
        int half = both.get().length / 2;
        opened.add(
            new Iterate(
                iterate.asked(),
                Arrays.copyOf(both.get(), half),
                Arrays.copyOfRange(both.get(), half, 2 * half)));
      }
    }
    return Optional.of(opened);
  }

  /** From where it is told of the rows to its model. */
  private final class Conversation {
    private final TrainerProcess process;
    private final Path work;
    private final RowBlocks rows;
    private final TrainingAttempt attempt;
    private int begun;
    private int noted;
    private int done;
    private int kept;
    private OptionalLong cancelled = OptionalLong.empty();

    Conversation(TrainerProcess process, Path work, RowBlocks rows, TrainingAttempt attempt) {
      this.process = process;
      this.work = work;
      this.rows = rows;
      this.attempt = attempt;
      this.begun = attempt.stepsBegun();
      this.noted = attempt.stepsBegun();
      this.done = attempt.stepsBegun();
      this.kept = attempt.stepsBegun();
    }

    ModelFile run() throws IOException {
      process.send(start());
      while (true) {
        Map<String, Object> message = heard();
        switch (String.valueOf(message.get("type"))) {
          case "begin" -> begin(message);
          case "progress" -> {
            done = step(message, "tells of", done);
            attempt.progress().accept(done);
          }
          case "checkpoint" -> {
            kept = step(message, "keeps", kept);
            checkpoint(kept);
          }
          case "model" -> {
            return model();
          }
          default -> throw process.failure("said what is not in the protocol");
        }
      }
    }

    private Map<String, Object> heard() throws IOException {
      try {
        return ExternalTraining.this.heard(process, this::isStopped, kept);
      } catch (ModelFile.Failure e) {
        if (cancelled.isPresent()) {
          // Whatever stopped this process may have ended that one too.
          throw new TrainingCancelled(kept, run.steps());
        }
        throw e;
      }
    }

    /**
     * Whether it ends here: steps that were noted and are in no checkpoint are lost, so these are
     * waited for if that takes a moment.
     */
    private boolean isStopped() {
      if (!attempt.cancelled().getAsBoolean()) {
        return false;
      }
      long now = System.nanoTime();
      cancelled = OptionalLong.of(cancelled.orElse(now));
      return begun == kept || now - cancelled.getAsLong() > NANOS_TO_CHECKPOINT;
    }

    private Map<String, Object> start() throws IOException {
      Map<String, Object> start = new LinkedHashMap<>();
      start.put("type", "train");
      start.put("features", file("features.npy").toString());
      start.put("labels", file("labels.npy").toString());
      RowArrays.writeFeatures(file("features.npy"), rows);
      RowArrays.writeLabels(file("labels.npy"), rows);
      if (attempt.from().isPresent()) {
        byte[] kept = PackedBytes.bytes(attempt.from().get().weights());
        start.put("from", TrainerCommand.write(file("from"), kept).toString());
      }
      start.put("firstStep", begun + 1);
      start.put("checkpointEvery", StepLoop.block(run.steps()));
      start.put("checkpoint", file("checkpoint").toString());
      start.put("model", file("model").toString());
      start.put("secret", secret());
      return start;
    }

    /** Of this start alone. */
    private String secret() {
      UniformStream bits =
          attempt.noise().bits(attempt.streams().trainer(attempt.journal().start()));
      ByteBuffer secret = ByteBuffer.allocate(SECRET_WORDS * Long.BYTES);
      for (int i = 0; i < SECRET_WORDS; i++) {
        secret.putLong(bits.next());
      }
      return HexFormat.of().formatHex(secret.array());
    }

    /** One after the other, each once, and none before it is noted durably. */
    private void begin(Map<String, Object> message) throws IOException {
      if (begun == run.steps() || !Double.valueOf(begun + 1).equals(message.get("step"))) {
        throw process.failure(
            "wants to begin another step than step %d of %d"
                .formatted(Math.min(begun + 1, run.steps()), run.steps()));
      }
      int step = begun + 1;
      if (step > noted) {
        if (attempt.cancelled().getAsBoolean()) {
          throw new TrainingCancelled(kept, run.steps());
        }
        noted = Math.min(run.steps(), begun + StepLoop.block(run.steps()));
        attempt.journal().begin(step, noted);
      }
      Files.deleteIfExists(noiseOf(begun));
      Files.deleteIfExists(sampleOf(begun));
      begun = step;
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("type", "begun");
      answer.put("step", step);
      if (message.get("noise") instanceof Double count) {
        answer.put("noise", noise(step, count).toString());
      }
      if (Boolean.TRUE.equals(message.get("sample"))) {
        answer.put("sample", sample(step).toString());
      }
      process.send(answer);
    }

    /** The charged noise of a step's sum, for a trainer that asks for it. */
    private Path noise(int step, double count) throws IOException {
      if (count < 0 || count > MOST_BYTES / Double.BYTES || count != Math.rint(count)) {
        throw process.failure("asks for a number of noises that is none");
      }
      double[] noise = new double[(int) count];
      double deviation = run.sigma().value() * method.gradient().clipNorm().value();
      attempt.noise().stream(attempt.streams().step(step)).addTo(noise, deviation);
      Path file = noiseOf(step);
      RowArrays.write(file, noise);
      return file;
    }

    /** Writes which rows take part in a step, by their places from 0, to a file for the trainer. */
    private Path sample(int step) throws IOException {
      RowSample sample = method.gradient().sample(step, attempt);
      int[] taken = new int[Math.toIntExact(rows.rows())];
      int count = 0;
      for (int row = 0; row < taken.length; row++) {
        if (sample.takesNext()) {
          taken[count++] = row;
        }
      }
      Path file = sampleOf(step);
      RowArrays.write(file, taken, count);
      return file;
    }

    /** The files of each step have names of their own: who reads late finds none, not the next. */
    private Path noiseOf(int step) {
      return file("noise-" + step + ".npy");
    }

    private Path sampleOf(int step) {
      return file("sample-" + step + ".npy");
    }

    /** The step that was begun last, in this start, and that none such message was about yet. */
    private int step(Map<String, Object> message, String does, int before) throws IOException {
      if (!Double.valueOf(begun).equals(message.get("step"))) {
        throw process.failure(
            "%s another step than step %d, the last that it began".formatted(does, begun));
      }
      if (begun == before) {
        throw process.failure(
            "%s step %d twice, or has not begun it in this start".formatted(does, begun));
      }
      return begun;
    }

    private void checkpoint(int step) throws IOException {
      double[] packed = PackedBytes.numbers(rows.columns(), written("checkpoint"));
      attempt.journal().checkpoint(new Iterate(step, packed, new double[] {CHECKPOINT}));
      noted = step; // A checkpoint says that no later step was begun: each is noted again.
      process.send(Map.of("type", "saved", "step", step));
    }

    private ModelFile model() throws IOException {
      if (begun < run.steps()) {
        throw process.failure("has a model after step %d of %d".formatted(begun, run.steps()));
      }
      ModelFile model =
          new ModelFile(rows.columns(), problem.columns(), written("model"), method.command());
      attempt.journal().checkpoint(new Iterate(run.steps(), model.weights(), new double[] {MODEL}));
      process.end();
      return model;
    }

    private byte[] written(String name) throws IOException {
      Path file = file(name);
      byte[] content = {};
      if (Files.isRegularFile(file)) {
        try (InputStream in = Files.newInputStream(file)) {
          content = in.readNBytes(MOST_BYTES + 1);
        }
      }
      if (content.length == 0 || content.length > MOST_BYTES) {
        throw process.failure(
            "wrote no %s, or one of more than %d bytes".formatted(name, MOST_BYTES),
            content.length > 0
                ? ": it is larger"
                : Files.isRegularFile(file)
                    ? ": it is empty"
                    : Files.exists(file) ? ": it is no regular file" : ": there is none");
      }
      return content;
    }

    private Path file(String name) {
      return work.resolve(name);
    }
  }
}
