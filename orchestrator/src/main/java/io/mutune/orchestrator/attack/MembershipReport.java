package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.RocCurve;
import io.mutune.orchestrator.sweep.SweepDefinition;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How well rows of the data set are told from others by a released model.
 *
 * @param epsilon what the model's study is guaranteed; NaN where it is not known
 * @param voidReasons why that does not hold; none where it does
 * @param testAccuracy of the model, where it is known
 * @param members how many rows took part
 * @param others how many did not
 * @param attacks each with its curve, the simplest first
 */
public record MembershipReport(
    SweepDefinition sweep,
    double epsilon,
    List<String> voidReasons,
    OptionalDouble testAccuracy,
    int members,
    int others,
    List<Attack> attacks,
    long seed,
    double seconds) {
  /**
   * One way to score rows.
   *
   * @param references how many reference studies it took
   */
  public record Attack(String name, int references, RocCurve curve) {}
}
