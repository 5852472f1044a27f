package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Equal runs at points that are fixed beforehand; the model of the best is the result as it is, and
 * nothing is trained again.
 *
 * @param name {@code random}, {@code grid} or {@code oracle}
 */
public record BestOf(String name, Points points, Cost cost) implements ReleasedTrials {
  /** What each run may spend. */
  public enum Cost {
    /** The runs share the budget equally, scores paid first. */
    DIVIDED("divided"),
    /** Each run has the whole budget, and the study costs many times as much. */
    WHOLE("whole");

    private final String key;

    Cost(String key) {
      this.key = key;
    }

    /** The word in a sweep. */
    public String key() {
      return key;
    }
  }

  /** Where the points come from. */
  public sealed interface Points permits Drawn, Lattice {
    RadiusSpace space();

    /** How many there are, known without a run's μ. */
    int count();

    List<TrialPoint> of(RunScale scale, Mu mu);
  }

  /**
   * Random points.
   *
   * @param seed of the public generator that draws them
   */
  public record Drawn(RadiusSpace space, int count, long seed) implements Points {
    @Override
    public List<TrialPoint> of(RunScale scale, Mu mu) {
      SplittableRandom random = new SplittableRandom(seed);
      List<TrialPoint> points = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        points.add(space.draw(random, scale, mu));
      }
      return points;
    }
  }

  /**
   * A lattice over the range of rate, radius or ν and that of steps, both ends taken; one value of
   * a range is its middle.
   *
   * @param values of the rate, radius or ν; 1 where the range is one value
   * @param steps how many numbers of steps; 1 where the range is one value
   * @param others how many values of each of the method's own numbers
   */
  public record Lattice(RadiusSpace space, int values, int steps, int others) implements Points {
    /** Of rate, radius or ν, and steps. */
    public Lattice(RadiusSpace space, int values, int steps) {
      this(space, values, steps, 1);
    }

    @Override
    public int count() {
      return values * steps * combinations();
    }

    private int combinations() {
      return (int) Math.pow(others, space.settings().size());
    }

    @Override
    public List<TrialPoint> of(RunScale scale, Mu mu) {
      List<TrialPoint> points = new ArrayList<>();
      for (int count : counts()) {
        for (int v = 0; v < values; v++) {
          for (int c = 0; c < combinations(); c++) {
            points.add(at(share(v, values), count, c, scale, mu));
          }
        }
      }
      return points;
    }

    /** The settings are the digits of a number to the base of how many values each has. */
    private TrialPoint at(double share, int count, int combination, RunScale scale, Mu mu) {
      if (!(space instanceof WithSettings more)) {
        return space.at(share, count, scale, mu);
      }
      Map<String, Double> chosen = new HashMap<>();
      int digits = combination;
      for (String setting : more.settings()) {
        chosen.put(setting, more.range(setting).at(share(digits % others, others)));
        digits /= others;
      }
      return more.at(share, count, chosen, scale, mu);
    }

    private List<Integer> counts() {
      Interval range = new Interval(space.steps().min(), space.steps().max(), Interval.Scale.LOG);
      return IntStream.range(0, steps)
          .mapToObj(s -> (int) Math.round(range.at(share(s, steps))))
          .toList();
    }

    /** How many numbers of steps there are once they are whole. */
    public int differentSteps() {
      return (int) counts().stream().distinct().count();
    }

    private static double share(int index, int count) {
      return count == 1 ? 0.5 : index / (count - 1.0);
    }
  }

  @Override
  public Optional<RadiusSpace> searchedSpace() {
    return Optional.of(points.space());
  }

  /** One run has nothing to be compared with. */
  @Override
  public boolean scores() {
    return runs() > 1;
  }

  public int runs() {
    return points.count();
  }

  @Override
  public boolean passesBudget() {
    return cost == Cost.WHOLE && (runs() > 1 || name.equals("oracle"));
  }

  /**
   * Every run, in order.
   *
   * @param each ε of one run alone
   * @param mu of its noise, as {@link PlannedTrial#mu}
   */
  public List<PlannedTrial> trials(RunScale scale, Epsilon each, Mu mu) {
    List<TrialPoint> chosen = points.of(scale, mu);
    return SearchStrategy.layOut(
        List.of(new SweepRound(each, chosen.size())),
        epsilon -> mu,
        (i, round, noise) -> chosen.get(i));
  }

  /** The first of the best scores, so that equal ones decide alike everywhere. */
  @Override
  public Decision decide(List<ScoredTrial> trials, Target target, RunScale scale) {
    if (!scores()) {
      return Decision.keeping(trials.get(0).trial(), List.of());
    }
    List<ScoredTrial> scored = trials.stream().filter(t -> t.score().isPresent()).toList();
    if (scored.isEmpty()) {
      throw new SearchFailedException("none of the " + trials.size() + " runs has a score");
    }
    ScoredTrial best = scored.get(0);
    for (ScoredTrial trial : scored) {
      if (trial.score().orElseThrow() > best.score().orElseThrow()) {
        best = trial;
      }
    }
    int lost = trials.size() - scored.size();
    return Decision.keeping(
        best.trial(),
        lost == 0
            ? List.of()
            : List.of(
                new Guard(
                    "lost-score",
                    lost + " of " + trials.size() + " runs have no score and are left out")));
  }
}
