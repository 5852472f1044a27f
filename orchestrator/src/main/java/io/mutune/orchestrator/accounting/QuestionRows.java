package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.accounting.Calibration.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Queries in Mutune's own form, over mechanisms as ledgers write them. Unknown keys are errors. */
final class QuestionRows {
  private static final Set<String> COMMON =
      Set.of(
          "version",
          "id",
          "name",
          "question",
          "adjacency",
          "accountant",
          "epsilon",
          "delta",
          "mechanisms",
          "mechanism",
          "parameters",
          "count");

  private static final Set<String> COST = Set.of("compare");
  private static final Set<String> SOLVING = Set.of("sigma", "q", "steps");

  private QuestionRows() {}

  /** Mechanisms, and either {@code delta} or {@code epsilon}, to the other. */
  static Reply cost(Inputs query) {
    refuseUnknown(query, COST);
    if (query.has("delta") == query.has("epsilon")) {
      throw new IllegalArgumentException(
          "a cost is asked at a delta or at an epsilon, one of them");
    }
    String given = query.has("delta") ? "delta" : "epsilon";
    if (query.has("question") && query.text("question").equals(given)) {
      throw new IllegalArgumentException(
          "the question is what is given already: %s".formatted(given));
    }
    Adjacency adjacency = query.adjacency();
    List<Mechanism> mechanisms = mechanisms(query, adjacency);
    if (mechanisms.isEmpty()) {
      throw new IllegalArgumentException("mechanism or mechanisms is missing");
    }
    Ask ask =
        query.has("delta")
            ? Ask.epsilonAt(query.decimal("delta"))
            : Ask.deltaAt(query.decimal("epsilon"));
    return new CostQuestion(
            new Releases(mechanisms, adjacency), ask, Choice.by(query), Choice.compare(query))
        .answer()
        .reply(query);
  }

  /** A budget and all but one of {@code sigma}, {@code steps} and {@code q} to that one. */
  static Reply calibration(Inputs query) {
    refuseUnknown(query, SOLVING);
    Adjacency adjacency = query.adjacency();
    Unknown unknown = Unknown.ofKey(query.text("question"));
    return new Calibration(
            unknown,
            Choice.by(query),
            query.decimal("epsilon"),
            query.decimal("delta"),
            adjacency,
            query.has("sigma") ? OptionalDouble.of(query.noise("sigma")) : OptionalDouble.empty(),
            query.has("q") ? query.decimal("q").rate("q") : 1,
            query.has("steps") ? OptionalLong.of(query.count("steps")) : OptionalLong.empty(),
            mechanisms(query, adjacency))
        .answer()
        .reply(query);
  }

  private static List<Mechanism> mechanisms(Inputs query, Adjacency adjacency) {
    List<Mechanism> mechanisms = new ArrayList<>();
    if (query.has("mechanism")) {
      mechanisms.add(MechanismForm.ofJson(query.json(), adjacency));
    }
    if (query.has("mechanisms")) {
      JsonNode list = query.get("mechanisms");
      if (!list.isArray()) {
        throw new IllegalArgumentException("mechanisms must be a list; was " + list);
      }
      for (JsonNode mechanism : list) {
        mechanisms.add(MechanismForm.ofJson(mechanism, adjacency));
      }
    }
    return mechanisms;
  }

  private static void refuseUnknown(Inputs query, Set<String> more) {
    for (String key : query.json().propertyNames()) {
      if (!COMMON.contains(key) && !more.contains(key)) {
        throw new IllegalArgumentException("unknown key '" + key + "'");
      }
    }
  }
}
