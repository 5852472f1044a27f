package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.TrialCount;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.accountant.renyi.RenyiCurve;
import io.mutune.accountant.renyi.RenyiDp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Queries about random stopping: the best of a secret random number of runs, at several δ and at
 * several Rényi orders.
 */
final class SelectionRows {
  private static final List<String> ORDERS = List.of("1.5", "2", "4", "8", "16", "32", "63", "128");
  private static final List<String> DELTAS = List.of("1e-5", "1e-6");

  private SelectionRows() {}

  /** A base run, T, mean and shape to ε and to Rényi divergences. */
  static Reply select(Inputs row) {
    Adjacency adjacency = row.adjacency();
    Mechanism run = run(row, adjacency);
    TrialCount trials = trials(row);
    Mechanism selection = new RepeatAndSelect(run, trials);
    Releases releases = new Releases(List.of(selection), adjacency);
    Reply reply = Reply.to(row);
    Map<String, Cost> costs = new LinkedHashMap<>();
    for (String delta : texts(row, "deltas", DELTAS)) {
      Ask ask = Ask.epsilonAt(Decimal.of("delta", delta));
      costs.put(delta, new CostQuestion(releases, ask, Choice.by(row), false).answer());
    }
    List<Double> upper = costs.values().stream().map(c -> c.bound().upper()).toList();
    reply
        .words("accountant", costs.values().stream().map(Cost::accountant).toList())
        .put("adjacency", adjacency.key())
        .put("lower", costs.values().stream().map(c -> c.bound().lower()).toList())
        .put("upper", upper)
        .put("guarantee", upper)
        .put("eps", upper);
    costs.forEach((delta, cost) -> reply.put("eps_continuous_" + delta, cost.bound().upper()));
    RenyiCurve base = RenyiDp.of(run, adjacency).curve();
    orders(row, reply, "base_rdp_at_orders", base::at);
    orders(row, reply, "rdp_at_orders", RenyiDp.of(selection, adjacency).curve()::at);
    orders(row, reply, "rdp_at_orders_default_grid", DefaultOrders.selection(base, trials));
    return reply;
  }

  private static void orders(Inputs row, Reply reply, String key, DoubleUnaryOperator curve) {
    ObjectNode divergences = reply.json().putObject(key);
    for (String text : texts(row, "orders", ORDERS)) {
      double order = Decimal.of("an order", text).nearest();
      if (!(order > 1) || Double.isInfinite(order)) {
        throw new IllegalArgumentException("an order must be finite and above 1; was " + text);
      }
      Numbers.put(divergences, text, curve.applyAsDouble(order));
    }
  }

  private static List<String> texts(Inputs row, String key, List<String> usual) {
    if (!row.has(key)) {
      return usual;
    }
    JsonNode given = row.get(key);
    if (!given.isArray() || given.isEmpty()) {
      throw new IllegalArgumentException(
          "%s must be a list of numbers; was %s".formatted(key, given));
    }
    return given.valueStream().map(JsonNode::asString).toList();
  }

  private static Mechanism run(Inputs row, Adjacency adjacency) {
    JsonNode base = row.get("base");
    if (MechanismForm.isOne(base)) {
      return MechanismForm.ofJson(base, adjacency);
    }
    if (!(base instanceof ObjectNode object)) {
      throw new IllegalArgumentException("base must be an object; was " + base);
    }
    Inputs inputs = new Inputs(object);
    NoiseMultiplier sigma = NoiseMultiplier.of(inputs.noise("sigma"));
    double sensitivity = adjacency.sumSensitivity();
    String type = inputs.text("type");
    return switch (type) {
      case "gaussian" -> new Gaussian(sigma, sensitivity, row.count("T"));
      case "poisson_subsampled_gaussian" ->
          new SubsampledGaussian(sigma, inputs.decimal("q").rate("q"), sensitivity, row.count("T"));
      default ->
          throw new IllegalArgumentException(
              "base.type must be gaussian or poisson_subsampled_gaussian; was '" + type + "'");
    };
  }

  /**
   * The law of the number of runs; γ is used where it is given and found from the mean elsewhere.
   */
  private static TrialCount trials(Inputs row) {
    Decimal shape = row.decimal("shape");
    if (shape.infinite()) {
      return new PoissonTrials(row.decimal("mean").positive("mean").up());
    }
    return row.has("gamma")
        ? new TruncatedNegativeBinomial(shape.nearest(), row.noise("gamma"))
        : Trials.ofMean(shape, row.decimal("mean"));
  }
}
