package io.mutune.trainer.external;

import io.mutune.trainer.data.RowArrays;
import io.mutune.trainer.data.RowBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A run as the program sees it that trains it: what is public about it, its rows, and its steps,
 * one after the other. Belongs to one thread.
 */
public final class ProgramRun {
  private final ProgramLine line;
  private final Map<String, Object> question;
  private final Map<?, ?> mechanism;
  private final int steps;
  private final Map<String, Object> start;
  private final int first;
  private final int every;
  private int begun;

  /**
   * A step that is noted durably: now its rows may be read.
   *
   * @param number from 1
   * @param noise as many normals of the charged deviation as were wanted
   * @param sample the places of the rows that take part, from 0; of all without sampling
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Step(int number, double[] noise, int[] sample) {}

  private ProgramRun(
      ProgramLine line,
      Map<String, Object> question,
      Map<?, ?> mechanism,
      Map<String, Object> start,
      int steps)
      throws IOException {
    this.line = line;
    this.question = question;
    this.mechanism = mechanism;
    this.steps = steps;
    this.start = start;
    this.first = ProgramLine.whole(start, "firstStep");
    this.every = ProgramLine.whole(start, "checkpointEvery");
    this.begun = first - 1;
  }

  /** Says that the mechanism will be the charged one, and is told where the rows are. */
  static ProgramRun of(ProgramLine line, Map<String, Object> question) throws IOException {
    Map<?, ?> mechanism = ProgramLine.object(question, "mechanism");
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("type", "ready");
    ready.put("protocol", TrainerCommand.PROTOCOL);
    ready.put("mechanism", mechanism);
    line.say(ready);
    return new ProgramRun(
        line, question, mechanism, line.hear("train"), ProgramLine.whole(mechanism, "steps"));
  }

  /** What each row's part in a sum has at most for its length. */
  public double clipNorm() throws IOException {
    return ProgramLine.number(mechanism, "clipNorm");
  }

  /** The deviation of the noise of each sum in units of {@link #clipNorm}. */
  public double noiseMultiplier() throws IOException {
    return ProgramLine.number(mechanism, "noiseMultiplier");
  }

  /** The chance of each row to be in a sample; 1 where a step is on all rows. */
  public double samplingRate() throws IOException {
    return mechanism.containsKey("samplingRate")
        ? ProgramLine.number(mechanism, "samplingRate")
        : 1;
  }

  public double learningRate() throws IOException {
    return ProgramLine.number(question, "learningRate");
  }

  /** 0 where the sweep names none. */
  public double momentum() throws IOException {
    return question.containsKey("momentum") ? ProgramLine.number(question, "momentum") : 0;
  }

  /** The public number of rows in a sum: what to divide by, never a count of {@link #data}. */
  public double expectedRows() throws IOException {
    return ProgramLine.number(question, "expectedRows");
  }

  /** Scores for each row. */
  public int columns() throws IOException {
    return ProgramLine.whole(question, "columns");
  }

  /** The program's own settings: texts, doubles and flags. */
  public Map<?, ?> settings() throws IOException {
    return ProgramLine.object(question, "settings");
  }

  /** All that is public, by the keys of the protocol's message {@code run}. */
  public Map<String, Object> question() {
    return Map.copyOf(question);
  }

  /** The rows; a slot without a row has {@link RowBlocks#NO_LABEL} and adds nothing. */
  public RowBlocks data() throws IOException {
    return RowArrays.read(
        ProgramLine.path(start, "features"), Optional.of(ProgramLine.path(start, "labels")));
  }

  /** Fresh bits of this start, as a key for a generator of the program's own. */
  public byte[] secret() throws IOException {
    return HexFormat.of().parseHex(ProgramLine.text(start, "secret"));
  }

  /** The bytes of the last checkpoint, where there is one. */
  public Optional<byte[]> restored() throws IOException {
    return start.containsKey("from")
        ? Optional.of(Files.readAllBytes(ProgramLine.path(start, "from")))
        : Optional.empty();
  }

  public boolean hasNext() {
    return begun < steps;
  }

  /**
   * Begins the next step. Its noise and sample are Mutune's own.
   *
   * @param noise how many normals are wanted
   */
  public Step begin(int noise) throws IOException {
    Map<String, Object> begin = new LinkedHashMap<>();
    begin.put("type", "begin");
    begin.put("step", begun + 1);
    begin.put("noise", noise);
    begin.put("sample", true);
    line.say(begin);
    Map<String, Object> answer = line.hear("begun");
    begun++;
    double[] sample = RowArrays.readNumbers(ProgramLine.path(answer, "sample"));
    return new Step(
        begun,
        RowArrays.readNumbers(ProgramLine.path(answer, "noise")),
        Arrays.stream(sample).mapToInt(place -> (int) place).toArray());
  }

  /**
   * Ends the step that was begun last.
   *
   * @param checkpoint looked at where one is due: only what follows from noisy sums, no generator,
   *     no secret, no places of rows
   */
  public void done(Supplier<byte[]> checkpoint) throws IOException {
    line.say(Map.of("type", "progress", "step", begun));
    if ((begun - first + 1) % every == 0 || begun == steps) {
      write("checkpoint", checkpoint.get());
      line.say(Map.of("type", "checkpoint", "step", begun));
      line.hear("saved");
    }
  }

  void finish(byte[] model) throws IOException {
    write("model", model);
    line.say(Map.of("type", "model"));
    line.hear("end");
  }

  private void write(String name, byte[] content) throws IOException {
    Path file = ProgramLine.path(start, name);
    TrainerCommand.write(file, content);
  }
}
