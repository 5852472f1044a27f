package io.mutune.orchestrator.search;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Successive halving (Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016). A first round
 * trains all candidates cheaply. Each later one trains anew, dearer, only those with the best
 * released scores of the round before; the others are never asked again. The final run is at the
 * best of the last round.
 *
 * <p>Sound without a further proof: scores say which candidate a trial is for, and nothing else.
 * How many trials and scores there are, and what each costs, the plan fixes before a row is read,
 * so the filter admits all of it beforehand and no σ follows from a score. Composition holds
 * whatever each question is chosen by, as long as that was released.
 *
 * @param points the candidates, at least two, all of one number of steps
 * @param rounds the first with a trial for each candidate, each later one with fewer
 * @param why the rounds are these, where the sweep leaves them to the plan
 */
public record SuccessiveHalving(BestOf.Points points, List<SweepRound> rounds, Optional<String> why)
    implements TrialsThenFinal {
  /** How many values of rate, radius or ν there are where a sweep does not say. */
  public static final int DEFAULT_VALUES = 9;

  /** One in so many goes on from a round to the next where a sweep does not say. */
  public static final int DEFAULT_FACTOR = 3;

  /** The part of the budget's μ² for training the trials where a sweep does not say. */
  public static final double DEFAULT_TUNING = 0.3;

  public SuccessiveHalving {
    rounds = List.copyOf(rounds);
    if (points.space().steps().only().isEmpty()) {
      throw new IllegalArgumentException("the plan is fixed, so there is one number of steps");
    }
    if (rounds.isEmpty() || rounds.get(0).trials() != points.count() || !fall(rounds)) {
      throw new IllegalArgumentException(
          "rounds begin with all " + points.count() + " candidates and fall; were " + rounds);
    }
  }

  private static boolean fall(List<SweepRound> rounds) {
    return IntStream.range(1, rounds.size())
        .allMatch(r -> rounds.get(r).trials() < rounds.get(r - 1).trials());
  }

  /**
   * How many candidates each round has: n, ⌈n/factor⌉ and so on while more than one is left.
   *
   * @param factor at least 2
   */
  public static List<Integer> sizes(int candidates, int factor) {
    List<Integer> sizes = new ArrayList<>();
    // ⌈n/factor⌉ without n + factor − 1, which may overflow.
    for (int size = candidates; size > 1; size = (size - 1) / factor + 1) {
      sizes.add(size);
    }
    return List.copyOf(sizes);
  }

  @Override
  public String name() {
    return "successive-halving";
  }

  @Override
  public Optional<RadiusSpace> searchedSpace() {
    return Optional.of(points.space());
  }

  /** Those of the first round with their points, the others as they are charged. */
  @Override
  public List<PlannedTrial> trials(RunScale scale, Function<Epsilon, Mu> noise) {
    List<PlannedTrial> trials =
        new ArrayList<>(
            SearchStrategy.layOut(
                rounds.subList(0, 1),
                noise,
                (k, round, mu) -> candidate(k, scale, mu, new ArrayList<>())));
    int steps = fixedSteps().orElseThrow();
    for (int r = 1; r < rounds.size(); r++) {
      SweepRound round = rounds.get(r);
      Mu mu = noise.apply(round.epsilon());
      for (int i = 0; i < round.trials(); i++) {
        trials.add(PlannedTrial.byScores(trials.size() + 1, r + 1, round.epsilon(), mu, steps));
      }
    }
    return List.copyOf(trials);
  }

  /**
   * A candidate in a run of this μ. A ν keeps its place and its rate grows with μ, so one that
   * would oscillate is cut, as in {@link ScaleFree}.
   */
  private TrialPoint candidate(int index, RunScale scale, Mu mu, List<Guard> acted) {
    TrialPoint point = points.of(scale, mu).get(index);
    RunScale own = scale.with(point.settings());
    return searchesLogitNoise() && point.learningRate() > StabilityLimit.of(own, point.steps())
        ? StabilityLimit.spread(point.radius(), point.steps(), own, acted).with(point.settings())
        : point;
  }

  @Override
  public List<PlannedTrial> placed(
      List<PlannedTrial> trials, List<ScoredTrial> ended, RunScale scale) {
    List<List<Place>> known = replay(ended, new ArrayList<>());
    List<PlannedTrial> placed = new ArrayList<>(trials.subList(0, points.count()));
    for (PlannedTrial trial : trials.subList(points.count(), trials.size())) {
      if (trial.round() > known.size()) {
        placed.add(trial);
        continue;
      }
      List<Place> round = known.get(trial.round() - 1);
      Place place = round.get(trial.number() - round.get(0).trial());
      placed.add(
          trial.at(
              candidate(place.candidate(), scale, trial.mu(), new ArrayList<>()), place.from()));
    }
    return List.copyOf(placed);
  }

  @Override
  public Decision decide(List<ScoredTrial> trials, Target target, RunScale scale) {
    List<Guard> guards = new ArrayList<>();
    Place last = replay(trials, guards).get(rounds.size()).get(0);
    TrialPoint point = candidate(last.candidate(), scale, target.mu(), guards);
    return Decision.kept(point, last.from(), List.copyOf(guards));
  }

  /**
   * Which candidate a trial is for.
   *
   * @param candidate index in the lattice, from 0
   * @param from the trial of the round before at that candidate; empty in the first round
   */
  private record Place(int candidate, int trial, OptionalInt from) {}

  /**
   * The rounds whose candidates are known, the final run as a last round of one. It reads nothing
   * but scores, so that whoever replays it comes to the same.
   *
   * @param ended a round follows where every trial of the one before is among these
   * @param acted told where scores were missing
   */
  private List<List<Place>> replay(List<ScoredTrial> ended, List<Guard> acted) {
    Map<Integer, OptionalDouble> scores =
        ended.stream().collect(Collectors.toMap(t -> t.trial().number(), ScoredTrial::score));
    List<List<Place>> known = new ArrayList<>();
    List<Place> places =
        IntStream.range(0, points.count())
            .mapToObj(k -> new Place(k, k + 1, OptionalInt.empty()))
            .toList();
    known.add(places);
    int next = points.count() + 1;
    for (int r = 1; r <= rounds.size(); r++) {
      if (!places.stream().allMatch(place -> scores.containsKey(place.trial()))) {
        return known;
      }
      int size = r < rounds.size() ? rounds.get(r).trials() : 1;
      List<Place> following = new ArrayList<>();
      for (Place place : ranked(r, places, scores, acted).subList(0, size)) {
        following.add(new Place(place.candidate(), next++, OptionalInt.of(place.trial())));
      }
      places = List.copyOf(following);
      known.add(places);
    }
    return known;
  }

  /**
   * A round's candidates, the best first: by score, equal ones by their place in the lattice, those
   * that lost their score after all others. Without any score the order in which they came stands,
   * which is that of the round before, or of the lattice.
   */
  private static List<Place> ranked(
      int round, List<Place> places, Map<Integer, OptionalDouble> scores, List<Guard> acted) {
    List<Place> scored = places.stream().filter(p -> score(scores, p).isPresent()).toList();
    if (scored.size() < places.size()) {
      acted.add(lost(round, scored.size(), places.size()));
    }
    if (scored.isEmpty()) {
      return places;
    }
    // 0 − x and not −x, which would tell 0 from −0.
    Comparator<Place> byScore = Comparator.comparingDouble(p -> 0 - score(scores, p).orElseThrow());
    List<Place> ranked =
        new ArrayList<>(
            scored.stream().sorted(byScore.thenComparingInt(Place::candidate)).toList());
    places.stream()
        .filter(p -> score(scores, p).isEmpty())
        .sorted(Comparator.comparingInt(Place::candidate))
        .forEach(ranked::add);
    return ranked;
  }

  private static Guard lost(int round, int scored, int all) {
    return new Guard(
        "lost-score",
        scored == 0
            ? "none of the %d trials of sweep %d has a score: %s"
                .formatted(
                    all,
                    round,
                    round == 1
                        ? "the first candidates of the lattice go on"
                        : "the best of the sweep before go on")
            : "%d of the %d trials of sweep %d have no score and come after all others"
                .formatted(all - scored, all, round));
  }

  private static OptionalDouble score(Map<Integer, OptionalDouble> scores, Place place) {
    return scores.getOrDefault(place.trial(), OptionalDouble.empty());
  }
}
