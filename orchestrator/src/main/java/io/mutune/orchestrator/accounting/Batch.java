package io.mutune.orchestrator.accounting;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list of queries, each to be answered on its own: an answer says what was found, or {@code
 * error} and nothing else. docs/accounting.md describes the kinds.
 */
public final class Batch {
  private static final Map<String, Function<Inputs, Reply>> KINDS =
      Map.ofEntries(
          Map.entry("mu_delta_to_eps", GaussianRows::epsilon),
          Map.entry("eps_delta_to_mu", GaussianRows::mu),
          Map.entry("mu_eps_to_delta", GaussianRows::delta),
          Map.entry("eps_list_to_total", CompositionRows::total),
          Map.entry("remaining", CompositionRows::remaining),
          Map.entry("eps_delta_T_to_sigma", NoiseRows::sigma),
          Map.entry("sigma_eps_delta_to_Tmax", NoiseRows::largestSteps),
          Map.entry("sigma_T_delta_to_eps", NoiseRows::epsilon),
          Map.entry("epsilon", DpSgdRows::epsilon),
          Map.entry("replace_one", DpSgdRows::replaceOne),
          Map.entry("calibrate", DpSgdRows::sigma),
          Map.entry("mixture", MixtureRows::epsilons),
          Map.entry("private_selection", SelectionRows::select),
          Map.entry("ppsgd_eq3", ConcentratedRows::budget),
          Map.entry("ppsgd_eq4", ConcentratedRows::step),
          Map.entry("tcdp_theorem4", ConcentratedRows::sampled),
          Map.entry("tcdp_to_eps", ConcentratedRows::truncatedEpsilon),
          Map.entry("advanced_composition", ConcentratedRows::simple),
          Map.entry("zcdp_to_eps", ConcentratedRows::concentratedEpsilon));

  private final JsonNode queries;

  private Batch(JsonNode queries) {
    this.queries = queries;
  }

  /**
   * A list, an object whose {@code rows} are one, or a single query.
   *
   * @throws IllegalArgumentException if it is neither
   * @throws tools.jackson.core.JacksonException if it is no JSON
   */
  public static Batch read(String text) {
    JsonNode json = Numbers.read(text);
    JsonNode queries = json.isObject() && json.has("rows") ? json.get("rows") : json;
    if (!queries.isArray()) {
      throw new IllegalArgumentException(
          "a batch is a JSON list of queries, or an object whose rows are one");
    }
    return new Batch(queries);
  }

  /** The answers in the order of the queries; each is computed when it is asked for. */
  public Iterator<ObjectNode> answers() {
    return queries.valueStream().map(Batch::answer).iterator();
  }

  static ObjectNode answer(JsonNode query) {
    try {
      if (!(query instanceof ObjectNode object)) {
        throw new IllegalArgumentException("a query is a JSON object; was " + query);
      }
      return requireNumbers(answer(new Inputs(object)).json());
    } catch (IllegalArgumentException e) {
      return Numbers.object().put("error", String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // A mistake of ours, or a query beyond this machine: the others still get their answers.
      return Numbers.object().put("error", "this could not be computed: " + e);
    }
  }

  /** Not a number is no answer. */
  private static ObjectNode requireNumbers(ObjectNode answer) {
    answer
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isDouble() && Double.isNaN(entry.getValue().asDouble())) {
                throw new ArithmeticException(entry.getKey() + " is not a number");
              }
            });
    return answer;
  }

  private static Reply answer(Inputs query) {
    if (query.has("question")) {
      return switch (query.text("question")) {
        case "epsilon", "delta" -> QuestionRows.cost(query);
        default -> QuestionRows.calibration(query);
      };
    }
    if (query.has("mechanism") || query.has("mechanisms")) {
      return QuestionRows.cost(query);
    }
    String kind = kind(query);
    Function<Inputs, Reply> answer = KINDS.get(kind);
    if (answer == null) {
      throw new IllegalArgumentException(
          "kind must be one of %s; was '%s'"
              .formatted(String.join(", ", KINDS.keySet().stream().sorted().toList()), kind));
    }
    return answer.apply(query);
  }

  /** Two of the tables have rows of one kind, which does not say its name. */
  private static String kind(Inputs query) {
    if (query.has("kind")) {
      return query.text("kind");
    }
    if (query.has("components")) {
      return "mixture";
    }
    if (query.has("base")) {
      return "private_selection";
    }
    throw new IllegalArgumentException("kind is missing");
  }
}
