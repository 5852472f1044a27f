package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Balance;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.PlanTotal;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureMechanism;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What the charges of a plan cost, each alone and all together. */
final class PlanPrices {
  private final SweepDefinition sweep;
  private final Budget budget;
  private final Collection<Charge> charges;
  private final FinalShare share;
  private final Map<Mechanism, Epsilon> alone = new ConcurrentHashMap<>();

  /**
   * @param budget that the ledger is held to
   * @param charges all but the final run's
   */
  PlanPrices(SweepDefinition sweep, Budget budget, Collection<Charge> charges, FinalShare share) {
    this.sweep = sweep;
    this.budget = budget;
    this.charges = charges;
    this.share = share;
  }

  /** Of everything together where the plan is in shares of μ; empty otherwise. */
  Optional<Mu> totalMu() {
    if (!share.inMu()) {
      return Optional.empty();
    }
    GaussianDp before = Balance.of(budget, charges).spent();
    return Optional.of(share instanceof FinalShare.InMu left ? with(before, left) : before.mu());
  }

  private static Mu with(GaussianDp before, FinalShare.InMu left) {
    List<GaussianDp> parts = new ArrayList<>(List.of(before, GaussianDp.of(left.mu())));
    left.releases().forEach(release -> parts.add(GaussianDp.of(release.mu())));
    return GaussianDp.compose(parts).mu();
  }

  /** Of the final run alone, or of each trial where one of them is kept. */
  Epsilon finalAlone() {
    if (share instanceof FinalShare.Kept kept) {
      return kept.epsilon();
    }
    Optional<Charge> one = share.whole();
    return one.isPresent()
        ? alone(one.get())
        : GaussianDp.of(share.noise()).epsilon(sweep.budget().delta());
  }

  /**
   * Every charge in the order in which a study makes them.
   *
   * @param chargesFinal whether a final run is among them
   */
  List<PlannedCharge> inOrder(boolean chargesFinal) {
    List<PlannedCharge> planned = new ArrayList<>();
    charges.stream().filter(charge -> !isTest(charge)).map(this::priced).forEach(planned::add);
    for (PlannedRelease release : share.releases()) {
      planned.add(new PlannedCharge(release.name(), Optional.of(release.mu()), release.epsilon()));
    }
    if (chargesFinal) {
      Optional<Mu> last = share.inMu() ? Optional.of(share.noise()) : Optional.empty();
      planned.add(new PlannedCharge(Question.FINAL.name(), last, finalAlone()));
    }
    charges.stream().filter(PlanPrices::isTest).map(this::priced).forEach(planned::add);
    return planned;
  }

  private static boolean isTest(Charge charge) {
    return Question.of(charge).filter(question -> question.kind().isTest()).isPresent();
  }

  private PlannedCharge priced(Charge charge) {
    return new PlannedCharge(charge.what(), charge.mechanism().mu(), alone(charge));
  }

  /** By its μ, where that says all of it: what is ε-DP is less than the μ that covers it. */
  private Epsilon alone(Charge charge) {
    return alone.computeIfAbsent(
        charge.mechanism(),
        mechanism ->
            mechanism
                .mu()
                .filter(mu -> !(mechanism instanceof PureMechanism))
                .map(mu -> GaussianDp.of(mu).epsilon(sweep.budget().delta()))
                .orElseGet(() -> PlanTotal.of(sweep.budget(), List.of(charge)).epsilon()));
  }
}
