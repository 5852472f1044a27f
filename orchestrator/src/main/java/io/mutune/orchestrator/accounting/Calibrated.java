package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.accounting.Calibration.Unknown;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What keeps a budget.
 *
 * @param value on the side that keeps it
 * @param lower at most the true one
 * @param upper at least the true one
 * @param cost what all charges with this value cost; never above the budget
 */
public record Calibrated(
    Calibration question, double value, double lower, double upper, Cost cost) {

  /** The key under which the value is given. */
  public String key() {
    return question.unknown() == Unknown.FINAL ? "eps_f" : question.unknown().key();
  }

  /** The answer and what was asked. */
  public ObjectNode json() {
    ObjectNode json =
        Numbers.object()
            .put("version", 1)
            .put("question", question.unknown().key())
            .put("adjacency", adjacency().key());
    Numbers.put(json, "epsilon", question.epsilon().nearest());
    Numbers.put(json, "delta", question.delta().nearest());
    json.setAll(reply(new Inputs(Numbers.object())).json());
    return json;
  }

  /** The answer alone, as batches give it. */
  Reply reply(Inputs query) {
    Reply reply = Reply.to(query).by(cost.accountant(), adjacency());
    put(reply, "lower", lower);
    put(reply, "upper", upper);
    put(reply, "guarantee", value);
    put(reply, key(), value);
    return reply.put("costs", cost.bound().upper());
  }

  private void put(Reply reply, String key, double number) {
    if (question.unknown() == Unknown.STEPS && Double.isFinite(number)) {
      reply.put(key, (long) number);
    } else {
      reply.put(key, number);
    }
  }

  private Adjacency adjacency() {
    return question.adjacency();
  }

  /** The μ of all charges together, where they are Gaussian. */
  public Optional<Double> mu() {
    return Charged.mu(cost.question().releases()).map(m -> m.value());
  }
}
