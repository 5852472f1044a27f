package io.mutune.orchestrator.cli.run;

import io.mutune.orchestrator.cli.command.CliCommand;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a finished study to MLflow: a run with its figures and files, and a run below it for each
 * trial. Everything is taken from the public documents of the study's folder, so that nothing goes
 * there that was not released.
 *
 * @param experiment its id
 * @param begun when the study was, in milliseconds: the time of everything, since what the
 *     documents do not tell of time is not told here either; when a study of secret runs ended
 *     would tell how many there were
 */
record MlflowLog(MlflowServer server, String experiment, long begun) {
  /** Not the sweep: it says where files are on this machine. */
  private static final List<String> FILES =
      List.of(
          "model.npz",
          "model.bin",
          "model.json",
          ResultDocument.FILE,
          StatementDocument.FILE,
          "statement.txt",
          "plan.json",
          "trials.csv",
          "report.html");

  private static final List<String> FIGURES = List.of("test", "privateTest", "privateFigures");

  private static final Set<String> COSTS = Set.of("epsilon", "mu");

  /** Of a run; what else it has are parameters. */
  private static final Set<String> MEASURED = Set.of("epsilon", "mu", "score", "lostSteps");

  /** Logs a study, and says what of it the server did not take. */
  void log(Path folder, CliCommand command) throws IOException {
    boolean all;
    try {
      all = log(folder);
    } catch (IOException e) {
      throw new IOException(
          "the study is finished, with its results in "
              + folder
              + ", but not all of it was logged: "
              + e.getMessage(),
          e);
    }
    if (!all) {
      command.say(
          "MLflow took the figures; it keeps files where only its own client puts them, so the"
              + " model stays in "
              + folder);
    }
  }

  /** Whether the server took the files too: some servers leave these to another place. */
  private boolean log(Path folder) throws IOException {
    server.beginLog();
    ObjectNode result = Json.read(Files.readString(folder.resolve(ResultDocument.FILE)));
    ObjectNode statement = Json.read(Files.readString(folder.resolve(StatementDocument.FILE)));
    JsonNode run = begin(name(result), tags(result, statement));
    String id = server.id("run_id", run);
    figures(id, result, statement);
    for (JsonNode trial : result.path("trials")) {
      trial(id, name(result) + " trial " + trial.path("trial").asInt(), trial, statement);
    }
    String place = run.path("artifact_uri").asString("");
    boolean takes = MlflowServer.takesFiles(place);
    for (String file : takes ? files(folder) : List.<String>of()) {
      server.put(place, file, folder.resolve(file));
    }
    end(id);
    return takes;
  }

  /** With the models beside the final one, each in its folder. */
  private static List<String> files(Path folder) throws IOException {
    List<String> files = new ArrayList<>();
    FILES.stream().filter(name -> Files.exists(folder.resolve(name))).forEach(files::add);
    ObjectNode result = Json.read(Files.readString(folder.resolve(ResultDocument.FILE)));
    for (JsonNode release : result.path("releases")) {
      String place = release.path("folder").asString();
      Stream.of("/model.npz", "/model.bin", "/model.json")
          .map(place::concat)
          .filter(name -> Files.exists(folder.resolve(name)))
          .forEach(files::add);
    }
    return files;
  }

  private static String name(ObjectNode result) {
    return result.path("name").asString() + "-" + result.path("study").asString();
  }

  private JsonNode begin(String name, ArrayNode tags) throws IOException {
    ObjectNode body = Json.object().put("experiment_id", experiment).put("run_name", name);
    body.put("start_time", begun).set("tags", tags);
    return server.post("runs/create", body).path("run").path("info");
  }

  private void end(String id) throws IOException {
    server.post(
        "runs/update",
        Json.object().put("run_id", id).put("status", "FINISHED").put("end_time", begun));
  }

  private static ArrayNode tags(ObjectNode result, ObjectNode statement) {
    ArrayNode tags = Json.object().putArray("tags");
    pair(tags, "mlflow.source.name", "mutune");
    pair(tags, "mutune.study", result.path("study").asString());
    String guarantee = statement.path("guarantee").asString("");
    pair(tags, "mutune.guarantee", guarantee);
    if (!guarantee.equals("holds")) {
      String why = statement.path("why").asString("unknown");
      pair(tags, "mlflow.note.content", "The stated epsilon does not hold: " + why);
    }
    pair(tags, "mutune.unit", statement.path("unit").asString(""));
    pair(tags, "mutune.adjacency", statement.path("adjacency").asString(""));
    pair(tags, "mutune.ledger.head", statement.path("ledger").path("head").asString(""));
    return tags;
  }

  private static void pair(ArrayNode array, String key, String value) {
    if (!value.isEmpty()) {
      array.addObject().put("key", key).put("value", value);
    }
  }

  private void figures(String id, ObjectNode result, ObjectNode statement) throws IOException {
    ObjectNode batch = Json.object().put("run_id", id);
    ArrayNode params = batch.putArray("params");
    ArrayNode metrics = batch.putArray("metrics");
    pair(params, "strategy", result.path("strategy").asString());
    pair(params, "method", result.path("method").asString());
    pair(params, "trials", Integer.toString(result.path("trials").size()));
    run(params, metrics, result.path("final"), statement);
    metric(metrics, cost("epsilon", statement), statement.path("epsilon"));
    metric(metrics, cost("mu", statement), statement.path("mu"));
    metric(metrics, "delta", statement.path("delta"));
    for (String key : List.of("testAccuracy", "testError", "seconds")) {
      metric(metrics, key, result.path(key));
    }
    for (String part : FIGURES) {
      for (Map.Entry<String, JsonNode> figure : result.path(part).properties()) {
        String key = part + "." + figure.getKey();
        metric(metrics, key, figure.getValue());
        metric(metrics, key, figure.getValue().path("value"));
        metric(metrics, key + ".low", figure.getValue().path("low"));
        metric(metrics, key + ".high", figure.getValue().path("high"));
      }
    }
    server.post("runs/log-batch", batch);
  }

  private void trial(String parent, String name, JsonNode trial, ObjectNode statement)
      throws IOException {
    ArrayNode tags = Json.object().putArray("tags");
    pair(tags, "mlflow.parentRunId", parent);
    pair(tags, "mlflow.source.name", "mutune");
    pair(tags, "mutune.guarantee", statement.path("guarantee").asString(""));
    pair(tags, "mutune.state", trial.path("state").asString(""));
    String id = server.id("run_id", begin(name, tags));
    ObjectNode batch = Json.object().put("run_id", id);
    run(batch.putArray("params"), batch.putArray("metrics"), trial, statement);
    server.post("runs/log-batch", batch);
    end(id);
  }

  /** An ε that does not hold is no figure to sort runs by. */
  private static String cost(String key, ObjectNode statement) {
    boolean holds = statement.path("guarantee").asString("").equals("holds");
    return holds || !COSTS.contains(key) ? key : key + ".void";
  }

  private void run(ArrayNode params, ArrayNode metrics, JsonNode run, ObjectNode statement) {
    for (Map.Entry<String, JsonNode> number : run.properties()) {
      if (MEASURED.contains(number.getKey())) {
        metric(metrics, cost(number.getKey(), statement), number.getValue());
      } else if (number.getValue().isNumber()) {
        pair(params, number.getKey(), number.getValue().asString());
      }
    }
  }

  private void metric(ArrayNode metrics, String key, JsonNode value) {
    if (value.isNumber()) {
      metrics
          .addObject()
          .put("key", key)
          .put("value", value.asDouble())
          .put("timestamp", begun)
          .put("step", 0);
    }
  }
}
