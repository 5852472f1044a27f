package io.mutune.orchestrator.report;

import io.mutune.accountant.Delta;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.orchestrator.attack.CanaryReport;
import io.mutune.orchestrator.attack.MembershipReport;
import io.mutune.orchestrator.attack.NeighbourReport;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What attacks showed, as {@code attack.json} and as text. An empirical ε is always beside the
 * guarantee and called a lower bound, and is rounded down where it is printed.
 */
public final class AttackDocument {
  /** Where true positives are told at few false ones, as attacks that matter have. */
  private static final double[] FEW = {0.001, 0.01, 0.1};

  /** A curve is drawn, and written, by no more points than this. */
  private static final int MOST_POINTS = 400;

  private AttackDocument() {}

  public static ObjectNode json(CanaryReport report) {
    SweepDefinition sweep = report.result().study().sweep();
    ObjectNode json = begin("canary", sweep, report.seed(), report.seconds());
    sweep
        .account()
        .ifPresent(account -> putCharged(json, account, report.result().study().record()));
    putGuarantee(json, sweep, report.result().statement().epsilon().value());
    json.withObject("guaranteed").setAll(Json.tree(GuaranteeNote.of(report.result().statement())));
    json.putObject("lowerBound")
        .put("epsilon", report.epsilonAtLeast())
        .put("confidence", report.confidence())
        .put("method", "one run (Steinke, Nasr and Jagielski 2023)");
    json.put("canaries", report.kind().key())
        .put("coins", report.guesses().rows())
        .put("guesses", report.guesses().made())
        .put("right", report.guesses().right());
    report.used().forEach(json.putArray("used")::add);
    json.put("refutes", report.refutes());
    report.problems().forEach(json.putArray("problems")::add);
    putCurve(json.putArray("curves").addObject(), "canaries", report.curve());
    return json;
  }

  public static ObjectNode json(MembershipReport report) {
    ObjectNode json = begin("membership", report.sweep(), report.seed(), report.seconds());
    if (Double.isFinite(report.epsilon())) {
      putGuarantee(json, report.sweep(), report.epsilon());
      if (!report.holds()) {
        ((ObjectNode) json.path("guaranteed")).put("guarantee", "void");
      }
    }
    report.testAccuracy().ifPresent(accuracy -> json.put("testAccuracy", accuracy));
    json.put("members", report.members()).put("others", report.others());
    ArrayNode curves = json.putArray("curves");
    for (MembershipReport.Attack attack : report.attacks()) {
      ObjectNode curve = curves.addObject();
      putCurve(curve, attack.name(), attack.curve());
      curve.put("references", attack.references());
    }
    return json;
  }

  public static ObjectNode json(NeighbourReport report) {
    ObjectNode json = begin("neighbours", report.sweep(), report.seed(), report.seconds());
    putGuarantee(json, report.sweep(), report.epsilon());
    double most =
        report.statistics().stream()
            .filter(NeighbourReport.Statistic::covered)
            .mapToDouble(NeighbourReport.Statistic::epsilonAtLeast)
            .max()
            .orElse(0);
    json.putObject("lowerBound")
        .put("epsilon", most)
        .put("confidence", report.confidence())
        .put("method", "many runs (Clopper-Pearson), all numbers together");
    json.put("runs", report.runs()).put("refutes", report.refutes());
    ObjectNode silent =
        json.putObject("rowThatAddsNothing")
            .put("released", report.silent().outcome().name().toLowerCase(Locale.ROOT))
            .put("compared", report.silent().compared());
    report.silent().different().forEach(silent.putArray("different")::add);
    report.problems().forEach(json.putArray("problems")::add);
    ArrayNode numbers = json.putArray("numbers");
    for (NeighbourReport.Statistic statistic : report.statistics()) {
      numbers
          .addObject()
          .put("number", statistic.name())
          .put("without", statistic.without())
          .put("with", statistic.with())
          .put("epsilonAtLeast", statistic.epsilonAtLeast())
          .put("covered", statistic.covered());
    }
    return json;
  }

  private static ObjectNode begin(String attack, SweepDefinition sweep, long seed, double seconds) {
    ObjectNode json = Json.document().put("attack", attack).put("name", sweep.name());
    json.put("declared", sweep.declared().key());
    json.put(
        "notice",
        "an attack on rows that the sweep declares "
            + sweep.declared().key()
            + "; nothing that it looked at or ran is charged to any account");
    json.put("method", sweep.train().method().name()).put("strategy", sweep.search().name());
    return json.put("rows", sweep.rows()).put("seed", seed).put("seconds", seconds);
  }

  /** Only a study of private rows has kept its account. */
  private static void putCharged(ObjectNode json, String account, StudyRecord study) {
    String name = study.name() + "-" + study.id();
    json.put("account", account).put("study", name);
    json.put(
        "notice",
        ("an attack on a study of private rows, by what that study released and by public rows; all"
                + " of it is charged to the account '%s', by the study %s, whose model has learned"
                + " from canaries")
            .formatted(account, name));
  }

  private static void putGuarantee(ObjectNode json, SweepDefinition sweep, double epsilon) {
    json.putObject("guaranteed")
        .put("epsilon", epsilon)
        .put("delta", sweep.budget().delta().value());
  }

  private static void putCurve(ObjectNode json, String name, RocCurve curve) {
    json.put("name", name).put("auc", curve.area());
    ArrayNode few = json.putArray("truePositives");
    for (double share : FEW) {
      few.addObject().put("at", share).put("rate", curve.truePositivesAt(share));
    }
    ArrayNode points = json.putArray("points");
    List<RocCurve.Point> all = curve.points();
    int step = Math.max(1, all.size() / MOST_POINTS);
    for (int i = 0; i < all.size(); i++) {
      if (i % step == 0 || i == all.size() - 1) {
        points.addArray().add(all.get(i).falsePositives()).add(all.get(i).truePositives());
      }
    }
  }

  /** For a terminal. */
  public static String text(ObjectNode attack) {
    StringBuilder text = new StringBuilder();
    text.append(attack.path("name").asString("")).append(": ");
    text.append(attack.path("notice").asString("")).append(".\n\n");
    for (String line : lines(attack)) {
      text.append(line).append('\n');
    }
    DataTable table = table(attack);
    if (!table.rows().isEmpty()) {
      TextTable shown = new TextTable(table.head().toArray(String[]::new));
      for (DataTable.Row row : table.rows()) {
        String[] cells = new String[table.head().size()];
        cells[0] = row.name();
        for (int c = 1; c < cells.length; c++) {
          cells[c] = row.cells().get(c - 1);
        }
        shown.row(cells);
      }
      text.append('\n').append(shown);
    }
    return text.toString();
  }

  /** What it showed, in sentences. */
  static List<String> lines(JsonNode attack) {
    List<String> lines = new ArrayList<>();
    JsonNode guaranteed = attack.path("guaranteed");
    if (guaranteed.isObject()) {
      lines.add(
          "guaranteed:  epsilon at most %s at delta %s%s"
              .formatted(
                  DisplayNumber.epsilon(guaranteed.path("epsilon").asDouble()),
                  DisplayNumber.delta(Delta.of(guaranteed.path("delta").asDouble())),
                  guaranteed.path("guarantee").asString("").equals("void")
                      ? ", WHICH DOES NOT HOLD"
                      : ""));
    }
    JsonNode bound = attack.path("lowerBound");
    if (bound.isObject()) {
      lines.add(
          "attack:      epsilon at least %s at a confidence of %s: a lower bound, no guarantee"
              .formatted(
                  PrintedNumber.down(bound.path("epsilon").asDouble(), 4), confidence(attack)));
    }
    if (attack.path("coins").isNumber()) {
      lines.add(
          "%s of %s guesses right, for %s %s canaries, each in by a fair coin"
              .formatted(
                  attack.path("right").asString(""),
                  attack.path("guesses").asString(""),
                  attack.path("coins").asString(""),
                  attack.path("canaries").asString("")));
    }
    JsonNode silent = attack.path("rowThatAddsNothing");
    if (silent.isObject()) {
      lines.add(
          switch (silent.path("released").asString("")) {
            case "same" ->
                "a row that adds nothing: all of %s documents the same to the last byte"
                    .formatted(silent.path("compared").asString(""));
            case "different" ->
                "A ROW THAT ADDS NOTHING CHANGED: " + words(silent.path("different"));
            default ->
                "a row that adds nothing: there is none for these features, this method or adjacency";
          });
    }
    for (JsonNode used : attack.path("used")) {
      lines.add("seen: " + used.asString(""));
    }
    for (JsonNode problem : attack.path("problems")) {
      lines.add("FOUND: " + problem.asString(""));
    }
    if (attack.path("refutes").asBoolean(false)) {
      lines.add("THE GUARANTEE IS REFUTED at this confidence.");
    }
    return lines;
  }

  /** In full: 0.999999 is not 1. */
  static String confidence(JsonNode attack) {
    return BigDecimal.valueOf(attack.path("lowerBound").path("confidence").asDouble())
        .toPlainString();
  }

  private static String words(JsonNode list) {
    return String.join(", ", list.valueStream().map(JsonNode::asString).toList());
  }

  /** The numbers behind it. */
  static DataTable table(JsonNode attack) {
    if (attack.path("numbers").isArray()) {
      return new DataTable(
          List.of("number", "mean without", "mean with", "epsilon at least", "covered"),
          attack
              .path("numbers")
              .valueStream()
              .map(
                  n ->
                      DataTable.row(
                          n.path("number").asString(""),
                          DisplayNumber.value(n.path("without").asDouble()),
                          DisplayNumber.value(n.path("with").asDouble()),
                          PrintedNumber.down(n.path("epsilonAtLeast").asDouble(), 4),
                          n.path("covered").asBoolean() ? "yes" : "no"))
              .toList());
    }
    return new DataTable(
        List.of("attack", "AUC", "TPR at 0.1% FPR", "at 1%", "at 10%"),
        attack
            .path("curves")
            .valueStream()
            .map(
                curve ->
                    DataTable.row(
                        curve.path("name").asString(""),
                        DisplayNumber.value(curve.path("auc").asDouble()),
                        rate(curve, 0),
                        rate(curve, 1),
                        rate(curve, 2)))
            .toList());
  }

  private static String rate(JsonNode curve, int index) {
    return DisplayNumber.percent(curve.path("truePositives").path(index).path("rate").asDouble());
  }
}
