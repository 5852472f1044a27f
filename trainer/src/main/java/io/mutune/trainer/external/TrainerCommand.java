package io.mutune.trainer.external;

import io.mutune.trainer.data.RowArrays;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.file.DataFormatException;
import io.mutune.trainer.file.ScratchFolder;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.setting.OneLine;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a trainer is started: a program that speaks the protocol of {@code docs/external-trainers.md}
 * on its standard input and output. Immutable.
 *
 * @param name by which the owner of a data set has registered it; empty for a sweep's own
 * @param command the program and its arguments
 * @param folder that it runs in
 * @param environment all that it has beside a search path, a language and folders of its own
 * @param silence after which it is ended, if it says nothing
 */
public record TrainerCommand(
    Optional<String> name,
    List<String> command,
    Path folder,
    Map<String, String> environment,
    Duration silence)
    implements ModelFile.Scorer {
  /** Of the protocol; a trainer that speaks another one is refused. */
  public static final int PROTOCOL = 1;

  public static final Setting<List<String>> COMMAND =
      Setting.texts("command", 1, 100, "a program and its arguments");

  public static final Setting<Map<String, String>> ENVIRONMENT =
      Setting.textMap("environment", "of its process, beside PATH, LANG, HOME and TMPDIR");

  public static final Setting<Long> SILENCE =
      Setting.count("silence", 1, 1_000_000, "seconds after which a trainer that says nothing ends")
          .usually(600L);

  /** All that it is read from. */
  public static final List<Setting<?>> SETTINGS = List.of(COMMAND, ENVIRONMENT, SILENCE);

  private static final Pattern VARIABLE = Pattern.compile("[^=\\x00]+");

  private static final String FEATURES = "features";
  private static final String MODEL = "model";
  private static final String SCORES = "scores";

  public TrainerCommand {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /**
   * Reads {@link #SETTINGS}.
   *
   * @param name by which it is registered
   * @param folder that it runs in
   */
  public static TrainerCommand read(SettingsReader given, Optional<String> name, Path folder) {
    List<String> command =
        given
            .require(COMMAND, "give the program that trains, and its arguments")
            .orElse(List.of("-"));
    Map<String, String> environment = given.find(ENVIRONMENT).orElse(Map.of());
    environment.keySet().stream()
        .filter(variable -> !VARIABLE.matcher(variable).matches())
        .forEach(variable -> given.broken(ENVIRONMENT, "must have names without '='", variable));
    return new TrainerCommand(
        name, command, folder, environment, Duration.ofSeconds(given.get(SILENCE)));
  }

  /** What everybody may know it by, in one line. */
  public String shown() {
    return name.map("'%s' of the data set"::formatted)
        .orElseGet(() -> OneLine.of(String.join(" ", command)));
  }

  /**
   * Starts it.
   *
   * @param work what is handed to and fro is there
   * @throws ModelFile.Failure if there is no such program
   */
  public TrainerProcess start(ScratchFolder work) throws IOException {
    return TrainerProcess.start(this, work.path());
  }

  /** Asks a new process, which knows nothing but the model and the rows without their labels. */
  @Override
  public float[] scores(ModelFile model, RowBlocks rows, Runnable stop) throws IOException {
    try (ScratchFolder work = ScratchFolder.create()) {
      Path features = work.path().resolve(FEATURES + ".npy");
      Path scores = work.path().resolve(SCORES + ".npy");
      RowArrays.writeFeatures(features, rows);
      Path file = write(work.path().resolve(MODEL), model.content());
      try (TrainerProcess process = start(work)) {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("type", "predict");
        question.put("protocol", PROTOCOL);
        question.put(MODEL, file.toString());
        question.put(FEATURES, features.toString());
        question.put("columns", model.columns());
        question.put(SCORES, scores.toString());
        process.send(question);
        Map<String, Object> answer =
            process.receive(() -> isStopped(stop)).orElseThrow(InterruptedIOException::new);
        if (!SCORES.equals(answer.get("type"))) {
          throw process.failure("was asked for scores and said something else");
        }
        process.end();
        return read(process, scores, rows.rows(), model.columns());
      }
    }
  }

  private static boolean isStopped(Runnable stop) {
    stop.run(); // which throws where it is
    return false;
  }

  private static float[] read(TrainerProcess process, Path scores, long rows, int columns)
      throws ModelFile.Failure {
    try {
      return RowArrays.readScores(scores, rows, columns);
    } catch (IOException e) {
      String why =
          e instanceof DataFormatException
              ? String.valueOf(e.getMessage())
              : scores + ": cannot be read";
      // Whoever asks for scores of private rows throws it away.
      throw process.failure(
          "wrote no scores of the rows; " + why.replace(scores + ":", SCORES + ".npy"));
    }
  }

  /** Writes a file for its owner alone in a folder that is its owner's alone. */
  public static Path write(Path file, byte[] content) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(content);
    }
    return file;
  }
}
