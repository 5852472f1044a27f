package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Queries about mixtures of mechanisms at several δ, with a list of answers in the order of the δ.
 */
final class MixtureRows {
  private MixtureRows() {}

  /** Components and {@code deltas} to ε. */
  static Reply epsilons(Inputs row) {
    Adjacency adjacency = row.adjacency();
    List<Mechanism> mechanisms = new ArrayList<>();
    for (JsonNode component : row.list("components")) {
      mechanisms.add(mechanism(component));
    }
    Releases releases = new Releases(mechanisms, adjacency);
    List<Double> lower = new ArrayList<>();
    List<Double> upper = new ArrayList<>();
    List<String> accountants = new ArrayList<>();
    for (Decimal delta : deltas(row)) {
      Cost cost = new CostQuestion(releases, Ask.epsilonAt(delta), Choice.by(row), false).answer();
      lower.add(cost.bound().lower());
      upper.add(cost.bound().upper());
      accountants.add(cost.accountant());
    }
    return Reply.to(row)
        .words("accountant", accountants)
        .put("adjacency", adjacency.key())
        .put("lower", lower)
        .put("upper", upper)
        .put("guarantee", upper)
        .put("eps", upper);
  }

  private static List<Decimal> deltas(Inputs row) {
    JsonNode given = row.get("deltas");
    if (!given.isArray() || given.isEmpty()) {
      throw new IllegalArgumentException("deltas must be a list of numbers; was " + given);
    }
    List<Decimal> deltas = new ArrayList<>();
    for (JsonNode delta : given) {
      deltas.add(Inputs.decimal("delta", delta));
    }
    return deltas;
  }

  private static Mechanism mechanism(JsonNode component) {
    if (!component.isArray() || component.size() < 3) {
      throw new IllegalArgumentException(
          "a component is a list such as [\"laplace\", epsilon, count]; was " + component);
    }
    String kind = component.get(0).asString();
    int numbers = component.size() - 1;
    if (numbers
        != (kind.equals("gauss") || kind.equals("laplace") || kind.equals("pure") ? 2 : 3)) {
      throw new IllegalArgumentException(
          "too few or too many numbers in the component " + component);
    }
    long count = Inputs.decimal("count", component.get(numbers)).count("count");
    Decimal first = Inputs.decimal(kind, component.get(1)).notNegative(kind);
    return switch (kind) {
      case "gauss" -> new Gaussian(NoiseMultiplier.of(1), first.up(), count);
      case "ssg" ->
          new SubsampledGaussian(NoiseMultiplier.of(first.down()), rate(component), 1, count);
      case "laplace" -> new Laplace(1, first.up(), count);
      case "pure" -> new PureDp(Epsilon.of(first.up()), count);
      case "approx" ->
          new ApproximateDp(
              Epsilon.of(first.up()),
              Delta.of(Inputs.decimal("delta", component.get(2)).positive("delta").up()),
              count);
      case "sslaplace" -> new SubsampledLaplace(1, rate(component), first.up(), count);
      default ->
          throw new IllegalArgumentException(
              "a component is one of gauss, ssg, laplace, pure, approx, sslaplace; was '"
                  + kind
                  + "'");
    };
  }

  private static double rate(JsonNode component) {
    return Inputs.decimal("q", component.get(2)).rate("q");
  }
}
