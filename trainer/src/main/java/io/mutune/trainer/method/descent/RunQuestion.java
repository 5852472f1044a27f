package io.mutune.trainer.method.descent;

import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.external.TrainerProcess;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.table.DecimalText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The run that a trainer of its own is asked for, and the mechanism that it must name in answer.
 */
record RunQuestion(External method, Problem problem, Run run) {
  Map<String, Object> message() {
    Map<String, Object> question = new LinkedHashMap<>();
    question.put("type", "run");
    question.put("protocol", TrainerCommand.PROTOCOL);
    question.put("mechanism", charged());
    question.put("learningRate", run.learningRate());
    if (method.descends()) {
      question.put("momentum", method.momentum());
    }
    question.put("rows", problem.publicRows());
    question.put("expectedRows", method.gradient().expectedRows(problem));
    question.put("adjacency", problem.adjacency().key());
    question.put("classes", problem.classes());
    question.put("columns", problem.columns());
    question.put("loss", problem.loss().key());
    question.put("settings", settings());
    return question;
  }

  private Map<String, Object> charged() {
    boolean sampled = method.samplingRate() < 1;
    Map<String, Object> mechanism = new LinkedHashMap<>();
    mechanism.put("type", sampled ? "sampled-gaussian" : "gaussian");
    mechanism.put("steps", run.steps());
    mechanism.put("noiseMultiplier", run.sigma().value());
    mechanism.put("clipNorm", method.gradient().clipNorm().value());
    if (sampled) {
      mechanism.put("samplingRate", method.samplingRate());
    }
    return mechanism;
  }

  /** Decimal numbers and flags are told as such. */
  private Map<String, Object> settings() {
    Map<String, Object> typed = new LinkedHashMap<>();
    method.settings().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(setting -> typed.put(setting.getKey(), typed(setting.getValue())));
    return typed;
  }

  private static Object typed(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    double number = DecimalText.parseDouble(text);
    return Double.isNaN(number) ? text : number;
  }

  /**
   * That a trainer would use the mechanism that is charged, to the last of its numbers.
   *
   * @param ready what it has answered
   * @throws IOException otherwise; it has been given no row then
   */
  void requireCharged(TrainerProcess process, Map<String, Object> ready) throws IOException {
    if (!Double.valueOf(TrainerCommand.PROTOCOL).equals(ready.get("protocol"))) {
      throw process.failure(
          "speaks another protocol than version %d, and was given no row"
              .formatted(TrainerCommand.PROTOCOL));
    }
    Object said = ready.get("mechanism");
    Map<?, ?> named = said instanceof Map<?, ?> map ? map : Map.of();
    Map<String, Object> charged = charged();
    for (Map.Entry<String, Object> part : charged.entrySet()) {
      Object is = named.get(part.getKey());
      boolean same =
          part.getValue() instanceof Number number
              ? is instanceof Double given && given == number.doubleValue()
              : part.getValue().equals(is);
      if (!same) {
        throw process.failure(
            "would use another mechanism than the charged one (mechanism.%s), and was given no row"
                .formatted(part.getKey()));
      }
    }
    if (!charged.keySet().equals(named.keySet())) {
      throw process.failure("names more of its mechanism than is charged, and was given no row");
    }
  }
}
