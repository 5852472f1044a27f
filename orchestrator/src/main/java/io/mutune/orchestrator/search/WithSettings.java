package io.mutune.orchestrator.search;

import io.mutune.accountant.Mu;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A space of rate, radius or ν and steps, with ranges of the method's own numbers beside it. A ν is
 * that of the point's own clip norm.
 *
 * @param ranges at least one
 */
public record WithSettings(RadiusSpace base, Map<String, Interval> ranges) implements RadiusSpace {
  /** How many sampling rates points are drawn from. */
  private static final int RATES = 4;

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
  public List<String> settings() {
    return ranges.keySet().stream().sorted(SearchedNumbers.ORDER).toList();
  }

  @Override
  public boolean isOfLogitNoise() {
    return base.isOfLogitNoise();
  }

  @Override
  public boolean isOneValue() {
    return base.isOneValue();
  }

  /** Of the joint radius r·C where the clip norm is searched: what {@link #split} takes. */
  @Override
  public Interval radii(RunScale scale, Mu mu) {
    Interval clips = ranges.get(SearchedNumbers.CLIP_NORM);
    Optional<Interval> given = base.givenRadii();
    // A range of ν is one of joint radii already.
    return clips == null || given.isEmpty()
        ? base.radii(scale, mu)
        : new Interval(
            given.get().min() * clips.min(), given.get().max() * clips.max(), Interval.Scale.LOG);
  }

  @Override
  public TrialPoint draw(SplittableRandom random, RunScale scale, Mu mu) {
    Map<String, Double> drawn = new HashMap<>();
    for (String setting : settings()) {
      drawn.put(setting, drawn(setting, random.nextDouble()));
    }
    return base.draw(random, scale.with(drawn), mu).with(drawn);
  }

  /** Each sampling rate has a noise of its own to be found, so there are few of them. */
  private double drawn(String setting, double share) {
    boolean few = setting.equals(SearchedNumbers.SAMPLING_RATE);
    return range(setting).at(few ? Math.floor(share * RATES) / (RATES - 1) : share);
  }

  /** In the middle of the other ranges. */
  @Override
  public TrialPoint at(double share, int count, RunScale scale, Mu mu) {
    Map<String, Double> middle = new HashMap<>();
    settings().forEach(setting -> middle.put(setting, range(setting).at(0.5)));
    return at(share, count, middle, scale, mu);
  }

  /** The same at given settings. */
  TrialPoint at(double share, int count, Map<String, Double> chosen, RunScale scale, Mu mu) {
    return base.at(share, count, scale.with(chosen), mu).with(chosen);
  }

  /** Of one of its settings. */
  Interval range(String setting) {
    Interval range = ranges.get(setting);
    if (range == null) {
      throw new IllegalArgumentException("no range of " + setting);
    }
    return range;
  }

  /** A joint radius r·C: the clip norm is drawn from what leaves r its range. */
  @Override
  public TrialPoint split(double joint, SplittableRandom random, List<Guard> guards) {
    if (!settings().equals(List.of(SearchedNumbers.CLIP_NORM))) {
      throw new IllegalStateException("a radius says nothing of " + settings());
    }
    Interval clips = range(SearchedNumbers.CLIP_NORM);
    Optional<Interval> given = base.givenRadii();
    double low = given.map(r -> clips.clamp(joint / r.max())).orElse(clips.min());
    double high = given.map(r -> clips.clamp(joint / r.min())).orElse(clips.max());
    double clip = new Interval(low, Math.max(low, high), clips.scale()).at(random.nextDouble());
    double radius = joint / clip;
    return base.split(given.map(r -> r.clamp(radius)).orElse(radius), random, guards)
        .with(Map.of(SearchedNumbers.CLIP_NORM, clip));
  }
}
