package io.mutune.orchestrator.accounting;

import io.mutune.accountant.compare.Accountant;
import io.mutune.accountant.compare.Answer;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.compare.Comparison;
import io.mutune.accountant.mechanism.Mechanism;
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
    CostQuestion question, Bound bound, String accountant, Optional<Comparison> comparison) {
  Cost with(Comparison all) {
    return new Cost(question, bound, accountant, Optional.of(all));
  }

  /** The answer alone, as batches give it. */
  Reply reply(Inputs query) {
    Reply reply =
        Reply.to(query)
            .by(accountant, question.releases().adjacency())
            .cost(question.ask().wanted(), bound.lower(), bound.upper());
    addComparison(reply.json());
    return reply;
  }

  /** The answer and what was asked. */
  public ObjectNode json() {
    ObjectNode json = Numbers.object().put("version", 1).put("question", question.ask().wanted());
    ArrayNode mechanisms = json.putArray("mechanisms");
    for (Mechanism mechanism : question.releases().mechanisms()) {
      mechanisms.add(MechanismForm.json(mechanism));
    }
    json.put("adjacency", question.releases().adjacency().key());
    Numbers.put(json, question.ask().given(), question.ask().at().nearest());
    json.put("accountant", accountant);
    Numbers.put(json, "lower", bound.lower());
    Numbers.put(json, "upper", bound.upper());
    Numbers.put(json, "guarantee", bound.upper());
    Numbers.put(json, question.ask().wanted(), bound.upper());
    Charged.mu(question.releases()).ifPresent(mu -> json.put("mu", mu.value()));
    addComparison(json);
    return json;
  }

  private void addComparison(ObjectNode json) {
    if (comparison.isEmpty()) {
      return;
    }
    ArrayNode list = json.putArray("comparison");
    for (Map.Entry<Accountant, Answer> e : comparison.get().answers().entrySet()) {
      ObjectNode row = list.addObject().put("accountant", e.getKey().key());
      if (e.getValue() instanceof Bound b) {
        Numbers.put(row, "lower", b.lower());
        Numbers.put(row, "upper", b.upper());
        row.put("tightest", comparison.get().tightest().equals(Optional.of(e.getKey())));
      } else if (e.getValue() instanceof NotApplicable none) {
        row.put("notApplicable", none.reason());
      }
    }
  }
}
