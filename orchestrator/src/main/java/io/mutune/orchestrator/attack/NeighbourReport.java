package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.List;

/**
 * What telling two neighbouring data sets apart has shown.
 *
 * @param rows of the person by whom they differ
 * @param epsilon what each of the studies is guaranteed
 * @param runs how many of them there were with the person, and as many without
 * @param confidence of all bounds together
 * @param silent whether one who adds nothing changed no byte; empty words for one who did not
 * @param statistics of the person who is as loud as can be
 * @param voidReasons why the guarantee of the sweep does not hold, whatever came of it; none if it
 *     does
 */
public record NeighbourReport(
    SweepDefinition sweep,
    int rows,
    double epsilon,
    int runs,
    double confidence,
    Silence silent,
    List<Statistic> statistics,
    List<String> problems,
    List<String> voidReasons,
    long seed,
    double seconds) {
  /** Of a person whose rows add nothing. */
  public enum Outcome {
    /** Every released byte was the same. */
    SAME,
    /** Some were not. */
    DIFFERENT,
    /** The sweep's feature maps, its method or its adjacency make something of a row of zeros. */
    NOT_APPLICABLE
  }

  /**
   * What came of it.
   *
   * @param different which documents were not the same
   * @param compared how many were
   */
  public record Silence(Outcome outcome, List<String> different, int compared) {}

  /**
   * One number a run.
   *
   * @param without its mean without the row
   * @param with its mean with it
   * @param epsilonAtLeast what it shows at the confidence of all together; 0 for nothing
   * @param covered whether the guarantee speaks of it; time it leaves out
   */
  public record Statistic(
      String number, double without, double with, double epsilonAtLeast, boolean covered) {}

  /** Whether the guarantee speaks of all rows of the person. */
  public boolean coversPerson() {
    return AttackedSweep.covers(sweep, rows);
  }

  /** Whether something is told that the guarantee says cannot be told. */
  public boolean refutes() {
    return silent.outcome() == Outcome.DIFFERENT
        || !problems.isEmpty()
        || (coversPerson()
            && statistics.stream().anyMatch(s -> s.covered() && s.epsilonAtLeast() > epsilon));
  }
}
