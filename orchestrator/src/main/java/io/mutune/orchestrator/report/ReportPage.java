package io.mutune.orchestrator.report;

import io.mutune.accountant.Adjacency;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.GroupsEntry;
import io.mutune.orchestrator.document.ModelsDocument;
import io.mutune.orchestrator.document.NoisyTestDocument;
import io.mutune.orchestrator.document.NoisyTestFigures;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ProfileDocument;
import io.mutune.orchestrator.document.ProvenanceDocument;
import io.mutune.orchestrator.document.ReleaseEntry;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.ResultText;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.document.TestDocument;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code report.html}: one page that opens offline, the statement first. Values are escaped. */
public final class ReportPage {
  /** More rows than this are folded away. */
  private static final int MOST_ROWS = 16;

  private ReportPage() {}

  static String html(StudyDocuments study, StudyCharts charts) {
    Map<String, Object> page = new LinkedHashMap<>();
    StatementDocument statement = study.statement();
    page.put("description", study.description());
    page.put("result", study.result());
    page.put("seconds", shown(study.result().seconds(), DisplayNumber::time));
    page.put("statement", statement);
    page.put("void", statement.holds() ? false : statement.why().orElse(""));
    page.put("epsilon", DisplayNumber.epsilon(statement.epsilon()));
    page.put("delta", DisplayNumber.delta(statement.delta()));
    page.put("mu", shown(statement.mu(), DisplayNumber::mu));
    page.put("one", statement.protectedOne());
    page.put("replaces", statement.adjacency().equals(Adjacency.REPLACE_ONE.key()));
    page.put("ledger", Page.orNothing(statement.ledger()));
    page.put(
        "processes",
        study.result().provenance().map(ProvenanceDocument::sentences).orElse(List.of()));
    page.put("tiles", Summary.of(study));
    page.put("heldOut", Page.orNothing(study.plan().heldOut().map(parts -> heldOut(study, parts))));
    putTest(page, study.result(), charts);
    boolean fixed = study.result().strategy().equals("fixed");
    Optional<String> noTrials = study.plan().noTrials();
    page.put("fixedPoint", study.trials().isEmpty() && fixed);
    page.put("noTrials", Page.orNothing(noTrials));
    page.put("secretTrials", study.trials().isEmpty() && !fixed && noTrials.isEmpty());
    page.put("runs", Page.table(RunsTable.of(study)));
    page.put("longRuns", study.trials().size() > MOST_ROWS);
    page.put("longCharges", study.statement().charges().size() > MOST_ROWS);
    page.put("fit", Page.orNothing(study.result().fitted().map(ResultText::sentence)));
    page.put("wentOn", study.result().rounds());
    page.put("kept", Page.orNothing(study.kept().map(RunEntry::name)));
    page.put("lost", lost(study));
    page.put(
        "models",
        Page.orNothing(statement.models().map(unused -> Page.table(ReleaseEntry.table(study)))));
    page.put("validFor", statement.models().map(ModelsDocument::validFor).orElse(""));
    page.put(
        "epsilons",
        Page.orNothing(statement.profile().map(ProfileDocument::epsilonTable).map(Page::table)));
    page.put("searchFigures", Page.figures(charts.search()));
    page.put("costFigures", Page.figures(charts.cost()));
    page.put("studyFigures", Page.figures(charts.studies()));
    page.put("hasStudies", !charts.studies().isEmpty());
    page.put("charges", Page.table(ChargesTable.of(study)));
    return Page.html("report.mustache", page, charts.all());
  }

  private static void putTest(Map<String, Object> page, ResultDocument result, StudyCharts charts) {
    List<String> sentences = result.testSentences();
    page.put("hasTest", !sentences.isEmpty());
    page.put("test", sentences);
    page.put("testFigures", Page.figures(charts.test()));
    Optional<DataTable> classes =
        result
            .test()
            .flatMap(TestDocument::classTable)
            .or(() -> result.privateTest().map(NoisyTestDocument::classTable));
    page.put("classes", Page.orNothing(classes.map(Page::table)));
    Optional<GroupsEntry> groups = result.test().flatMap(TestDocument::groups);
    Optional<NoisyTestFigures.Groups> noisy =
        result.privateFigures().flatMap(NoisyTestFigures::groups);
    page.put("groups", Page.orNothing(result.groups().map(Page::table)));
    page.put(
        "by",
        groups
            .map(GroupsEntry::column)
            .or(() -> noisy.map(NoisyTestFigures.Groups::column))
            .orElse(""));
  }

  /** What was kept from training, how much as is public, and what asking it took. */
  private static String heldOut(StudyDocuments study, Map<String, PlanDocument.HeldOut> parts) {
    String kept =
        parts.entrySet().stream()
            .map(
                part ->
                    "%s for %s (about %d)"
                        .formatted(
                            DisplayNumber.percent(part.getValue().share()),
                            part.getKey(),
                            part.getValue().rows()))
            .collect(Collectors.joining(" and "));
    boolean scored =
        parts.containsKey("validation")
            && study.statement().scoring().contains("private validation rows");
    double share =
        Summary.shares(study).entrySet().stream()
            .filter(
                kind ->
                    kind.getKey().startsWith("test")
                        ? parts.containsKey("test")
                        : scored && kind.getKey().matches("scores?"))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return "Kept from training, by a keyed hash of each: %s. How many there really are is private.%s"
        .formatted(
            kept,
            share > 0
                ? " Asking them took %s of the budget.".formatted(DisplayNumber.percent(share))
                : "");
  }

  /** What a template leaves out where there is no number. */
  private static Object shown(OptionalDouble number, DoubleFunction<String> form) {
    return number.isPresent() ? form.apply(number.getAsDouble()) : false;
  }

  /** What crashes took, as a sentence. */
  private static Object lost(StudyDocuments study) {
    long scores = study.trials().stream().filter(RunEntry::hasLostScore).count();
    List<ReleaseEntry> releases = study.result().releases().orElse(List.of());
    int steps =
        Stream.concat(study.runs().stream(), releases.stream().map(ReleaseEntry::run))
            .mapToInt(run -> run.lostSteps().orElse(0))
            .sum();
    if (scores == 0 && steps == 0) {
      return false;
    }
    return "Crashes took "
        + (scores == 1 ? "1 score" : scores + " scores")
        + " and "
        + (steps == 1 ? "1 step" : steps + " steps")
        + " of training. They stay charged and were not asked again.";
  }
}
