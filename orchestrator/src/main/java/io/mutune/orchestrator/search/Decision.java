package io.mutune.orchestrator.search;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What the study's model comes from, and why.
 *
 * @param point of the final run, or of the trial that is kept
 * @param kept the number of the trial whose model is the result; empty if a final run follows
 * @param score of the model itself, where random stopping released one
 * @param from the trial whose candidate the final run takes over; empty where it follows from
 *     several
 */
public record Decision(
    TrialPoint point,
    Optional<Fit> fit,
    List<Guard> guards,
    OptionalInt kept,
    OptionalDouble score,
    OptionalInt from) {
  /** A final run at this point. */
  public Decision(TrialPoint point, Optional<Fit> fit, List<Guard> guards) {
    this(point, fit, guards, OptionalInt.empty(), OptionalDouble.empty(), OptionalInt.empty());
  }

  /** The point of the one run that was released, with its score; the reason stays secret. */
  public static Decision best(TrialPoint point, double score) {
    return new Decision(
        point,
        Optional.empty(),
        List.of(),
        OptionalInt.empty(),
        OptionalDouble.of(score),
        OptionalInt.empty());
  }

  /** A final run at a point that no fit chose, or that was kept when it was chosen. */
  public static Decision kept(TrialPoint point, OptionalInt from, List<Guard> guards) {
    return new Decision(
        point, Optional.empty(), guards, OptionalInt.empty(), OptionalDouble.empty(), from);
  }

  /** The model of a trial as it is. */
  static Decision keeping(PlannedTrial trial, List<Guard> guards) {
    return new Decision(
        trial.point(),
        Optional.empty(),
        guards,
        OptionalInt.of(trial.number()),
        OptionalDouble.empty(),
        OptionalInt.empty());
  }
}
