package io.mutune.orchestrator.document;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.PrivacyProfile;
import io.mutune.accountant.gdp.ApproximateGaussianDp;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One guarantee at several δ and as a trade-off curve. How many entries there are follows from the
 * sweep alone.
 *
 * @param tradeOff the least rate of misses at each rate of false alarms
 */
public record ProfileDocument(List<At> epsilons, TradeOff tradeOff) {
  /** Of the curve, what a table has room for. */
  private static final Set<Double> SHOWN = Set.of(0.001, 0.01, 0.05, 0.1, 0.25, 0.5);

  private static final int DIGITS = 4;

  /** Digits enough for a curve, and the same on every machine. */
  private static final double DRAWN = 1e9;

  /** Another version may find bounds that differ by as much. */
  private static final double ROUNDING = 1e-6;

  /**
   * ε at a δ.
   *
   * @param epsilon empty where no finite one is known
   */
  public record At(double delta, OptionalDouble epsilon) {
    static At of(PrivacyProfile.At at) {
      return new At(
          at.delta().value(), at.epsilon().stream().mapToDouble(Epsilon::value).findFirst());
    }

    public String shown() {
      return epsilon.isPresent() ? DisplayNumber.epsilon(epsilon.getAsDouble()) : "none known";
    }

    String shownDelta() {
      return DisplayNumber.delta(delta);
    }
  }

  /**
   * The curve, point by point.
   *
   * @param falseAlarms ascending
   * @param misses at least so many, at each of them
   */
  public record TradeOff(List<Double> falseAlarms, List<Double> misses) {
    static TradeOff of(List<PrivacyProfile.Errors> curve) {
      return new TradeOff(
          curve.stream().map(PrivacyProfile.Errors::falseAlarms).toList(),
          curve.stream().map(point -> Math.floor(point.misses() * DRAWN) / DRAWN).toList());
    }

    public List<PrivacyProfile.Errors> points() {
      return IntStream.range(0, Math.min(falseAlarms.size(), misses.size()))
          .mapToObj(i -> new PrivacyProfile.Errors(falseAlarms.get(i), misses.get(i)))
          .toList();
    }
  }

  public static ProfileDocument of(PrivacyProfile profile) {
    return new ProfileDocument(
        profile.epsilons().stream().map(At::of).toList(), TradeOff.of(profile.curve()));
  }

  /** Of an account. */
  static ProfileDocument of(ApproximateGaussianDp cost) {
    return of(PrivacyProfile.of(cost, List.of()));
  }

  /** Whether nowhere more is promised than there, but for rounding. */
  public boolean isCoveredBy(ProfileDocument other) {
    return epsilons.size() == other.epsilons.size()
        && tradeOff.falseAlarms.equals(other.tradeOff.falseAlarms)
        && tradeOff.misses.size() == other.tradeOff.misses.size()
        && IntStream.range(0, epsilons.size())
            .allMatch(i -> covers(other.epsilons.get(i), epsilons.get(i)))
        && IntStream.range(0, tradeOff.misses.size())
            .allMatch(i -> tradeOff.misses.get(i) <= other.tradeOff.misses.get(i) + ROUNDING);
  }

  private static boolean covers(At least, At said) {
    return said.delta == least.delta
        && (said.epsilon.isEmpty()
            || said.epsilon.getAsDouble()
                >= least.epsilon.orElse(Double.POSITIVE_INFINITY) * (1 - ROUNDING));
  }

  /** Both as tables for a terminal. */
  String text() {
    return "The same guarantee at other delta:\n\n"
        + DataTable.of(
            List.of("delta", "epsilon"), epsilons, at -> DataTable.row(at.shownDelta(), at.shown()))
        + "\nHow often any test misses one that took part, from everything that was released:\n\n"
        + errorTable();
  }

  /** Rounded down, as a bound from below is. */
  private static String percent(double share) {
    return PrintedNumber.down(100 * share, DIGITS) + "%";
  }

  /** ε at each δ, for a page. */
  public DataTable epsilonTable() {
    return DataTable.of(
        List.of("δ", "ε"), epsilons, at -> DataTable.row(at.shownDelta(), at.shown()));
  }

  /** The curve. */
  public DataTable errorTable() {
    return DataTable.of(
        List.of("false alarms", "missed, at least"),
        tradeOff.points().stream().filter(point -> SHOWN.contains(point.falseAlarms())).toList(),
        point -> DataTable.row(percent(point.falseAlarms()), percent(point.misses())));
  }

  /**
   * The least share of misses at a rate of false alarms; empty where the curve has no such point.
   */
  public Optional<String> missedAt(double falseAlarms) {
    return tradeOff.points().stream()
        .filter(point -> point.falseAlarms() == falseAlarms)
        .map(point -> percent(point.misses()))
        .findFirst();
  }
}
