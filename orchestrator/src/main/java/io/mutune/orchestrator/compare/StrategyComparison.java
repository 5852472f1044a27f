package io.mutune.orchestrator.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.StepRange;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What came of a comparison. Every figure but the oracle's is of studies that were charged whole
 * and audited.
 *
 * @param rates η that the strategies without a natural unit looked through
 * @param steps T likewise
 * @param strategies in the order in which they were asked for
 */
public record StrategyComparison(
    SweepDefinition sweep,
    ComparisonSize extent,
    Interval rates,
    StepRange steps,
    Oracle oracle,
    List<Standing> strategies) {
  /**
   * The best point of a lattice by its mean test accuracy, each run with the whole budget and none
   * of the looks charged.
   *
   * @param points of the lattice
   * @param accuracies of that point run once more for each repeat, so that the luck of being chosen
   *     is not in them
   * @param trained passes over the rows a look, all points together
   * @param seconds a look
   */
  public record Oracle(
      TrialPoint point, int points, Sample accuracies, double trained, double seconds) {}

  /**
   * How one strategy did.
   *
   * @param accuracies on the test rows, one a repeat
   * @param rerr relative error reduction; empty without {@code random} or where the oracle is no
   *     better than it
   * @param overFixed by how much it is better than {@code fixed}, repeat by repeat; empty of that
   *     itself, without it, and with one repeat
   * @param tuningShare the part of the budget's μ² that trials and scores spent; empty where
   *     charges have no μ
   * @param trials runs a study beside the final one, or all of them where one is kept
   * @param trained passes over the rows a study
   * @param seconds a study, side by side with the others of the strategy
   * @param epsilon the largest that a study spent, at the budget's δ
   * @param finalEpsilon the most that its final run alone spends, or each run where one is kept
   * @param holds whether the guarantee of its studies would hold with secret noise
   * @param guards how many of the studies each of them acted in
   */
  public record Standing(
      ComparedStrategy strategy,
      Sample accuracies,
      Optional<Interval95> rerr,
      Optional<PairedDifference> overFixed,
      OptionalDouble tuningShare,
      int trials,
      double trained,
      double seconds,
      double epsilon,
      double finalEpsilon,
      boolean holds,
      Map<String, Integer> guards) {}

  /**
   * A figure and where it lies with a probability of 95%. In JSON an end that nothing bounds is
   * null.
   *
   * @param value the estimate itself
   * @param low empty where nothing bounds it, as is high
   */
  @JsonInclude(JsonInclude.Include.ALWAYS)
  public record Interval95(double value, OptionalDouble low, OptionalDouble high) {
    /** Of ends that may be infinite. */
    public static Interval95 of(double value, double low, double high) {
      return new Interval95(value, DisplayNumber.end(low), DisplayNumber.end(high));
    }

    /** As shares, for a page. */
    public String shown() {
      return DisplayNumber.percent(value)
          + " ("
          + DisplayNumber.interval(low, high, DisplayNumber::percent)
          + ")";
    }
  }
}
