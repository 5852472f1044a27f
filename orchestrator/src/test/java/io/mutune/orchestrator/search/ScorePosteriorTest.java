package io.mutune.orchestrator.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.search.ScorePosterior.Score;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.data.Offset;

class ScorePosteriorTest {
  private static final double SIGNAL = 900;

  /** Matrices of a few rows whose smallest eigenvalue is above 1e-3 lose three digits at most. */
  private static final Offset<Double> EXACT = within(1e-11);

  private static Score score(double logNoise, double value, double deviation) {
    return Score.of(logNoise, SIGNAL, value, deviation);
  }

  @Example
  void twoScores_giveWhatTheFormulasOfKrigingGive() {
    List<Score> scores =
        List.of(Score.of(-1, SIGNAL, 0.7, 0.01), Score.of(0.5, SIGNAL / 4, 0.75, 0.02));
    ScorePosterior posterior = new ScorePosterior(SIGNAL, scores);

    // Rasmussen and Williams, (2.41) and (2.42), with a constant as the only basis function and the
    // inverse of a matrix of two rows written down.
    double shift = 0.2 * Math.log(SIGNAL / 800);
    double quarter = 0.2 * Math.log(SIGNAL / 4 / 800);
    double x1 = -1 - shift;
    double x2 = 0.5 - quarter;
    double slope = 0.03 * Math.log(0.25);
    double lengths = 2 * 1.3 * 1.3;
    double a = 0.000625 + 0.01 * 0.01 + 0.1225 / SIGNAL;
    double b = 0.000625 * Math.exp(-Math.pow(x2 - x1, 2) / lengths);
    double c = 0.000625 + slope * slope + 0.02 * 0.02 + 0.1225 / (SIGNAL / 4);
    double det = a * c - b * b;
    double x = 0.2 - shift;
    double k1 = 0.000625 * Math.exp(-Math.pow(x - x1, 2) / lengths);
    double k2 = 0.000625 * Math.exp(-Math.pow(x - x2, 2) / lengths);
    double w1 = (c * k1 - b * k2) / det;
    double w2 = (a * k2 - b * k1) / det;
    double ones = (a + c - 2 * b) / det;
    double y1 = 0.7 + 0.2 / 30 * Math.pow(x1 - 0.1, 2);
    double y2 = 0.75 + 0.2 / 15 * Math.pow(x2 - 0.1, 2); // a quarter of the signal
    double fall = 0.2 / 30 * Math.pow(x - 0.1, 2);
    double level = ((c - b) * y1 + (a - b) * y2) / det / ones;
    double mean = -fall + level + w1 * (y1 - level) + w2 * (y2 - level);
    double variance = 0.000625 - w1 * k1 - w2 * k2 + Math.pow(1 - w1 - w2, 2) / ones;
    assertThat(posterior.at(0.2).mean()).isCloseTo(mean, EXACT);
    assertThat(posterior.at(0.2).deviation()).isCloseTo(Math.sqrt(variance), EXACT);
    assertThat(posterior.prior(0.2)).isCloseTo(level - fall, EXACT);
  }

  @Property(tries = 50)
  void aHigherLevel_movesTheCurveAndNothingElse(
      @ForAll @DoubleRange(min = -0.5, max = 0.5) double level,
      @ForAll @DoubleRange(min = -2, max = 2) double at) {
    ScorePosterior low =
        new ScorePosterior(SIGNAL, List.of(score(-1, 0.5, 0.01), score(1, 0.52, 0.02)));
    ScorePosterior high =
        new ScorePosterior(
            SIGNAL, List.of(score(-1, 0.5 + level, 0.01), score(1, 0.52 + level, 0.02)));

    assertThat(high.at(at).mean() - low.at(at).mean()).isCloseTo(level, EXACT);
    assertThat(high.at(at).deviation()).isCloseTo(low.at(at).deviation(), EXACT);
    assertThat(high.prior(at) - low.prior(at)).isCloseTo(level, EXACT);
  }

  @Property(tries = 50)
  void theOrderOfTrials_saysNothing(
      @ForAll @Size(min = 2, max = 8) List<@DoubleRange(min = 0, max = 1) Double> values,
      @ForAll long seed) {
    List<Score> scores = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      scores.add(score(i - 3, values.get(i), 0.01));
    }
    List<Score> shuffled = new ArrayList<>(scores);
    Collections.shuffle(shuffled, new Random(seed));

    ScorePosterior.Value one = new ScorePosterior(SIGNAL, scores).at(0.3);
    ScorePosterior.Value other = new ScorePosterior(SIGNAL, shuffled).at(0.3);
    assertThat(other.mean()).isCloseTo(one.mean(), EXACT);
    assertThat(other.deviation()).isCloseTo(one.deviation(), EXACT);
  }

  @Example
  void twoScoresAtOneNu_areTheirMeanWithHalfTheVariance() {
    Score far = new Score(2, SIGNAL, 0.6, 1e-4);
    ScorePosterior twice =
        new ScorePosterior(
            SIGNAL, List.of(far, new Score(0, SIGNAL, 0.6, 4e-4), new Score(0, SIGNAL, 0.7, 4e-4)));
    ScorePosterior once =
        new ScorePosterior(SIGNAL, List.of(far, new Score(0, SIGNAL, 0.65, 2e-4)));

    assertThat(twice.at(1).mean()).isCloseTo(once.at(1).mean(), EXACT);
    assertThat(twice.at(1).deviation()).isCloseTo(once.at(1).deviation(), EXACT);
  }

  @Example
  void exactScoresAtOneNu_canBeSolved() {
    List<Score> same = Collections.nCopies(ScorePosterior.MOST, Score.of(-40, 1e18, 0.5, 0));

    ScorePosterior.Value value = new ScorePosterior(1e18, same).at(1);

    assertThat(value.mean()).isFinite();
    assertThat(value.deviation()).isBetween(0.025, 0.04);
  }

  @Example
  void preciseScores_lieOnTheCurve() {
    ScorePosterior posterior =
        new ScorePosterior(
            1e6,
            List.of(
                Score.of(-1, 1e6, 0.8, 0), Score.of(0, 1e6, 0.83, 0), Score.of(1, 1e6, 0.81, 0)));

    // What is left of the pull of the prior is far below a tenth of a percent.
    assertThat(posterior.at(-1).mean()).isCloseTo(0.8, within(1e-3));
    assertThat(posterior.at(0).mean()).isCloseTo(0.83, within(1e-3));
    assertThat(posterior.at(0).deviation()).isLessThan(1e-3);
    assertThat(posterior.at(2.5).deviation()).isGreaterThan(5e-3);
  }

  @Example
  void withoutScores_itIsThePriorAtTheLevelZero() {
    ScorePosterior prior = new ScorePosterior(SIGNAL, List.of());

    double top = 0.1 + 0.2 * Math.log(SIGNAL / 800);
    assertThat(prior.at(top).mean()).isCloseTo(0, EXACT);
    assertThat(prior.at(top).deviation()).isEqualTo(ScorePosterior.AMPLITUDE);
    assertThat(prior.at(top + 1).mean()).isCloseTo(-0.2 / 30, EXACT);
    assertThat(prior.prior(1)).isEqualTo(prior.at(1).mean());
  }

  @Example
  void thousandsOfScores_arePooledAndTellTheSame() {
    Random noise = new Random(1);
    List<Score> scores = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      double x = -2 + 4 * i / 3000.0;
      scores.add(score(x, 0.8 - 0.01 * x * x + 0.02 * noise.nextGaussian(), 0.02));
    }
    Collections.shuffle(scores, noise);

    ScorePosterior posterior = new ScorePosterior(SIGNAL, scores);

    // About 700 scores within half a length of each point: a deviation below 2e-3, and 6 of them.
    for (double x = -1.8; x <= 1.8; x += 0.6) {
      assertThat(posterior.at(x).mean()).isCloseTo(0.8 - 0.01 * x * x, within(0.012));
      assertThat(posterior.at(x).deviation()).isLessThan(2e-3);
    }
  }

  @Example
  void theBestNuOfTrials_growsWithTheSignalUpToWhatWasMeasured() {
    assertThat(best(400, 4000) - best(400, 400)).isCloseTo(0.2 * Math.log(10), within(0.02));
    assertThat(best(400, 40_000)).isCloseTo(best(400, 4000), within(0.02));
  }

  /** ln ν of the best of a curve from trials whose best is at ν = 1. */
  private static double best(double trials, double signal) {
    List<Score> scores = new ArrayList<>();
    for (double x = -3; x <= 3; x += 0.5) {
      scores.add(new Score(x - 0.2 * Math.log(trials / 800), trials, 0.8 - 0.02 * x * x, 1e-8));
    }
    ScorePosterior posterior = new ScorePosterior(signal, scores);
    double best = -2;
    for (double x = best; x < 2; x += 0.005) {
      best = posterior.at(x).mean() > posterior.at(best).mean() ? x : best;
    }
    return best;
  }
}
