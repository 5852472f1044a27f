package io.mutune.trainer.external;

import io.mutune.trainer.data.RowArrays;
import io.mutune.trainer.data.RowBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A program in Java that trains for {@code method: external}: its {@code main} hands one of these
 * to {@link #serve}. {@code docs/external-trainers.md} says what is the program's word.
 */
public interface TrainerProgram {
  /**
   * Trains one run, whose every step is begun before a row is read for it.
   *
   * @return the bytes of the model: only what follows from noisy sums
   */
  byte[] train(ProgramRun run) throws IOException;

  /**
   * Scores each row by itself.
   *
   * @param model what {@link #train} has returned
   * @param rows without labels
   * @param columns scores for each row
   * @return {@code [rows, columns]}, row-major
   */
  float[] scores(byte[] model, RowBlocks rows, int columns) throws IOException;

  /**
   * Answers the one question that this process was started for. What is printed to standard output
   * from now on goes to standard error, since the messages are on the other.
   *
   * @throws IOException if Mutune has ended, or says what is not in the protocol
   */
  static void serve(TrainerProgram program) throws IOException {
    ProgramLine line = ProgramLine.ofProcess();
    Map<String, Object> question = line.hear("run", "predict");
    if (!Double.valueOf(TrainerCommand.PROTOCOL).equals(question.get("protocol"))) {
      throw new IOException("this program speaks protocol " + TrainerCommand.PROTOCOL);
    }
    if ("run".equals(question.get("type"))) {
      ProgramRun run = ProgramRun.of(line, question);
      run.finish(program.train(run));
      return;
    }
    byte[] model = Files.readAllBytes(ProgramLine.path(question, "model"));
    Path features = ProgramLine.path(question, "features");
    int columns = ProgramLine.whole(question, "columns");
    float[] scores = program.scores(model, RowArrays.read(features, Optional.empty()), columns);
    RowArrays.writeScores(ProgramLine.path(question, "scores"), scores, columns);
    line.say(Map.of("type", "scores"));
    line.hear("end");
  }
}
