package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.BudgetFilter;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ChargeFilter;
import io.mutune.accountant.ledger.PlanFilter;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.search.SecretTrials;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.method.Need;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Everything that a study will ask and what it costs, from the sweep alone: no data is read. The
 * same sweep always gives the same plan.
 */
public final class StudyPlan {
  /** What secret runs are kept under in the store, where a final run follows them. */
  public static final int TUNING = 1;

  private final SweepDefinition sweep;
  private final Budget budget;
  private final List<PlannedTrial> trials;
  private final Map<Question, Charge> charges = new LinkedHashMap<>();
  private final FinalShare share;
  private final ChargeFilter filter;
  private final PlanPrices prices;
  private final PlanNoise noise;

  /**
   * @param budget that the ledger is held to: the sweep's, but for a study that does not keep it
   * @param charges all but the final run's
   * @throws io.mutune.accountant.ledger.PlanExceededException if charges that are fixed to the last
   *     digit do not keep the budget
   */
  StudyPlan(
      SweepDefinition sweep,
      Budget budget,
      List<PlannedTrial> trials,
      List<Charge> charges,
      FinalShare share) {
    this.sweep = sweep;
    this.budget = budget;
    this.trials = List.copyOf(trials);
    charges.forEach(c -> this.charges.put(Question.of(c).orElseThrow(), c));
    this.share = share;
    this.prices = new PlanPrices(sweep, budget, this.charges.values(), share);
    this.noise = new PlanNoise(sweep, share, this::trialCharge);
    this.filter = share.inMu() ? new BudgetFilter(budget) : new PlanFilter(budget, whole());
  }

  /**
   * Plans a sweep.
   *
   * @throws io.mutune.accountant.ledger.OverBudgetException if the trials and scores leave not even
   *     a thousandth of the budget's μ, or ε, for the final run
   * @throws InvalidSweepException if the sweep's grid is too fine for the noise of the plan, its
   *     samples are so small that a run costs next to nothing, or its method has no run with the
   *     noise of the plan
   */
  public static StudyPlan of(SweepDefinition sweep) {
    return of(sweep, Optional.empty());
  }

  /**
   * Plans a sweep with the noise of another plan like it, which need not be looked for again.
   *
   * @param noise what {@link #noiseLevels} gave there
   */
  public static StudyPlan of(SweepDefinition sweep, Optional<NoiseLevels> noise) {
    return PlanLimits.ofNew(begun(sweep, noise));
  }

  /**
   * Plans a sweep as a study of it was begun, even one that would no longer be planned: an earlier
   * version may have let it in.
   *
   * @param noise what {@link #noiseLevels} gave then
   */
  public static StudyPlan begun(SweepDefinition sweep, Optional<NoiseLevels> noise) {
    return PlanLimits.onItsGrid(plan(sweep, noise));
  }

  private static StudyPlan plan(SweepDefinition sweep, Optional<NoiseLevels> noise) {
    if (sweep.search() instanceof SecretTrials search) {
      return SelectionPlanner.plan(sweep, search, noise);
    }
    return sweep.train().method().needs(Need.FIXED_PLAN)
        ? FixedPlanner.plan(sweep, noise)
        : MuPlanner.plan(sweep);
  }

  /** The noise of a plan that is fixed to the last digit; empty for one in μ. */
  public Optional<NoiseLevels> noiseLevels() {
    return noise.levels(trials);
  }

  /** What a trial's method takes as σ. */
  public NoiseMultiplier trialNoise(PlannedTrial trial) {
    return noise.of(trial);
  }

  /** What the method takes as σ in the final run, or in each run of random stopping. */
  public NoiseMultiplier finalNoise(TrialPoint point) {
    return noise.ofFinal(point);
  }

  /** How many runs the store keeps beside the final one. */
  public int storedRuns() {
    return tunesInSecret() ? TUNING : trials.size() + releases().size();
  }

  /** Whether the model of the best of secret runs is the result. */
  public boolean keepsSecretBest() {
    return share instanceof FinalShare.Selection;
  }

  /** Whether the best of secret runs is carried over to a final run. */
  public boolean tunesInSecret() {
    return share instanceof FinalShare.Fixed fixed && fixed.secretRuns().isPresent();
  }

  /** The runs that are charged as one; empty for strategies without. */
  public Optional<SecretRuns> secretRuns() {
    return share.secretRuns().map(runs -> new SecretRuns(sweep, runs.charge(), runs.noise()));
  }

  /**
   * σ of a training run, over one row's greatest contribution; empty where the run has a budget of
   * its own in its place.
   */
  public OptionalDouble sigma(Charge training) {
    return noise.named(training);
  }

  public SweepDefinition sweep() {
    return sweep;
  }

  /**
   * What the ledger is held to: the sweep's budget, unless {@link #keepsBudget} says that it is
   * passed.
   */
  public Budget budget() {
    return budget;
  }

  /** Whether everything together stays within the sweep's budget. */
  public boolean keepsBudget() {
    return budget.equals(sweep.budget());
  }

  /** Whether a final run follows the trials; else the model of one of them is the result. */
  public boolean hasFinal() {
    return !(share instanceof FinalShare.Kept);
  }

  public List<PlannedTrial> trials() {
    return trials;
  }

  /**
   * Every charge as it will stand in the ledger, the final run's at steps of the plan's choice
   * where they come later: its μ is then at most what {@link #totalMu} has for it.
   */
  public List<Charge> whole() {
    List<Charge> all = new ArrayList<>(charges.values());
    int steps = sweep.search().fixedSteps().orElse(1);
    releases().forEach(release -> all.add(releaseCharge(release, steps)));
    if (chargesFinal()) {
      all.add(share.whole().orElseGet(() -> finalCharge(steps)));
    }
    return all;
  }

  /** How many charges there are, the final run's included. */
  public int size() {
    return charges.size() + releases().size() + (chargesFinal() ? 1 : 0);
  }

  /**
   * Whether a final run is charged: not if it asks no row that needs protection, nor if a trial's
   * model is kept.
   */
  public boolean chargesFinal() {
    return hasFinal() && !(share instanceof FinalShare.None);
  }

  /** Whether the plan is in shares of the budget's μ, so that the steps may be chosen later. */
  public boolean isInMu() {
    return share.inMu();
  }

  /**
   * μ of everything together where the plan is in shares of it, whatever the steps of the final
   * run; empty otherwise. The charges of a study may compose to an ulp less, by how σ is rounded
   * for the steps that it chose: what is proved is this.
   */
  public Optional<Mu> totalMu() {
    return prices.totalMu();
  }

  /**
   * What a data set's account holds for the whole plan: the budget's μ where the plan is in shares
   * of it, and else what covers its charges at every ε, with a δ₀ of a tenth of the budget's δ.
   *
   * @return empty if nothing is found that covers them
   */
  public Optional<ApproximateGaussianDp> accountCost() {
    return share.inMu()
        ? Optional.of(ApproximateGaussianDp.of(budget.cap()))
        : AccountCost.of(budget, whole(), secretRuns().isPresent());
  }

  /** What lets this plan's charges onto a ledger. */
  public ChargeFilter filter() {
    return filter;
  }

  /** The charge of a trial's training, as it will stand in the ledger. */
  public Charge trialCharge(PlannedTrial trial) {
    return charge(Question.trial(trial.number())).orElseThrow();
  }

  /** The charge of a trial's score; empty where scoring is free. */
  public Optional<Charge> scoreCharge(PlannedTrial trial) {
    return charge(Question.score(trial.number()));
  }

  /** The charges for figures on test rows; none where these are public or absent. */
  public List<Charge> testCharges() {
    return sweep.score().testCounts().stream()
        .map(this::testCharge)
        .flatMap(Optional::stream)
        .toList();
  }

  /** The charge of one of them; empty where it is not made. */
  public Optional<Charge> testCharge(ScoreRule.TestCount count) {
    return sweep.score().testCounts().contains(count)
        ? charge(Question.test(count))
        : Optional.empty();
  }

  /** The charge of the private mean; empty where the features have none. */
  public Optional<Charge> meanCharge() {
    return charge(Question.MEAN);
  }

  /** The models that are trained beside the final one, the cheapest first. */
  public List<PlannedRelease> releases() {
    return share.releases();
  }

  /** The charge of such a model at a point that the search chose; never above the plan's. */
  public Charge releaseCharge(PlannedRelease release, TrialPoint point) {
    return releaseCharge(release, point.steps());
  }

  private Charge releaseCharge(PlannedRelease release, int steps) {
    return release.question().charge(MuPlanner.training(sweep, release.mu(), steps));
  }

  /** What its method takes as σ. */
  public NoiseMultiplier releaseNoise(PlannedRelease release, TrialPoint point) {
    return MuPlanner.noise(sweep, release.mu(), point.steps());
  }

  /** The final run's charge at a point that the search chose; never above the plan's. */
  public Charge finalCharge(TrialPoint point) {
    return finalCharge(point.steps());
  }

  private Charge finalCharge(int steps) {
    if (share instanceof FinalShare.InMu left) {
      return Question.FINAL.charge(MuPlanner.training(sweep, left.mu(), steps));
    }
    if (share instanceof FinalShare.None) {
      throw new IllegalStateException("the final run is not charged");
    }
    if (share instanceof FinalShare.Selection) {
      return secretRuns().orElseThrow().training(new TrialPoint(1, steps));
    }
    Charge charge = share.onlyFinal().charge();
    if (steps != sweep.search().fixedSteps().orElseThrow()) {
      throw new IllegalArgumentException(
          "the plan is fixed and has no final run of %d steps: %s".formatted(steps, charge));
    }
    return charge;
  }

  /**
   * Whether the plan has this charge; the final run's of a plan in μ by what it costs, since its
   * steps come later.
   */
  public boolean foresees(Charge charge) {
    Optional<Question> question = Question.of(charge);
    Optional<PlannedRelease> release =
        releases().stream().filter(one -> one.name().equals(charge.what())).findFirst();
    if (release.isPresent()) {
      return costsAtMost(charge, release.get().mu());
    }
    if (!question.equals(Optional.of(Question.FINAL))) {
      return question.flatMap(this::charge).filter(charge::equals).isPresent();
    }
    return share instanceof FinalShare.InMu left
        ? costsAtMost(charge, left.mu())
        : share.whole().filter(charge::equals).isPresent();
  }

  private static boolean costsAtMost(Charge charge, Mu most) {
    return charge.mechanism().mu().stream().anyMatch(mu -> mu.value() <= most.value());
  }

  /** μ of the run that is the result, as {@link PlannedTrial#mu}. */
  public Mu resultMu(Decision decision) {
    return decision.kept().isPresent()
        ? trials.get(decision.kept().getAsInt() - 1).mu()
        : share.noise();
  }

  /** The charge of the run that is the result; empty if it asked no row that needs protection. */
  public Optional<Charge> resultCharge(Decision decision) {
    if (decision.kept().isPresent()) {
      return Optional.of(trialCharge(trials.get(decision.kept().getAsInt() - 1)));
    }
    return chargesFinal() || sweep.search().isSecret()
        ? Optional.of(finalCharge(decision.point()))
        : Optional.empty();
  }

  /** What is left for the final run; what each trial has at most where one of them is kept. */
  public SearchStrategy.Target target() {
    return new SearchStrategy.Target(share.noise(), prices.finalAlone());
  }

  /** Every charge in the order in which a study makes them. */
  public List<PlannedCharge> charges() {
    return prices.inOrder(chargesFinal());
  }

  /**
   * σ of the final run for some numbers of steps: a few usual ones, or the one of a fixed plan;
   * none where a run has no σ, or there is no final run.
   */
  public Map<Integer, Double> finalSigmas() {
    return noise.ofFinal(this::finalCharge);
  }

  /** The ε of everything together where the plan is fixed; the budget's where it is in μ. */
  public Epsilon total() {
    return share.inMu() ? budget.epsilon() : PlanTotal.of(budget, whole()).epsilon();
  }

  private Optional<Charge> charge(Question question) {
    return Optional.ofNullable(charges.get(question));
  }
}
