package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.PlannedCharge;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.AccountStanding;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.noise.Grid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A plan as {@code plan.json} and as text.
 *
 * @param rows the public number, of people where these are the unit
 * @param unit {@code person}; empty where it is a row
 * @param heldOut from training, by part; empty where nothing is
 */
public record PlanDocument(
    String name,
    @JsonUnwrapped GuaranteeNote guarantee,
    String strategy,
    String method,
    long rows,
    Optional<String> unit,
    Optional<Map<String, HeldOut>> heldOut,
    OptionalInt grid,
    OptionalDouble sensitivity,
    BudgetEntry budget,
    Optional<String> split,
    Optional<String> steps,
    List<ChargeCost> charges,
    List<RunEntry> trials,
    List<FinalSigma> finalSigma)
    implements Document {
  /** In a study's folder. */
  public static final String FILE = "plan.json";

  /** A budget as every document writes it. */
  public record BudgetEntry(double epsilon, double delta, double mu, String adjacency) {
    public static BudgetEntry of(Budget budget) {
      return new BudgetEntry(
          budget.epsilon().value(),
          budget.delta().value(),
          budget.cap().mu().value(),
          budget.adjacency().key());
    }
  }

  /**
   * Units that are kept from training.
   *
   * @param share of all, by a keyed hash of each; without the last bits of a difference
   * @param rows as many as are expected, of people where these are the unit
   */
  public record HeldOut(double share, long rows) {}

  /** What a charge costs alone. */
  public record ChargeCost(String what, OptionalDouble mu, double epsilon) {}

  /** The noise multiplier that a final run of so many steps would have. */
  public record FinalSigma(int steps, double sigma) {}

  public static PlanDocument of(StudyPlan plan) {
    SweepDefinition sweep = plan.sweep();
    Optional<Grid> grid = sweep.run().noise().grid();
    return new PlanDocument(
        sweep.name(),
        GuaranteeNote.of(VoidReasons.of(plan)),
        sweep.search().name(),
        sweep.train().method().name(),
        sweep.rows(),
        unit(sweep),
        heldOut(sweep.data()),
        grid.stream().mapToInt(Grid::exponent).findFirst(),
        grid.isPresent() ? OptionalDouble.of(sensitivity(sweep)) : OptionalDouble.empty(),
        BudgetEntry.of(sweep.budget()),
        sweep.search().why(),
        sweep.search().whySteps(),
        plan.charges().stream()
            .map(c -> new ChargeCost(c.what(), value(c.mu()), c.epsilon().value()))
            .toList(),
        plan.trials().stream().map(trial -> entry(plan, trial)).toList(),
        plan.finalSigmas().entrySet().stream()
            .map(sigma -> new FinalSigma(sigma.getKey(), sigma.getValue()))
            .toList());
  }

  private static RunEntry entry(StudyPlan plan, PlannedTrial trial) {
    return new RunEntry(
        OptionalInt.of(trial.number()),
        OptionalInt.of(trial.round()),
        OptionalDouble.of(trial.epsilon().value()),
        plan.isInMu() ? OptionalDouble.of(trial.mu().value()) : OptionalDouble.empty(),
        trial
            .known()
            .map(point -> RunEntry.point(point, plan.sweep(), trial.mu()))
            .orElse(Map.of("steps", trial.steps())),
        trial.isPlaced() ? OptionalInt.empty() : OptionalInt.of(trial.round() - 1),
        plan.sigma(plan.trialCharge(trial)),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalDouble.empty(),
        Optional.empty());
  }

  public static OptionalDouble value(Optional<Mu> mu) {
    return mu.stream().mapToDouble(Mu::value).findFirst();
  }

  /** Of a step's sum, in clip norms, the rounding included. */
  private static double sensitivity(SweepDefinition sweep) {
    return sweep.train().method().sensitivity(sweep.budget().adjacency());
  }

  /** What is counted in public and protected where it is no row. */
  static Optional<String> unit(SweepDefinition sweep) {
    return sweep.data().unit().map(person -> "person");
  }

  /** What a public number is of. */
  static String counted(Optional<String> unit) {
    return unit.isPresent() ? "people" : "rows";
  }

  private static boolean isOfPeople(StudyPlan plan) {
    return plan.sweep().data().unit().isPresent();
  }

  /** What is held out from training, by part; empty where nothing is. */
  static Optional<Map<String, HeldOut>> heldOut(SweepData data) {
    Map<String, HeldOut> parts = new LinkedHashMap<>();
    addHeldOut("validation", data.validation(), parts);
    addHeldOut("test", data.test(), parts);
    return parts.isEmpty() ? Optional.empty() : Optional.of(parts);
  }

  private static void addHeldOut(
      String part, Optional<DataSource> source, Map<String, HeldOut> to) {
    source
        .filter(rows -> rows.side().isPresent())
        .map(DataSource::units)
        .ifPresent(
            units ->
                to.put(part, new HeldOut(Math.rint(units.share() * 1e9) / 1e9, units.count())));
  }

  /** What is held out, in words, as in {@code about 80 for validation}. */
  static String heldOutWords(Map<String, HeldOut> parts) {
    return parts.entrySet().stream()
        .map(part -> "about %d for %s".formatted(part.getValue().rows(), part.getKey()))
        .collect(Collectors.joining(", "));
  }

  /**
   * That there are no trials, and why, in words; empty where there are some, where the sweep fixes
   * the point, and where it is secret how many there are.
   */
  public Optional<String> noTrials() {
    return split
        .filter(why -> trials.isEmpty())
        .map(
            why ->
                "There were no trials: on so few rows at this budget they would cost more than they tell"
                    + " (%s). The logit noise ν is the one that is known in advance."
                        .formatted(why));
  }

  /** What the account reserves when a study is made of it. */
  private static String cost(StudyPlan plan, String account, Optional<AccountStanding> standing) {
    return plan.accountCost()
        .map(
            cost ->
                "'%s' reserves %s for it".formatted(account, rounded(cost))
                    + standing.map(now -> room(now, cost)).orElse(""))
        .orElse("'%s' takes no such plan: no mu is known that covers it".formatted(account));
  }

  private static String room(AccountStanding standing, ApproximateGaussianDp cost) {
    String left = figures(standing.left(), DisplayNumber::left, DisplayNumber::left);
    if (standing.hasRoomFor(cost) && rounded(cost).equals(rounded(standing.left()))) {
      return ", all that is left";
    }
    boolean lacksDelta0 = cost.delta0().value() > 0 && standing.left().delta0().value() == 0;
    return standing.hasRoomFor(cost)
        ? ", of %s that is left".formatted(left)
        : ", and has %s%s left: a study of it is refused"
            .formatted(left, lacksDelta0 ? " and delta0 0" : "");
  }

  private static String rounded(ApproximateGaussianDp cost) {
    return figures(cost, DisplayNumber::cost, DisplayNumber::cost);
  }

  private static String figures(
      ApproximateGaussianDp cost, Function<Mu, String> mu, Function<Delta, String> delta) {
    return "mu "
        + mu.apply(cost.mu())
        + (cost.delta0().value() > 0 ? " and delta0 " + delta.apply(cost.delta0()) : "");
  }

  /**
   * The plan for a terminal.
   *
   * @param standing of the account that it would draw on, where a store has that
   */
  public static String text(StudyPlan plan, Optional<AccountStanding> standing) {
    Budget budget = plan.sweep().budget();
    StringBuilder text = new StringBuilder(GuaranteeNote.line(VoidReasons.of(plan)));
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %s with %s on %d %s (public count), %s neighbours%n",
            plan.sweep().name(),
            plan.sweep().search().name(),
            plan.sweep().train().method().name(),
            plan.sweep().rows(),
            counted(unit(plan.sweep())),
            budget.adjacency().key()));
    heldOut(plan.sweep().data())
        .ifPresent(
            parts ->
                text.append("held out beside them, by a keyed hash of each: ")
                    .append(heldOutWords(parts))
                    .append('\n'));
    text.append(
        String.format(
            Locale.ROOT,
            "budget: epsilon %s at delta %s, which is mu %s; nothing was read yet%n%n",
            DisplayNumber.cost(budget.epsilon()),
            DisplayNumber.delta(budget.delta()),
            DisplayNumber.cost(budget.cap().mu())));
    plan.sweep()
        .chargedAccount()
        .ifPresent(
            account ->
                text.append("account: ").append(cost(plan, account, standing)).append("\n\n"));
    plan.sweep()
        .run()
        .noise()
        .grid()
        .ifPresent(
            grid ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "sums and noise are multiples of 2^%d: with that rounding a %s moves a"
                            + " sum by at most %s clip norms%n%n",
                        grid.exponent(),
                        isOfPeople(plan) ? "person" : "row",
                        sensitivity(plan.sweep()))));
    plan.sweep().search().why().ifPresent(why -> text.append("split: ").append(why).append("\n\n"));
    plan.sweep()
        .search()
        .whySteps()
        .ifPresent(why -> text.append("steps: ").append(why).append("\n\n"));
    text.append(charges(plan)).append('\n');
    if (!plan.trials().isEmpty()) {
      text.append(trials(plan)).append('\n');
    }
    Map<Integer, Double> known = plan.finalSigmas();
    DataTable sigmas =
        DataTable.of(
            List.of("steps of the final run", "sigma"),
            known.entrySet(),
            of -> DataTable.row(Integer.toString(of.getKey()), DisplayNumber.sigma(of.getValue())));
    return text.append(known.isEmpty() ? "" : sigmas).toString();
  }

  private static DataTable charges(StudyPlan plan) {
    List<String> head = List.of("charge", "mu", "epsilon alone", "share of budget");
    double capSquared = square(plan.sweep().budget().cap().mu().value());
    List<DataTable.Row> rows = new ArrayList<>();
    for (PlannedCharge charge : plan.charges()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  charge.what(),
                  charge.mu().map(DisplayNumber::cost).orElse(""),
                  DisplayNumber.cost(charge.epsilon())));
      if (plan.isInMu()) {
        cells.add(DisplayNumber.percent(square(charge.mu().orElseThrow().value()) / capSquared));
      }
      rows.add(DataTable.row(cells));
    }
    if (plan.isInMu()) {
      return new DataTable(head, rows);
    }
    rows.add(DataTable.row("all together", "", DisplayNumber.cost(plan.total())));
    return new DataTable(head.subList(0, 3), rows);
  }

  /** With what else the run has of its own. */
  static String rate(TrialPoint point) {
    StringBuilder text = new StringBuilder(DisplayNumber.value(point.learningRate()));
    point
        .sortedSettings()
        .forEach(
            (setting, value) ->
                text.append(", ").append(setting).append(' ').append(DisplayNumber.value(value)));
    return text.toString();
  }

  /** Empty where the radius does not say how much noise is in a logit. */
  static String noise(SweepDefinition sweep, TrialPoint point, Mu mu) {
    return sweep.train().method().searched() == Searched.RADIUS
        ? DisplayNumber.value(sweep.runScale().logitNoise(point, mu))
        : "";
  }

  private static DataTable trials(StudyPlan plan) {
    return DataTable.of(
        List.of("trial", "epsilon", "learning rate", "steps", "radius", "logit noise", "sigma"),
        plan.trials(),
        trial -> {
          Optional<TrialPoint> point = trial.known();
          return DataTable.row(
              Integer.toString(trial.number()),
              DisplayNumber.cost(trial.epsilon()),
              point.map(PlanDocument::rate).orElse("by scores of sweep " + (trial.round() - 1)),
              Integer.toString(trial.steps()),
              point.map(p -> DisplayNumber.value(p.radius())).orElse(""),
              point.map(p -> noise(plan.sweep(), p, trial.mu())).orElse(""),
              DisplayNumber.sigma(plan.sigma(plan.trialCharge(trial)).orElseThrow()));
        });
  }

  private static double square(double x) {
    return x * x;
  }
}
