package io.mutune.orchestrator.report;

import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.document.PlanDocument.ChargeCost;
import io.mutune.orchestrator.document.RunEntry;
import io.mutune.orchestrator.document.StudyDocuments;
import io.mutune.orchestrator.figure.Axis;
import io.mutune.orchestrator.figure.Chart;
import io.mutune.orchestrator.figure.Labels;
import io.mutune.orchestrator.figure.Mark;
import io.mutune.orchestrator.figure.Plot;
import io.mutune.orchestrator.figure.Plot.Dot;
import io.mutune.orchestrator.figure.Plot.Series;
import io.mutune.orchestrator.search.Fit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** The radius of every run against its μ, or its ε: the trials, the rule and the final run. */
record RadiusChart(StudyDocuments study, String key) {
  private static final int SWEEPS_APART = 4;
  private static final int LINE_POINTS = 81;
  private static final String JOINT = "jointRadius";

  /** Empty where there are no trials, or nothing that has a radius. */
  static Optional<Chart> of(StudyDocuments study) {
    if (study.trials().isEmpty() || !study.everyRunHas("radius")) {
      return Optional.empty();
    }
    boolean overEpsilon = study.result().fit().filter(f -> f.axis().equals("epsilon")).isPresent();
    for (String key : overEpsilon ? List.of("epsilon") : List.of("mu", "epsilon")) {
      RadiusChart chart = new RadiusChart(study, key);
      boolean known =
          chart.lastCost().isPresent()
              && study.trials().stream().allMatch(t -> chart.planned(t).isPresent());
      if (known) {
        return Optional.of(chart.chart());
      }
    }
    return Optional.empty();
  }

  private Chart chart() {
    boolean inMu = key.equals("mu");
    Dot end = Dot.at(lastCost().orElseThrow(), radius(study.finalRun()));
    double[] xs = values(end.x(), this::cost);
    double[] ys = values(end.y(), this::radius);
    Axis x = Axis.fitting(inMu ? "μ of the run" : "ε of the run alone", 3, xs).ofCosts();
    Axis y = Axis.fitting(isJoint() ? "joint radius η · T · C" : "radius r = η · T", 20, ys);
    List<Series> series = new ArrayList<>(trials());
    fitted().ifPresent(series::add);
    Optional<Series> rule = rule(x, y, end);
    rule.ifPresent(series::add);
    series.add(new Series("final run", Mark.STAR, List.of(end)));
    return new Chart(
        "radius",
        "Radius against " + (inMu ? "μ" : "ε"),
        "The final run has %s %s at %s %s.%s"
            .formatted(
                isJoint() ? "joint radius" : "radius",
                DisplayNumber.value(end.y()),
                inMu ? "μ" : "ε",
                inMu ? DisplayNumber.mu(end.x()) : DisplayNumber.epsilon(end.x()),
                rule.map(line -> " The line is the rule: " + line.name() + ".").orElse("")),
        new Plot.Xy(x, y, Labels.apart(x, y, series)),
        table(inMu));
  }

  private double[] values(double end, ToDoubleFunction<RunEntry> of) {
    return DoubleStream.concat(study.trials().stream().mapToDouble(of), DoubleStream.of(end))
        .toArray();
  }

  /** What the final run costs alone. */
  private OptionalDouble lastCost() {
    Optional<ChargeCost> last = study.finalCharge();
    return key.equals("mu")
        ? last.map(ChargeCost::mu).orElse(OptionalDouble.empty())
        : last.stream().mapToDouble(ChargeCost::epsilon).findFirst();
  }

  private OptionalDouble planned(RunEntry trial) {
    return study
        .planned(trial)
        .map(key.equals("mu") ? RunEntry::mu : RunEntry::epsilon)
        .orElse(OptionalDouble.empty());
  }

  private double cost(RunEntry trial) {
    return planned(trial).orElseThrow();
  }

  /** What the line is for: r, or r·C where the clip norm was searched beside it. */
  private double radius(RunEntry run) {
    return run.number("radius").orElse(0) * (isJoint() ? run.number("clipNorm").orElse(0) : 1);
  }

  private boolean isJoint() {
    return study.result().fit().filter(fit -> fit.value().equals(JOINT)).isPresent();
  }

  /** A series for each sweep, if they are few. */
  private List<Series> trials() {
    TreeSet<Integer> sweeps =
        study.trials().stream()
            .map(trial -> trial.sweep().orElse(0))
            .collect(Collectors.toCollection(TreeSet::new));
    if (sweeps.size() == 1 || sweeps.size() > SWEEPS_APART) {
      return List.of(new Series("trials", Mark.CIRCLE, dots(study.trials())));
    }
    List<Series> series = new ArrayList<>();
    for (int sweep : sweeps) {
      List<RunEntry> its =
          study.trials().stream().filter(trial -> trial.sweep().orElse(0) == sweep).toList();
      series.add(new Series("trials of sweep " + sweep, Mark.filled(series.size()), dots(its)));
    }
    return series;
  }

  private List<Dot> dots(List<RunEntry> trials) {
    return trials.stream()
        .map(t -> Dot.of(cost(t), radius(t), 0, Integer.toString(t.trial().orElse(0))))
        .toList();
  }

  /** The points that a line was laid through. */
  private Optional<Series> fitted() {
    return study
        .result()
        .fit()
        .filter(fit -> Set.of("radius", JOINT).contains(fit.value()) && fit.axis().equals(key))
        .map(fit -> fit.points().stream().map(p -> Dot.at(p.x(), p.y())).toList())
        .filter(points -> !points.isEmpty())
        .map(points -> new Series("fitted: best of each sweep", Mark.RING, points));
  }

  private Optional<Series> rule(Axis x, Axis y, Dot end) {
    Fit fit = study.result().fit().orElse(null);
    if (fit == null) {
      return Optional.empty();
    }
    if (fit.axis().equals("logitNoise")) {
      // At one ν the radius is proportional to μ; over ε it is no line that this page could draw.
      return key.equals("mu") && study.everyRunHas("logitNoise")
          ? line(
              "r in proportion to μ, at ν = "
                  + DisplayNumber.value(study.finalRun().number("logitNoise").orElseThrow()),
              x,
              y,
              mu -> end.y() / end.x() * mu)
          : Optional.empty();
    }
    List<Double> coefficients = fit.coefficients();
    return !coefficients.isEmpty() && fit.axis().equals(key)
        ? line("polynomial of degree " + (coefficients.size() - 1), x, y, polynomial(coefficients))
        : Optional.empty();
  }

  private static DoubleUnaryOperator polynomial(List<Double> coefficients) {
    return x -> {
      double y = 0;
      for (int k = coefficients.size() - 1; k >= 0; k--) {
        y = y * x + coefficients.get(k);
      }
      return y;
    };
  }

  /** What of it lies within the axes. */
  private static Optional<Series> line(String name, Axis x, Axis y, DoubleUnaryOperator rule) {
    List<Dot> dots = new ArrayList<>();
    for (int i = 0; i < LINE_POINTS; i++) {
      double at = x.at((double) i / (LINE_POINTS - 1));
      if (y.holds(rule.applyAsDouble(at))) {
        dots.add(Dot.at(at, rule.applyAsDouble(at)));
      }
    }
    dots.sort(Comparator.comparingDouble(Dot::x));
    return dots.size() < 2 ? Optional.empty() : Optional.of(new Series(name, Mark.DASHED, dots));
  }

  private DataTable table(boolean inMu) {
    List<DataTable.Row> rows = new ArrayList<>();
    for (RunEntry trial : study.trials()) {
      rows.add(
          DataTable.row(
              trial.name(), shown(cost(trial), inMu), DisplayNumber.value(radius(trial))));
    }
    rows.add(
        DataTable.row(
            "final",
            shown(lastCost().orElseThrow(), inMu),
            DisplayNumber.value(radius(study.finalRun()))));
    return new DataTable(List.of("run", inMu ? "μ" : "ε alone", "radius"), rows);
  }

  private static String shown(double cost, boolean inMu) {
    return inMu ? DisplayNumber.mu(cost) : DisplayNumber.epsilon(cost);
  }
}
