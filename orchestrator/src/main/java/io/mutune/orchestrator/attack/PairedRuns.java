package io.mutune.orchestrator.attack;

import io.mutune.accountant.Delta;
import io.mutune.accountant.empirical.ManyRunAudit;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.trainer.attack.GradientAttack;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.attack.LossAttack;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Numbers of many runs with a row and without it. The first half of each side says where a number's
 * threshold lies; the second half is counted, so that the choice costs no confidence.
 */
final class PairedRuns {
  private static final String TIME = "seconds from the first charge to the last";

  private final KnownRows base;
  private final KnownRows row;
  private final Neighbours.Documents documents;
  private final Map<String, List<List<Double>>> numbers = new LinkedHashMap<>();
  private final double alarm;
  private final Set<String> problems = new LinkedHashSet<>();
  private final List<String> wholeScores = new ArrayList<>();
  private double epsilon;

  /**
   * @param alarm how often the noise of one sound study may be said to be wrong
   */
  PairedRuns(KnownRows base, KnownRows row, Neighbours.Documents documents, double alarm) {
    this.base = base;
    this.row = row;
    this.documents = documents;
    this.alarm = alarm;
  }

  void add(Transcript transcript, boolean with) throws IOException {
    int side = with ? 1 : 0;
    StudyResult result = transcript.result();
    epsilon = Math.max(epsilon, result.statement().epsilon().value());
    Loss loss = transcript.sweep().train().loss();
    int classes = transcript.sweep().classes();
    KnownRows known = base.mapped(result.features());
    KnownRows looked = row.mapped(result.features());
    GradientAttack attack = new GradientAttack(known, looked, loss, classes, Engine.REFERENCE);
    double ratio = 0;
    double confidence = 0;
    int steps = 0;
    for (Transcript.Run run : transcript.runs()) {
      TrainedModel.Evaluated<KnownRows> evaluated = looked.on(run.model());
      confidence += LossAttack.confidences(evaluated.model(), evaluated.rows(), loss)[0];
      if (run.descent().isPresent()) {
        ratio += attack.scores(run.descent().get())[0];
        steps += run.descent().get().steps().size();
      }
    }
    note("likelihood ratio of the noisy sums", side, ratio);
    CountedScores counted = CountedScores.of(transcript, known, looked);
    if (counted.scores() > 0) {
      note("likelihood ratio of the noisy counts", side, counted.ratios().get(0));
    }
    note("confidence of all models in the row", side, confidence);
    note("iterates", side, steps);
    note("charges", side, result.statement().charges().size());
    note("lines of the log", side, transcript.log().size());
    note("learning rate of the result", side, result.decision().point().learningRate());
    note("steps of the result", side, result.decision().point().steps());
    note(TIME, side, transcript.ledgerSpan().toNanos() / 1e9);
    for (TrialOutcome outcome : result.trials()) {
      String name = "score of trial " + outcome.trial().number();
      outcome.score().ifPresent(score -> note(name, side, score));
    }
    documents.of(result).forEach((name, bytes) -> note("bytes of " + name, side, bytes.length));
    problems.addAll(LedgerOrder.problems(transcript.plan(), transcript.events()));
    wholeScores.addAll(StudyChecks.wholeScores(transcript));
    KnownRows there = with ? looked : looked.only();
    problems.addAll(NoiseChecks.of(transcript, known.and(there), there, Engine.REFERENCE, alarm));
  }

  private void note(String name, int side, double value) {
    numbers
        .computeIfAbsent(name, n -> List.of(new ArrayList<>(), new ArrayList<>()))
        .get(side)
        .add(value);
  }

  /** The greatest that a statement said. */
  double epsilon() {
    return epsilon;
  }

  /** One score of thousands is a whole number by chance now and then; two are not. */
  List<String> problems() {
    Set<String> all = new LinkedHashSet<>(problems);
    if (wholeScores.size() > 1) {
      all.addAll(wholeScores);
    }
    return List.copyOf(all);
  }

  /**
   * @param alpha how often any of the bounds may be wrong: each has an equal share of it
   */
  List<NeighbourReport.Statistic> statistics(Delta delta, double alpha) {
    List<NeighbourReport.Statistic> statistics = new ArrayList<>();
    numbers.forEach(
        (name, sides) -> {
          double[] without = array(sides.get(0));
          double[] with = array(sides.get(1));
          boolean shown = without.length > 1 && with.length > 1;
          statistics.add(
              new NeighbourReport.Statistic(
                  name,
                  Arrays.stream(without).average().orElse(Double.NaN),
                  Arrays.stream(with).average().orElse(Double.NaN),
                  shown ? bound(without, with, delta, alpha / numbers.size()) : 0,
                  !name.equals(TIME)));
        });
    return statistics;
  }

  private static double bound(double[] without, double[] with, Delta delta, double alpha) {
    Cut cut = cut(first(without), first(with));
    return ManyRunAudit.ofThreshold(
            cut.turned(second(without)), cut.turned(second(with)), cut.threshold())
        .epsilonAtLeast(delta, alpha);
  }

  /**
   * Where to cut.
   *
   * @param sign −1 where less of the number says that the row took part
   */
  private record Cut(double threshold, int sign) {
    double[] turned(double[] values) {
      return Arrays.stream(values).map(v -> sign * v).toArray();
    }
  }

  /** The cut that tells the first halves apart best, by the difference of its two rates. */
  private static Cut cut(double[] without, double[] with) {
    Cut best = new Cut(0, 1);
    double most = -1;
    for (int sign : new int[] {1, -1}) {
      double[] all =
          DoubleStream.concat(Arrays.stream(without), Arrays.stream(with))
              .map(v -> sign * v)
              .sorted()
              .distinct()
              .toArray();
      for (int i = 0; i < all.length; i++) {
        double threshold = i + 1 < all.length ? (all[i] + all[i + 1]) / 2 : all[i];
        double gap = above(with, sign, threshold) - above(without, sign, threshold);
        if (gap > most) {
          most = gap;
          best = new Cut(threshold, sign);
        }
      }
    }
    return best;
  }

  private static double above(double[] values, int sign, double threshold) {
    return Arrays.stream(values).filter(v -> sign * v > threshold).count() / (double) values.length;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(v -> v).toArray();
  }

  private static double[] first(double[] values) {
    return Arrays.copyOf(values, values.length / 2);
  }

  private static double[] second(double[] values) {
    return Arrays.copyOfRange(values, values.length / 2, values.length);
  }
}
