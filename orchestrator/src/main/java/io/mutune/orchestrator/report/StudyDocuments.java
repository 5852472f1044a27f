package io.mutune.orchestrator.report;

import io.mutune.orchestrator.study.StudyResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the page of a study may know: its public sweep's description and the documents that stand
 * beside the page. Nothing else is at hand where the page is made.
 */
record StudyDocuments(
    String description, ObjectNode plan, ObjectNode statement, ObjectNode result) {

  static StudyDocuments of(StudyResult result) {
    return new StudyDocuments(
        result.study().sweep().description(),
        PlanDocument.json(result.study().plan()),
        StatementDocument.json(result),
        ResultDocument.json(result));
  }

  List<JsonNode> trials() {
    return result.path("trials").valueStream().toList();
  }

  /** What the plan says of a trial: its μ, among others, where it has one. */
  JsonNode planned(JsonNode trial) {
    return plan.path("trials")
        .valueStream()
        .filter(planned -> planned.path("trial").equals(trial.path("trial")))
        .findFirst()
        .orElse(plan.path("nothing"));
  }

  JsonNode finalRun() {
    return result.path("final");
  }

  /** What the plan says that the final run costs alone; missing where it has no such charge. */
  JsonNode finalCharge() {
    return plan.path("charges")
        .valueStream()
        .filter(charge -> charge.path("what").asString().equals("final"))
        .findFirst()
        .orElse(plan.path("nothing"));
  }

  boolean holds() {
    return statement.path("guarantee").asString().equals("holds");
  }

  Optional<JsonNode> fit() {
    return Optional.of(result.path("fit")).filter(JsonNode::isObject);
  }

  /** Whether every number of this key is there for all trials and the final run. */
  boolean everyRunHas(String key) {
    return finalRun().path(key).isNumber()
        && trials().stream().allMatch(trial -> trial.path(key).isNumber());
  }

  static OptionalDouble number(JsonNode node) {
    return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
  }
}
