package io.mutune.orchestrator.plan;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a plan leaves for the final run. */
sealed interface FinalShare {
  /** A final run that alone has less than this of the budget's ε, or of its μ, is noise alone. */
  double LEAST = 1e-3;

  /**
   * The μ of a Gaussian run over all rows with as much noise in its sum of steps: what the search
   * takes a run's noise by.
   */
  Mu noise();

  /** Whether the plan is in shares of the budget's μ: what is left is then no one charge. */
  default boolean inMu() {
    return whole().isEmpty();
  }

  /**
   * The final run of a plan that is fixed to the last digit.
   *
   * @throws IllegalStateException if the plan has none
   */
  default Fixed onlyFinal() {
    throw new IllegalStateException("the plan has no final run: a trial's model is kept");
  }

  /** The models that are trained beside the final one. */
  default List<PlannedRelease> releases() {
    return List.of();
  }

  /** Runs that are charged as one, of which the best is the result or is carried over to it. */
  default Optional<Selection> secretRuns() {
    return Optional.empty();
  }

  /** The one charge of what is left, where the plan is fixed to the last digit. */
  default Optional<Charge> whole() {
    return Optional.empty();
  }

  /** Nothing: the final run asks no row that needs protection. */
  record None() implements FinalShare {
    @Override
    public Mu noise() {
      return Mu.ZERO;
    }
  }

  /**
   * All that is left in μ, whatever the steps.
   *
   * @param releases the models that are trained beside the final one
   */
  record InMu(Mu mu, List<PlannedRelease> releases) implements FinalShare {
    public InMu {
      releases = List.copyOf(releases);
    }

    @Override
    public Mu noise() {
      return mu;
    }
  }

  /**
   * One charge, to the last digit.
   *
   * @param sigma that the charge comes from
   * @param secretRuns whose charge is among the others
   */
  record Fixed(Charge charge, Mu noise, NoiseMultiplier sigma, Optional<Selection> secretRuns)
      implements FinalShare {
    @Override
    public Fixed onlyFinal() {
      return this;
    }

    @Override
    public Optional<Charge> whole() {
      return Optional.of(charge);
    }
  }

  /**
   * Nothing: the model of a trial is kept.
   *
   * @param noise of each trial
   * @param epsilon of each trial alone
   * @param sigma of each trial, where the plan is fixed to the last digit; empty for one in μ
   * @param byRate σ by sampling rate where trials differ in it, and the others are the dearest
   *     trial's; empty if they do not
   */
  record Kept(
      Mu noise, Epsilon epsilon, Optional<NoiseMultiplier> sigma, Map<Double, Double> byRate)
      implements FinalShare {
    /** Of trials that are alike. */
    Kept(Mu noise, Epsilon epsilon, Optional<NoiseMultiplier> sigma) {
      this(noise, epsilon, sigma, Map.of());
    }

    @Override
    public boolean inMu() {
      return sigma.isEmpty();
    }
  }

  /**
   * One charge for all runs of random stopping.
   *
   * @param noise of the training in each run
   * @param sigma of one run whole, its score included
   */
  record Selection(Charge charge, Mu noise, NoiseMultiplier sigma) implements FinalShare {
    @Override
    public Optional<Selection> secretRuns() {
      return Optional.of(this);
    }

    @Override
    public Optional<Charge> whole() {
      return Optional.of(charge);
    }
  }
}
