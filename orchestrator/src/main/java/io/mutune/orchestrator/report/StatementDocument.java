package io.mutune.orchestrator.report;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.study.Provenance;
import io.mutune.orchestrator.study.StudyResult;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A privacy statement as {@code statement.json} and in plain words. */
public final class StatementDocument {
  private StatementDocument() {}

  /** Of a finished study, with where its ledger stood. */
  public static ObjectNode json(StudyResult result) {
    return result
        .provenance()
        .map(provenance -> json(result.statement(), provenance.ledger()))
        .orElseGet(() -> json(result.statement()));
  }

  /** With where the ledger stood that it states the cost of. */
  public static ObjectNode json(PrivacyStatement statement, LedgerHead ledger) {
    ObjectNode json = json(statement);
    json.putObject("ledger").put("entries", ledger.entries()).put("head", ledger.hash());
    return json;
  }

  /** Says what the figure of a study covers that has not made all of its charges. */
  public static ObjectNode putCover(ObjectNode json, int made, int planned) {
    if (made > 0 && made < planned) {
      json.put(
          "covers",
          "the whole plan of %d charges, of which %d were made: whether a study goes on may follow"
                  .formatted(planned, made)
              + " from what it has released, and then no smaller figure is a guarantee");
    }
    return json;
  }

  public static ObjectNode json(PrivacyStatement statement) {
    ObjectNode json = Json.document();
    boolean holds = statement.guarantee() == PrivacyStatement.Guarantee.HOLDS;
    json.put("guarantee", statement.guarantee().key());
    if (!holds) {
      json.put("why", statement.why());
    }
    json.put("epsilon", statement.epsilon().value());
    json.put("delta", statement.delta().value());
    statement.mu().ifPresent(mu -> json.put("mu", mu.value()));
    json.put("accountant", statement.accountant().key());
    json.put("adjacency", statement.budget().adjacency().key());
    json.put("unit", statement.unit());
    json.put("kind", PrivacyStatement.KIND);
    json.set("budget", PlanDocument.budget(statement.budget()));
    ArrayNode charges = json.putArray("charges");
    statement.charges().forEach(charge -> charges.add(charge(charge)));
    json.put("scoring", statement.scoring());
    json.put("noise", statement.noise());
    statement.released().forEach(json.putArray("released")::add);
    statement.excluded().forEach(json.putArray("excluded")::add);
    return json;
  }

  /** One charge as every document writes it. */
  public static ObjectNode charge(Charge charge) {
    ObjectNode json = Json.object();
    json.put("what", charge.what()).put("mechanism", charge.mechanism().name());
    ObjectNode parameters = json.putObject("parameters");
    for (Map.Entry<String, Number> p : charge.mechanism().parameters().entrySet()) {
      if (p.getKey().equals("count")) {
        json.put("count", p.getValue().longValue());
      } else {
        parameters.put(p.getKey(), p.getValue().doubleValue());
      }
    }
    charge.mechanism().mu().ifPresent(mu -> json.put("mu", mu.value()));
    return json;
  }

  /** Of a finished study in plain words, with where its ledger stood. */
  public static String text(StudyResult result) {
    return text(result.statement())
        + result
            .provenance()
            .map(Provenance::ledger)
            .map(
                ledger ->
                    """
                    Ledger: %d entries when this was written, and the hash of the last is
                      %s
                    If an audit finds another hash for that entry, the ledger was rewritten.
                    """
                        .formatted(ledger.entries(), ledger.hash()))
            .orElse("");
  }

  /** The statement in plain words. */
  public static String text(PrivacyStatement statement) {
    StringBuilder text = new StringBuilder();
    if (statement.guarantee() == PrivacyStatement.Guarantee.VOID) {
      text.append("THE STATED EPSILON DOES NOT HOLD: ").append(statement.why()).append("\n\n");
    }
    text.append("Privacy statement\n\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%s (%s, %s)-differentially private together,%n",
            statement.guarantee() == PrivacyStatement.Guarantee.HOLDS
                ? "Everything that this study released is"
                : "But for that, everything that this study released would be",
            DisplayNumber.cost(statement.epsilon()),
            DisplayNumber.delta(statement.delta())));
    text.append(total(statement));
    text.append(
        String.format(
            Locale.ROOT,
            "Protected: %s, under %s neighbours (%s).%n",
            statement.unit(),
            statement.budget().adjacency().key(),
            switch (statement.budget().adjacency()) {
              case ADD_REMOVE -> "the data with and without the row look alike";
              case REPLACE_ONE -> "the data with another row in its place look alike";
            }));
    text.append("The figure is the total of a plan fixed before any row was read.\n");
    text.append('\n').append(charges(statement)).append('\n');
    text.append("Scoring: ").append(statement.scoring()).append(".\n");
    text.append("Noise: ").append(statement.noise()).append(".\n");
    text.append("Released:\n");
    statement.released().forEach(item -> text.append("  - ").append(item).append('\n'));
    text.append("Not covered:\n");
    statement.excluded().forEach(item -> text.append("  - ").append(item).append('\n'));
    return text.toString();
  }

  /** The rest of the sentence. */
  private static String total(PrivacyStatement statement) {
    String epsilon = DisplayNumber.cost(statement.epsilon());
    String delta = DisplayNumber.delta(statement.delta());
    return statement
        .mu()
        .map(DisplayNumber::cost)
        .map(
            mu ->
                String.format(
                    Locale.ROOT,
                    "and %s-Gaussian differentially private: epsilon %s at delta %s, mu %s.%n",
                    mu,
                    epsilon,
                    delta,
                    mu))
        .orElseGet(
            () ->
                String.format(
                    Locale.ROOT,
                    "epsilon %s at delta %s, by the accountant %s.%n",
                    epsilon,
                    delta,
                    statement.accountant().key()));
  }

  private static TextTable charges(PrivacyStatement statement) {
    TextTable table =
        new TextTable(
            "charge", "mechanism", "sigma", "sampling rate", "sensitivity", "releases", "mu");
    for (Charge charge : statement.charges()) {
      Map<String, Number> parameters = charge.mechanism().parameters();
      table.row(
          charge.what(),
          charge.mechanism().name(),
          shown(parameters, "sigma"),
          shown(parameters, "samplingRate"),
          shown(parameters, "sensitivity"),
          shown(parameters, "count"),
          charge.mechanism().mu().map(DisplayNumber::cost).orElse(""));
    }
    return table;
  }

  private static String shown(Map<String, Number> parameters, String key) {
    Number value = parameters.get(key);
    return value == null ? "" : shown(value);
  }

  static String shown(Number value) {
    return value instanceof Double d ? DisplayNumber.sigma(d) : value.toString();
  }
}
