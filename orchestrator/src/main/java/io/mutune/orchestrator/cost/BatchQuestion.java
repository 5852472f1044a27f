package io.mutune.orchestrator.cost;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.orchestrator.cost.CalibrationQuestion.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Reads one question of a batch, with mechanisms as ledgers write them. */
final class BatchQuestion {
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
  private static final Set<String> CALIBRATION = Set.of("sigma", "q", "steps");

  private BatchQuestion() {}

  /** Whether a cost is asked, as it is where no {@code question} is named. */
  static boolean isCost(QueryFields query) {
    return !query.has("question") || Set.of("epsilon", "delta").contains(query.text("question"));
  }

  /** What mechanisms cost at a {@code delta} or at an {@code epsilon}. */
  static CostQuestion cost(QueryFields query) {
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
    return new CostQuestion(
        new Releases(mechanisms, adjacency),
        query.has("delta")
            ? DecimalQuery.epsilonAt(query.decimal("delta"))
            : DecimalQuery.deltaAt(query.decimal("epsilon")),
        query.accountant(),
        query.compare());
  }

  /** Which {@code sigma}, {@code steps}, {@code q} or final run a budget allows. */
  static CalibrationQuestion calibration(QueryFields query) {
    refuseUnknown(query, CALIBRATION);
    Adjacency adjacency = query.adjacency();
    return new CalibrationQuestion(
        Unknown.ofKey(query.text("question")),
        query.accountant(),
        query.decimal("epsilon"),
        query.decimal("delta"),
        adjacency,
        query.has("sigma")
            ? OptionalDouble.of(query.decimal("sigma").positive("sigma").down())
            : OptionalDouble.empty(),
        query.has("q") ? OptionalDouble.of(query.decimal("q").rate("q")) : OptionalDouble.empty(),
        query.has("steps")
            ? OptionalLong.of(query.decimal("steps").count("steps"))
            : OptionalLong.empty(),
        mechanisms(query, adjacency));
  }

  private static List<Mechanism> mechanisms(QueryFields query, Adjacency adjacency) {
    List<Mechanism> mechanisms = new ArrayList<>();
    MechanismForm form =
        new MechanismForm(
            adjacency, query.has("delta") ? Optional.of(query.decimal("delta")) : Optional.empty());
    if (query.has("mechanism")) {
      mechanisms.add(form.ofJson(query.json()));
    } else if (query.has("count") || query.has("parameters")) {
      throw new IllegalArgumentException(
          "count and parameters belong to a mechanism: give them in each of mechanisms");
    }
    if (query.has("mechanisms")) {
      JsonNode list = query.get("mechanisms");
      if (!list.isArray()) {
        throw new IllegalArgumentException("mechanisms must be a list; was " + list);
      }
      mechanisms.addAll(form.ofList(list));
    }
    return mechanisms;
  }

  private static void refuseUnknown(QueryFields query, Set<String> more) {
    for (String key : query.json().propertyNames()) {
      if (!COMMON.contains(key) && !more.contains(key)) {
        throw new IllegalArgumentException("unknown key '" + key + "'");
      }
    }
  }
}
