package io.mutune.orchestrator.cost;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.AccountantComparison;
import io.mutune.accountant.compare.Answer;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.mechanism.Mechanism;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What releases cost.
 *
 * @param bound its upper end is the guarantee
 * @param accountant whose upper end it is
 * @param comparison all accountants' answers, where they were asked for
 */
public record Cost(
    CostQuestion question,
    Bound bound,
    String accountant,
    Optional<AccountantComparison> comparison) {
  /** How far a closed form's rounding may carry it beyond an ε that its noise was made for. */
  private static final double ROUNDING = 1e-9;

  /**
   * The same cost where the releases are known to cost at most this ε: an upper end that is above
   * it by rounding alone becomes the known ε, rounded up.
   */
  public Cost knownAtMost(Decimal epsilon) {
    Epsilon known = Epsilon.of(epsilon.up());
    return new Cost(
        question,
        cut(bound, known.value()),
        accountant,
        comparison.map(
            all -> {
              Map<Accountant, Answer> answers = new EnumMap<>(Accountant.class);
              all.answers()
                  .forEach(
                      (a, answer) ->
                          answers.put(
                              a, answer instanceof Bound b ? cut(b, known.value()) : answer));
              return new AccountantComparison(all.releases(), all.query(), answers);
            }));
  }

  /** Whether it passes a total, which a known ε meets exactly where both are the same number. */
  public boolean passes(Decimal total, Optional<Decimal> known) {
    return known
        .filter(epsilon -> bound.upper() <= epsilon.up())
        .map(epsilon -> !total.infinite() && epsilon.exact().compareTo(total.exact()) > 0)
        .orElse(bound.upper() > total.down());
  }

  private static Bound cut(Bound bound, double known) {
    return bound.upper() > known && bound.upper() <= known * (1 + ROUNDING)
        ? new Bound(Math.min(bound.lower(), known), known)
        : bound;
  }

  Cost with(AccountantComparison all) {
    return new Cost(question, bound, accountant, Optional.of(all));
  }

  /** The question and its answer. */
  public ObjectNode json() {
    ObjectNode json = ExactJson.object().put("version", 1).put("question", query().wanted());
    ArrayNode mechanisms = json.putArray("mechanisms");
    for (Mechanism mechanism : question.releases().mechanisms()) {
      mechanisms.add(MechanismForm.json(mechanism));
    }
    json.put("adjacency", question.releases().adjacency().key());
    ExactJson.put(json, query().given(), query().at().nearest());
    json.put("accountant", accountant);
    addBound(json);
    question.releases().gaussianMu().ifPresent(mu -> json.put("mu", mu.value()));
    addComparison(json);
    return json;
  }

  /** Adds the answer alone, as batches give it. */
  void addTo(ObjectNode json) {
    json.put("accountant", accountant).put("adjacency", question.releases().adjacency().key());
    addBound(json);
    addComparison(json);
  }

  private DecimalQuery query() {
    return question.query();
  }

  private void addBound(ObjectNode json) {
    ExactJson.put(json, "lower", bound.lower());
    ExactJson.put(json, "upper", bound.upper());
    ExactJson.put(json, "guarantee", bound.upper());
    ExactJson.put(json, query().wanted(), bound.upper());
  }

  private void addComparison(ObjectNode json) {
    if (comparison.isEmpty()) {
      return;
    }
    ArrayNode list = json.putArray("comparison");
    for (Map.Entry<Accountant, Answer> e : comparison.get().answers().entrySet()) {
      ObjectNode row = list.addObject().put("accountant", e.getKey().key());
      if (e.getValue() instanceof Bound b) {
        ExactJson.put(row, "lower", b.lower());
        ExactJson.put(row, "upper", b.upper());
        row.put("tightest", comparison.get().tightest().equals(Optional.of(e.getKey())));
      } else if (e.getValue() instanceof NotApplicable none) {
        row.put("notApplicable", none.reason());
      }
    }
  }
}
