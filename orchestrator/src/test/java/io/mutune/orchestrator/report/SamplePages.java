package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ComparisonDocument;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.report.OtherStudies.Tested;
import io.mutune.orchestrator.search.Fit;
import io.mutune.orchestrator.sweep.Sweeps;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents of every kind of study that a page has to show well. */
final class SamplePages {
  private static final Path OUTPUT = Path.of("/nowhere/run");

  private SamplePages() {}

  static Map<String, StudyDocuments> studies() {
    Map<String, StudyDocuments> studies = new LinkedHashMap<>();
    studies.put("scale-free", scaleFree());
    studies.put("linear-scaling", linearScaling());
    studies.put("without-mu", withoutMu());
    studies.put("without-trials", withoutTrials());
    studies.put("no-trials", noTrials());
    studies.put("secret-trials", secretTrials());
    studies.put("nothing-chosen", nothingChosen());
    studies.put("void", voided());
    studies.put("regression", regression());
    studies.put("many-trials", manyTrials());
    studies.put("kept-trial", keptTrial());
    return studies;
  }

  /** One lost its score in a crash, a guard acted. */
  static StudyDocuments scaleFree() {
    return StudyDocuments.of(
        Results.of(
            Results.sweep(),
            OUTPUT,
            Results.posterior(
                Stream.iterate(0.1, x -> x < 10, x -> 1.1 * x)
                    .map(x -> new Fit.Point(x, 0.7 - 0.05 * Math.pow(Math.log(x), 2)))
                    .toList())));
  }

  static StudyDocuments linearScaling() {
    return StudyDocuments.of(
        Results.of(
            Sweeps.read(Sweeps.LINEAR),
            OUTPUT,
            new Fit(
                "polynomial",
                "epsilon",
                "radius",
                List.of(-5.0, 150.0),
                List.of(new Fit.Point(0.1, 10), new Fit.Point(0.2, 25)),
                List.of(),
                Optional.empty())));
  }

  /** A study's documents as trees, to be changed. */
  record Trees(ObjectNode plan, ObjectNode statement, ObjectNode result) {}

  static StudyDocuments changed(StudyDocuments study, Consumer<Trees> change) {
    Trees trees =
        new Trees(Json.tree(study.plan()), Json.tree(study.statement()), Json.tree(study.result()));
    change.accept(trees);
    return new StudyDocuments(
        study.description(),
        Json.read(trees.plan, PlanDocument.class),
        Json.read(trees.statement, StatementDocument.class),
        Json.read(trees.result, ResultDocument.class));
  }

  /** Stated by an accountant that knows no μ. */
  static StudyDocuments withoutMu() {
    return changed(
        scaleFree(),
        study -> {
          study.statement().remove("mu");
          study.statement().put("accountant", "pld");
          for (JsonNode list :
              List.of(
                  study.statement().path("charges"),
                  study.plan().path("charges"),
                  study.plan().path("trials"))) {
            list.forEach(entry -> ((ObjectNode) entry).remove("mu"));
          }
        });
  }

  static StudyDocuments withoutTrials() {
    return changed(
        scaleFree(),
        study -> {
          study.result().remove(List.of("fit", "scores"));
          study.result().put("strategy", "fixed");
          study.result().putArray("trials");
          study.result().putArray("guards");
          study.plan().putArray("trials");
          keepFinal((ArrayNode) study.statement().path("charges"));
          keepFinal((ArrayNode) study.plan().path("charges"));
        });
  }

  /** As of a search whose budget is too small for any: the prior alone is its fit. */
  static StudyDocuments noTrials() {
    return changed(
        withoutTrials(),
        study -> {
          study.result().put("strategy", "scale-free");
          study.result().set("fit", Json.tree(scaleFree().result()).get("fit"));
          study.plan().put("split", "the budget is <small>");
        });
  }

  private static void keepFinal(ArrayNode charges) {
    JsonNode last = charges.get(charges.size() - 1);
    charges.removeAll().add(last);
  }

  /** As of a search that releases its result alone. */
  static StudyDocuments secretTrials() {
    return changed(
        withoutTrials(),
        study -> {
          study.result().put("strategy", "random-stopping").remove("seconds");
          study.result().withObject("final").put("score", 0.77);
        });
  }

  /** As of equal runs, of which the best is the result. */
  static StudyDocuments keptTrial() {
    return changed(
        scaleFree(),
        study -> {
          study.result().put("strategy", "grid").remove("fit");
          study.result().putArray("guards");
          ObjectNode last = study.result().withObject("final");
          last.put("trial", 3).remove("sigma");
          study
              .result()
              .path("trials")
              .get(2)
              .propertyStream()
              .filter(one -> last.has(one.getKey()) && !one.getKey().equals("trial"))
              .forEach(one -> last.set(one.getKey(), one.getValue()));
          for (JsonNode charges :
              List.of(study.statement().path("charges"), study.plan().path("charges"))) {
            ((ArrayNode) charges).remove(charges.size() - 1);
          }
        });
  }

  /** As of a method whose settings decide everything. */
  static StudyDocuments nothingChosen() {
    return changed(
        withoutTrials(),
        study -> {
          study.result().putObject("final").put("lostSteps", 0);
          study.result().remove(List.of("testAccuracy", "test", "learningCurve"));
        });
  }

  static StudyDocuments voided() {
    return changed(
        scaleFree(),
        study ->
            study
                .statement()
                .put("guarantee", "void")
                .put("why", "the best was picked <uncharged>"));
  }

  static StudyDocuments regression() {
    return changed(
        scaleFree(),
        study -> {
          study.result().remove("testAccuracy");
          study.result().put("testError", 12.34);
          study
              .result()
              .set(
                  "test",
                  Json.read(
                      """
                      {"rows": 400, "baseline": {"says": "50", "value": 22.5},
                       "meanAbsoluteError": {"value": 12.34, "low": 11.8, "high": 12.9},
                       "meanSquaredError": 260.5, "r2": 0.61,
                       "targets": [
                        {"from": 0, "to": 5, "rows": 0, "said": 2.5, "low": 2.5, "median": 2.5,
                         "high": 2.5},
                        {"from": 5, "to": 10, "rows": 300, "said": 8, "low": 1.5, "median": 7.5,
                         "high": 16.25},
                        {"from": 10, "to": 15, "rows": 100, "said": 11, "low": 4, "median": 12,
                         "high": 30}]}
                      """));
          study.result().withObject("scores").put("measure", "closeness");
        });
  }

  /** So many that charges are taken together by kind. */
  static StudyDocuments manyTrials() {
    return changed(scaleFree(), SamplePages::addTrials);
  }

  private static void addTrials(Trees study) {
    ArrayNode charges = (ArrayNode) study.statement().path("charges");
    ArrayNode trials = (ArrayNode) study.result().path("trials");
    ArrayNode planned = (ArrayNode) study.plan().path("trials");
    for (int trial = 4; trial <= 60; trial++) {
      charges.add(((ObjectNode) charges.get(0).deepCopy()).put("what", "trial " + trial));
      charges.add(((ObjectNode) charges.get(1).deepCopy()).put("what", "score " + trial));
      trials.add(
          ((ObjectNode) trials.get(0).deepCopy())
              .put("trial", trial)
              .put("learningRate", 0.01 * trial)
              .put("radius", trial)
              .put("score", 0.5 + 0.005 * trial));
      planned.add(((ObjectNode) planned.get(0).deepCopy()).put("trial", trial));
    }
  }

  static List<Tested> others() {
    return others("another");
  }

  static List<Tested> others(String name) {
    return List.of(
        new Tested("00000001", name, "fixed", 0.5, 0.71, true),
        new Tested("00000002", name, "linear-scaling", 1, 0.83, true),
        new Tested("00000003", name, "random", 1, 0.9, false));
  }

  /** Three strategies, one of them void, one whose interval has an open end. */
  static ComparisonDocument comparison() {
    return Json.read(
        """
        {"version": 1, "name": "compared <all>", "notice": "an experiment on rows that are public",
         "declared": "public", "method": "noisy-gd", "rows": 1300, "seed": 7, "repeats": 4,
         "budget": {"epsilon": 1, "delta": 1e-5, "mu": 0.268, "adjacency": "add-remove"},
         "range": {"name": "careless", "learningRate": {"min": 0.01, "max": 100},
                   "steps": {"min": 5, "max": 200}},
         "oracle": {"charged": false, "points": 60, "radius": 50, "seconds": 12,
                    "trainedSteps": 9, "accuracy":
                    {"mean": 0.91, "spread": 0.01, "least": 0.9, "greatest": 0.92, "values": [0.9, 0.92]}},
         "strategies": [
           {"strategy": "scale-free", "guarantee": "holds", "epsilon": 1, "trials": 3,
            "accuracy": {"mean": 0.9, "spread": 0.004, "least": 0.895, "greatest": 0.905,
                         "values": [0.895, 0.9, 0.9, 0.905]},
            "rerr": {"value": 0.96, "low": 0.9, "high": 1.05},
            "overFixed": {"value": 0.012, "standardError": 0.004},
            "tuningShare": 0.1, "trainedSteps": 400, "seconds": 4.5, "guards": {}},
           {"strategy": "random", "guarantee": "holds", "epsilon": 1, "trials": 6,
            "accuracy": {"mean": 0.7, "spread": 0.1, "least": 0.55, "greatest": 0.82,
                         "values": [0.55, 0.66, 0.77, 0.82]},
            "tuningShare": 0.83, "trainedSteps": 600, "seconds": 6, "guards": {"lost-score": 1}},
           {"strategy": "linear-scaling-uncharged", "guarantee": "void", "epsilon": 1, "trials": 6,
            "accuracy": {"mean": 0.6, "spread": 0.2, "least": 0.3, "greatest": 0.85,
                         "values": [0.3, 0.5, 0.75, 0.85]},
            "rerr": {"value": -3.5, "high": 0.4},
            "tuningShare": 0.3, "trainedSteps": 500, "seconds": 5, "guards": {}}]}
        """,
        ComparisonDocument.class);
  }
}
