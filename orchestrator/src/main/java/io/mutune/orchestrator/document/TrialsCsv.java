package io.mutune.orchestrator.document;

import io.mutune.orchestrator.search.RadiusSpace;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.TrainDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The trials of a study as {@code trials.csv}. */
public final class TrialsCsv {
  private static final List<String> COLUMNS =
      List.of(
          "version",
          "trial",
          "sweep",
          "epsilon",
          "mu",
          "learningRate",
          "steps",
          "radius",
          "logitNoise",
          "sigma",
          "lostSteps",
          "score",
          "state",
          "guarantee");
  private static final String FROM = "from";

  private TrialsCsv() {}

  /**
   * Whether a first line names columns of trials and no others.
   *
   * @param settings that a trainer of one's own may have beside every number a search may choose
   */
  public static boolean isHead(List<String> head, Collection<String> settings) {
    List<String> searched =
        head.size() <= COLUMNS.size() ? List.of() : head.subList(COLUMNS.size(), head.size() - 1);
    return head.size() == COLUMNS.size() + searched.size() + 1
        && head.subList(0, COLUMNS.size()).equals(COLUMNS)
        && head.get(head.size() - 1).equals(FROM)
        && searched.stream()
            .allMatch(
                name -> TrainDefinition.searchable().contains(name) || settings.contains(name));
  }

  /** A line a trial, full precision. */
  public static String of(StudyResult result) {
    RunScale scale = result.study().sweep().runScale();
    StringBuilder csv = new StringBuilder(String.join(",", COLUMNS));
    List<String> settings = searched(result);
    for (String setting : settings) {
      csv.append(',').append(setting);
    }
    csv.append(',').append(FROM).append('\n');
    for (TrialOutcome outcome : result.trials()) {
      TrialPoint point = outcome.trial().point();
      List<Object> cells =
          List.of(
              1,
              outcome.trial().number(),
              outcome.trial().round(),
              outcome.trial().epsilon().value(),
              result.study().plan().isInMu() ? outcome.trial().mu().value() : "",
              point.learningRate(),
              point.steps(),
              point.radius(),
              scale.logitNoise(point, outcome.trial().mu()),
              result.study().plan().sigma(outcome.charge()).orElseThrow(),
              outcome.lostSteps(),
              outcome.score().isPresent() ? outcome.score().getAsDouble() : "",
              outcome.state().key(),
              result.statement().guarantee().key());
      csv.append(cells.stream().map(Object::toString).collect(Collectors.joining(",")));
      for (String setting : settings) {
        Double searched = point.settings().get(setting);
        csv.append(',').append(searched == null ? "" : searched.toString());
      }
      csv.append(',');
      outcome.trial().from().ifPresent(csv::append);
      csv.append('\n');
    }
    return csv.toString();
  }

  /** Every number that a search may choose, and those of a trainer's own that this one has. */
  private static List<String> searched(StudyResult result) {
    List<String> settings = new ArrayList<>(TrainDefinition.searchable());
    result
        .study()
        .sweep()
        .search()
        .searchedSpace()
        .map(RadiusSpace::settings)
        .orElse(List.of())
        .stream()
        .filter(setting -> !settings.contains(setting))
        .forEach(settings::add);
    return settings;
  }
}
