package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A space of rate, radius or ν and steps, with ranges of the method's own numbers beside it. A ν is
 * that of the point's own clip norm.
 *
 * @param ranges at least one
 */
public record WithSettings(RadiusSpace base, Map<Setting, Interval> ranges) implements RadiusSpace {
  public WithSettings {
    if (base instanceof WithSettings || ranges.isEmpty()) {
      throw new IllegalArgumentException("settings stand once beside a space; were " + ranges);
    }
    ranges = Map.copyOf(ranges);
  }

  @Override
  public StepRange steps() {
    return base.steps();
  }

  @Override
  public List<Setting> settings() {
    return ranges.keySet().stream().sorted().toList();
  }

  @Override
  public boolean isOfLogitNoise() {
    return base.isOfLogitNoise();
  }

  @Override
  public boolean isOneValue() {
    return base.isOneValue();
  }

  @Override
  public Interval radii(RunScale scale, Mu mu) {
    return base.radii(scale, mu);
  }

  @Override
  public TrialPoint draw(SplittableRandom random, RunScale scale, Mu mu) {
    Map<Setting, Double> drawn = new EnumMap<>(Setting.class);
    for (Setting setting : settings()) {
      drawn.put(setting, range(setting).at(random.nextDouble()));
    }
    return base.draw(random, scale.with(drawn), mu).with(drawn);
  }

  /** In the middle of the other ranges. */
  @Override
  public TrialPoint at(double share, int count, RunScale scale, Mu mu) {
    Map<Setting, Double> middle = new EnumMap<>(Setting.class);
    settings().forEach(setting -> middle.put(setting, range(setting).at(0.5)));
    return at(share, count, middle, scale, mu);
  }

  /** The same at given settings. */
  TrialPoint at(double share, int count, Map<Setting, Double> chosen, RunScale scale, Mu mu) {
    return base.at(share, count, scale.with(chosen), mu).with(chosen);
  }

  /** Of one of its settings. */
  Interval range(Setting setting) {
    Interval range = ranges.get(setting);
    if (range == null) {
      throw new IllegalArgumentException("no range of " + setting.key());
    }
    return range;
  }

  @Override
  public TrialPoint split(double radius, SplittableRandom random, List<Guard> guards) {
    throw new IllegalStateException("a radius says nothing of " + settings());
  }
}
