package io.mutune.orchestrator.report;

import com.samskivert.mustache.Mustache;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.Tuned;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code report.html}: one page that opens offline, the statement first. Values are escaped. */
public final class ReportPage {
  private ReportPage() {}

  public static String html(StudyResult result) {
    PrivacyStatement statement = result.statement();
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("name", result.study().sweep().name());
    page.put("id", result.study().id());
    page.put("description", result.study().sweep().description());
    page.put("strategy", result.study().sweep().search().name());
    page.put("method", result.study().sweep().train().method().name());
    page.put("void", statement.why() == null ? false : statement.why());
    page.put("epsilon", Show.cost(statement.epsilon()));
    page.put("delta", Show.delta(statement.delta()));
    page.put("mu", statement.mu().<Object>map(Show::cost).orElse(false));
    page.put("accountant", statement.accountant().key());
    page.put("unit", statement.unit());
    page.put("adjacency", statement.budget().adjacency().key());
    page.put(
        "accuracy",
        result.testAccuracy().isPresent()
            ? ResultDocument.test(
                result.testAccuracy().getAsDouble(),
                result.study().sweep().training().spec().labelling())
            : false);
    page.put("noTrials", result.trials().isEmpty());
    page.put("runs", runs(result));
    page.put("fit", result.decision().fit().<Object>map(ResultDocument::sentence).orElse(false));
    page.put("guards", guards(result));
    page.put("charges", charges(statement));
    page.put("scoring", statement.scoring());
    page.put("noise", statement.noise());
    page.put("released", statement.released());
    page.put("excluded", statement.excluded());
    return Mustache.compiler().emptyStringIsFalse(true).compile(template()).execute(page);
  }

  private static List<Map<String, String>> runs(StudyResult result) {
    List<Map<String, String>> runs = new ArrayList<>();
    RunScale scale = result.study().sweep().runScale();
    for (TrialOutcome outcome : result.trials()) {
      TrialPoint point = outcome.trial().point();
      Map<String, String> run = run("trial " + outcome.trial().number(), point);
      run.put("epsilon", Show.cost(outcome.trial().epsilon()));
      run.put("logitNoise", Show.value(scale.logitNoise(point.radius(), outcome.trial().mu())));
      run.put(
          "score",
          outcome.score().isPresent() ? Show.percent(outcome.score().getAsDouble()) : "lost");
      runs.add(run);
    }
    TrialPoint point = result.decision().point();
    var target = result.study().plan().target();
    Map<String, String> last = run("final", point);
    last.put("epsilon", Show.cost(target.epsilon()));
    last.put("logitNoise", Show.value(scale.logitNoise(point.radius(), target.mu())));
    Tuned tuned = result.study().sweep().train().method().tuned();
    if (!tuned.hasRate()) {
      List.of("learningRate", "radius", "logitNoise").forEach(key -> last.put(key, ""));
    }
    if (tuned == Tuned.NOTHING) {
      last.put("steps", "");
    }
    last.put("score", "");
    runs.add(last);
    return runs;
  }

  private static Map<String, String> run(String name, TrialPoint point) {
    Map<String, String> run = new LinkedHashMap<>();
    run.put("run", name);
    run.put("learningRate", Show.value(point.learningRate()));
    run.put("steps", Integer.toString(point.steps()));
    run.put("radius", Show.value(point.radius()));
    return run;
  }

  private static List<Map<String, String>> guards(StudyResult result) {
    return result.decision().guards().stream()
        .map(guard -> Map.of("name", guard.name(), "action", guard.action()))
        .toList();
  }

  private static List<Map<String, String>> charges(PrivacyStatement statement) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (Charge charge : statement.charges()) {
      Map<String, String> row = new LinkedHashMap<>();
      row.put("what", charge.what());
      row.put("mechanism", charge.mechanism().name());
      charge
          .mechanism()
          .parameters()
          .forEach((key, value) -> row.put(key, StatementDocument.shown(value)));
      for (String key : List.of("sigma", "samplingRate", "sensitivity", "count")) {
        row.putIfAbsent(key, "");
      }
      row.put("mu", charge.mechanism().mu().map(Show::cost).orElse(""));
      row.put("share", share(charge, statement));
      rows.add(row);
    }
    return rows;
  }

  /** Of μ², where the total is in μ. */
  private static String share(Charge charge, PrivacyStatement statement) {
    if (statement.mu().isEmpty() || charge.mechanism().mu().isEmpty()) {
      return "";
    }
    double ratio = charge.mechanism().mu().get().value() / statement.mu().get().value();
    return Show.percent(ratio * ratio);
  }

  private static String template() {
    try (InputStream in = ReportPage.class.getResourceAsStream("report.mustache")) {
      if (in == null) {
        throw new IllegalStateException("report.mustache is missing from the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
