package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.TrainedModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A training method with its public settings: all but the rate, the steps and the noise of a run,
 * which come from the search and from the plan. A record that implements this is the only place
 * that says what a method needs, what it charges and how it is made; {@code TrainingMethods} lists
 * them. Immutable.
 */
public interface TrainingMethod {
  /** Its kind: how sweeps name it and which settings they give it. */
  MethodType type();

  /** The name in sweeps and results. */
  default String name() {
    return type().name();
  }

  /**
   * What a run asks of the private rows, known before one of them is read.
   *
   * @param sigma the noise's deviation over one row's greatest contribution, or what a method with
   *     a budget of its own takes in its place: μ = 1/σ, ρ = 1/(2σ²) or ε = 1/σ of the whole run; a
   *     run costs less the larger it is
   * @param steps of the run
   */
  Mechanism mechanism(NoiseMultiplier sigma, Problem problem, int steps);

  /**
   * Why no run has this noise, as {@link #mechanism} takes it; empty where one can.
   *
   * @param features of a row; empty where they are not known, for a rule that holds for any number
   */
  default Optional<String> whyNoRun(NoiseMultiplier sigma, Problem problem, OptionalInt features) {
    return Optional.empty();
  }

  /**
   * Makes a run of the method and checks everything that is public about it.
   *
   * @param inputs what training reads beside the private rows
   * @throws IllegalArgumentException if settings do not go together, or the inputs do not suit them
   */
  Training training(Problem problem, Run run, PublicInputs inputs);

  /** What a run leaves to be searched for. */
  Searched searched();

  /** What the method needs of a study. */
  default Set<Need> needs() {
    return samplingRate() < 1 ? Set.of(Need.FIXED_PLAN) : Set.of();
  }

  /** Whether training asks anything of rows that need protection; if not, it has no mechanism. */
  default boolean isCharged() {
    return true;
  }

  /**
   * How it minimises, where it is not charged.
   *
   * @throws IllegalStateException if it is charged
   */
  default PublicTraining.Settings unprotected(Problem problem) {
    throw new IllegalStateException(name() + " trains under protection");
  }

  /** C where a step is in the gradient's own unit; 1 where the method divides by it. */
  default double stepUnit() {
    return 1;
  }

  /** β by which a step goes on; 0 where the method has another notion of it. */
  default double momentum() {
    return 0;
  }

  /** By how much neighbours differ in one release, where σ is 1. */
  default double sensitivity(Adjacency adjacency) {
    return adjacency.sumSensitivity();
  }

  /** Whether the charge is one for all steps together, however many there are. */
  default boolean chargedAsOne() {
    return false;
  }

  /** What a run shows, in words. */
  default String released() {
    return "the final model, after every step";
  }

  /**
   * The same method with sums that are rounded to a grid, and charged so; empty where it has not
   * been worked out what that costs.
   */
  default Optional<TrainingMethod> rounded(SumRounding rounding) {
    return Optional.empty();
  }

  /** The keys of the method's own numbers that a search may choose in place of the sweep. */
  default Set<String> searchable() {
    return type().searchable();
  }

  /** Whether a search may choose the number of this key. */
  default boolean isSearchable(String key) {
    return searchable().contains(key);
  }

  /**
   * The method of a run that has these numbers.
   *
   * @param chosen by keys that are {@link #isSearchable}
   */
  default TrainingMethod with(Map<String, Double> chosen) {
    if (!chosen.isEmpty()) {
      throw new IllegalArgumentException(name() + " has no settings to choose: " + chosen);
    }
    return this;
  }

  /** Which weights runs start from. */
  default Start start() {
    return Start.zero();
  }

  /** Whether all that a step asks are sums of clipped gradients, to which a row of zeros adds 0. */
  default boolean sumsGradients() {
    return false;
  }

  /**
   * Why it cannot train where a unit, which is a person, has several rows; empty where it can,
   * since all that it asks are sums in which the sum of a person's gradients is clipped.
   */
  default Optional<String> whyNoUnits() {
    return sumsGradients() || !isCharged()
        ? Optional.empty()
        : Optional.of(
            name()
                + " is private for rows that are units of their own: what it asks is no sum in"
                + " which all rows of a person are clipped together");
  }

  /** Whether it trains on samples of the rows as on all of them, as a sample's public size says. */
  default boolean trainsOnSamples() {
    return false;
  }

  /** Whether it trains on copies of parts of the rows, one at a time, each at most of all. */
  default boolean copiesRows() {
    return false;
  }

  /**
   * About how many bytes a run keeps beside the rows and its own weights, whatever the rows are.
   *
   * @param weights of a model
   */
  default double bytesKept(double weights) {
    return 0;
  }

  /** The share of rows that takes part in a step, on average. */
  default double samplingRate() {
    return 1;
  }

  /**
   * Whether it can be said what each row has cost, or each person: every step sums gradients of all
   * rows.
   */
  default boolean hasRowCosts() {
    return sumsGradients() && samplingRate() == 1;
  }

  /**
   * Whether what it asks of private rows are clipped sums over all of them or Poisson samples,
   * which a cluster can add up, beside {@link #sumsLosses sums of losses}.
   */
  default boolean sumsOnMachines() {
    return sumsGradients();
  }

  /** Whether it asks for sums of losses too, which are added up where the study runs. */
  default boolean sumsLosses() {
    return false;
  }

  /** Whether the method needs this. */
  default boolean needs(Need need) {
    return needs().contains(need);
  }

  /**
   * What the method adds to a velocity that its iterates begin their memory with; empty where they
   * have none.
   *
   * @param start the run's first weights, or the weights that a decay points to
   */
  default Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] start) {
    return Optional.empty();
  }

  /**
   * Iterates as weights with a memory that begins with the velocity, one for each checkpoint; empty
   * where they are written in a way that nobody here reads.
   *
   * @param iterates of a run, as it released them
   */
  default Optional<List<Iterate>> opened(List<Iterate> iterates) {
    return Optional.of(iterates);
  }

  /**
   * What the guarantee takes the word of others for, each in a sentence's end: "not covered: …".
   */
  default List<String> unseen() {
    return List.of();
  }

  /**
   * Whether the rows of a step are summed, and their noise drawn, by a program of somebody else's.
   */
  default boolean isExternal() {
    return false;
  }

  /**
   * A model of the method, of the numbers that it is stored by.
   *
   * @param columns of its scores
   */
  default TrainedModel stored(double[] weights, int columns) {
    return new LinearModel(weights.length / columns, columns, weights);
  }

  /** The weights that a run releases after its last iterate, which asks no row. */
  default double[] released(Iterate last, Problem problem, Run run) {
    return last.weights();
  }
}
