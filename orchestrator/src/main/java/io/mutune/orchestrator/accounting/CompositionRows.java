package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Queries about Gaussian runs that are known by their count and the ε of each, all at one δ. */
final class CompositionRows {
  private CompositionRows() {}

  /**
   * Parts to the ε of all together; {@code basic_composition} is the sum of the ε, for contrast.
   */
  static Reply total(Inputs row) {
    Delta delta = row.delta("delta");
    List<EpsilonRuns> parts = parts(row, delta);
    GaussianDp total = GaussianDp.compose(parts.stream().map(EpsilonRuns::together).toList());
    GaussianDp least = GaussianDp.compose(parts.stream().map(EpsilonRuns::atLeast).toList());
    double upper = total.epsilon(delta).value();
    if (parts.size() == 1 && parts.get(0).count() == 1) {
      // One run is (ε, δ)-DP by what it says.
      upper = Math.min(upper, parts.get(0).epsilon().value());
    }
    double sum = parts.stream().mapToDouble(EpsilonRuns::basic).sum();
    return Reply.to(row)
        .by(PureGaussian.ACCOUNTANT)
        .cost("eps_total", Math.min(upper, least.epsilonAtMost(delta).value()), upper)
        .put("mu_total", total.mu().value())
        .put("mus", parts.stream().map(part -> part.one().mu().value()).toList())
        .put("basic_composition", sum);
  }

  /** A total and parts to the largest ε of one more run; null where they pass the total alone. */
  static Reply remaining(Inputs row) {
    Delta delta = row.delta("delta");
    Epsilon total = row.budget("eps_total");
    List<EpsilonRuns> parts = parts(row, delta);
    GaussianDp spent = GaussianDp.compose(parts.stream().map(EpsilonRuns::together).toList());
    GaussianDp least = GaussianDp.compose(parts.stream().map(EpsilonRuns::atLeast).toList());
    Optional<GaussianDp> left = GaussianDp.ofBudget(total, delta).remaining(spent);
    Reply reply = Reply.to(row).by(PureGaussian.ACCOUNTANT);
    if (left.isEmpty()) {
      return reply
          .none("lower")
          .none("upper")
          .none("guarantee")
          .none("eps_f")
          .none("mu_f")
          .put("why", "the parts alone pass the total");
    }
    double lower = left.get().epsilonAtMost(delta).value();
    Mu above = PureGaussian.muAtLeast(total, delta);
    double upper = GaussianDp.of(above).remaining(least).orElseThrow().epsilon(delta).value();
    return reply.room("eps_f", lower, upper).put("mu_f", left.get().mu().value());
  }

  private static List<EpsilonRuns> parts(Inputs row, Delta delta) {
    List<EpsilonRuns> parts = new ArrayList<>();
    for (JsonNode part : row.list("parts")) {
      if (!part.isArray() || part.size() != 2) {
        throw new IllegalArgumentException("each of parts must be [count, epsilon]; was " + part);
      }
      parts.add(
          EpsilonRuns.of(
              part.toString(),
              Inputs.decimal("a part's count", part.get(0)),
              Inputs.decimal("a part's epsilon", part.get(1)),
              delta));
    }
    return parts;
  }
}
