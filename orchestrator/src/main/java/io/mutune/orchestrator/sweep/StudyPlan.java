package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.TrialPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a study will ask and what it costs, from the sweep alone: no data is read. The
 * same sweep always gives the same plan.
 */
public final class StudyPlan {
  /** A final run with less of the budget's μ than this gives noise alone. */
  private static final double LEAST_FINAL_SHARE = 1e-3;

  private final SweepDefinition sweep;
  private final List<PlannedTrial> trials;
  private final Map<String, Charge> fixedCharges;
  private final Mu finalMu;

  private StudyPlan(
      SweepDefinition sweep, List<PlannedTrial> trials, List<Charge> charges, Mu finalMu) {
    this.sweep = sweep;
    this.trials = trials;
    this.fixedCharges = new LinkedHashMap<>();
    charges.forEach(charge -> fixedCharges.put(charge.what(), charge));
    this.finalMu = finalMu;
  }

  /**
   * Plans a sweep.
   *
   * @throws io.mutune.accountant.ledger.BudgetExceededException if the trials and scores leave not
   *     even a thousandth of the budget's μ for the final run
   */
  public static StudyPlan of(SweepDefinition sweep) {
    List<PlannedTrial> trials = sweep.search().trials(sweep.runScale(), sweep.budget().delta());
    List<Charge> charges = new ArrayList<>();
    for (PlannedTrial trial : trials) {
      charges.add(
          new Charge(
              PlannedCharge.trial(trial.number()), training(sweep, trial.mu(), trial.point())));
      scoreMechanism(sweep)
          .ifPresent(score -> charges.add(new Charge(PlannedCharge.score(trial.number()), score)));
    }
    testMechanism(sweep).ifPresent(test -> charges.add(new Charge(PlannedCharge.TEST, test)));
    BudgetFilter filter = new BudgetFilter(sweep.budget());
    // What is left composes with the rest to the cap and no more, exactly (GaussianDp.remaining).
    Mu left = filter.admit(List.of(), charges).left().mu();
    Mu least = Mu.of(sweep.budget().cap().mu().value() * LEAST_FINAL_SHARE);
    if (left.value() < least.value()) {
      Charge smallest =
          new Charge(PlannedCharge.FINAL, new Gaussian(Calibration.noise(least, 1, 1), 1, 1));
      filter.admit(charges, List.of(smallest));
    }
    return new StudyPlan(sweep, trials, charges, left);
  }

  public SweepDefinition sweep() {
    return sweep;
  }

  public List<PlannedTrial> trials() {
    return trials;
  }

  /** The charge of a trial's training, as it will stand in the ledger. */
  public Charge trialCharge(PlannedTrial trial) {
    return fixed(PlannedCharge.trial(trial.number())).orElseThrow();
  }

  /** The charge of a trial's score; empty where scoring is free. */
  public Optional<Charge> scoreCharge(PlannedTrial trial) {
    return fixed(PlannedCharge.score(trial.number()));
  }

  /** The charge of the test figure; empty where the test rows are public or absent. */
  public Optional<Charge> testCharge() {
    return fixed(PlannedCharge.TEST);
  }

  /** The final run's charge at a point that the search chose; its μ never passes the plan's. */
  public Charge finalCharge(TrialPoint point) {
    return new Charge(PlannedCharge.FINAL, training(sweep, finalMu, point));
  }

  /** What the ledger calls the final run. */
  public static String finalName() {
    return PlannedCharge.FINAL;
  }

  /**
   * Whether the plan has this charge; the final run's by what it costs, since its steps come later.
   */
  public boolean foresees(Charge charge) {
    if (charge.what().equals(PlannedCharge.FINAL)) {
      return charge.mechanism().mu().stream().allMatch(mu -> mu.value() <= finalMu.value());
    }
    return fixed(charge.what()).filter(charge::equals).isPresent();
  }

  /** What is left for the final run. */
  public SearchStrategy.Target target() {
    return new SearchStrategy.Target(finalMu, epsilonOf(finalMu));
  }

  /** Every charge in the order in which a study makes them. */
  public List<PlannedCharge> charges() {
    List<PlannedCharge> planned = new ArrayList<>();
    for (Charge charge : fixedCharges.values()) {
      if (!charge.what().equals(PlannedCharge.TEST)) {
        planned.add(plan(charge));
      }
    }
    planned.add(new PlannedCharge(PlannedCharge.FINAL, finalMu, epsilonOf(finalMu)));
    testCharge().ifPresent(charge -> planned.add(plan(charge)));
    return planned;
  }

  /** σ, in clip norms, of the final run if it takes so many steps. */
  public NoiseMultiplier finalSigma(int steps) {
    return Calibration.noise(finalMu, sensitivity(sweep), steps);
  }

  private Optional<Charge> fixed(String what) {
    return Optional.ofNullable(fixedCharges.get(what));
  }

  private PlannedCharge plan(Charge charge) {
    Mu mu = charge.mechanism().mu().orElseThrow();
    return new PlannedCharge(charge.what(), mu, epsilonOf(mu));
  }

  private Epsilon epsilonOf(Mu mu) {
    return GaussianDp.of(mu).epsilon(sweep.budget().delta());
  }

  private static double sensitivity(SweepDefinition sweep) {
    return sweep.budget().adjacency().sumSensitivity();
  }

  private static Gaussian training(SweepDefinition sweep, Mu mu, TrialPoint point) {
    double sensitivity = sensitivity(sweep);
    return new Gaussian(
        Calibration.noise(mu, sensitivity, point.steps()), sensitivity, point.steps());
  }

  private static Optional<Gaussian> scoreMechanism(SweepDefinition sweep) {
    return sweep.score() instanceof ScoreRule.NoisyCount score
        ? Optional.of(count(score, sweep.budget().delta()))
        : Optional.empty();
  }

  /** A private test set is scored like a trial, at the same price. */
  private static Optional<Gaussian> testMechanism(SweepDefinition sweep) {
    boolean isPrivate = sweep.test().map(DataSource::isPrivate).orElse(false);
    return isPrivate ? scoreMechanism(sweep) : Optional.empty();
  }

  /** One row changes a number of correct rows by at most 1 under both adjacencies. */
  private static Gaussian count(ScoreRule.NoisyCount score, Delta delta) {
    Mu mu = GaussianDp.ofBudget(score.epsilon(), delta).mu();
    return new Gaussian(Calibration.noise(mu, 1, 1), 1, 1);
  }
}
