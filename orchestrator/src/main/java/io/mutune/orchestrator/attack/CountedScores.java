package io.mutune.orchestrator.attack;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.CountAttack;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.score.Counts;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the noisy counts of training rows tell, from which scores follow: they move by a person's
 * own vector if that person took part, whatever the metric. Counts of other rows tell nothing of
 * who is among the training rows.
 *
 * @param ratios for each person who is looked for, the logarithm of the likelihood ratio of all
 *     cells, each of the others taken to have taken part by half
 * @param scores how many were looked at
 */
record CountedScores(List<Double> ratios, int scores) {
  /**
   * Of all trials.
   *
   * @param known everybody else, mapped as the models have it
   * @param looked likewise
   */
  static CountedScores of(Transcript transcript, KnownRows known, KnownRows looked)
      throws IOException {
    SweepDefinition sweep = transcript.sweep();
    double[] ratios = new double[looked.people().count()];
    if (!(sweep.score() instanceof ScoreRule.NoisyCount count) || !count.onTraining()) {
      return new CountedScores(boxed(ratios), 0);
    }
    Counts counts = sweep.metric().counts(sweep.train().loss(), sweep.classes());
    int scores = 0;
    for (TrialOutcome outcome : transcript.result().trials()) {
      PlannedTrial trial = outcome.trial();
      Optional<Charge> charge = transcript.plan().scoreCharge(trial);
      Optional<TrainedModel> model =
          transcript.runs().stream()
              .filter(run -> run.number() == trial.number())
              .findFirst()
              .map(Transcript.Run::model);
      Optional<double[]> released = charge.map(c -> transcript.counts().get(c.what()));
      if (model.isPresent()
          && released.isPresent()
          && charge.get().mechanism() instanceof Gaussian noise) {
        TrainedModel.Evaluated<KnownRows> one = looked.on(model.get());
        TrainedModel.Evaluated<KnownRows> others = known.on(model.get());
        double[][] own = CountAttack.vectors(counts, one.model(), one.rows());
        double[] left = released.get().clone();
        subtract(left, CountAttack.sum(counts, others.model(), others.rows()), 1);
        for (double[] person : own) {
          subtract(left, person, 0.5);
        }
        double variance = noise.sigma().value() * noise.sigma().value();
        for (int i = 0; i < ratios.length; i++) {
          ratios[i] += product(left, own[i]) / variance;
        }
        scores++;
      }
    }
    return new CountedScores(boxed(ratios), scores);
  }

  private static List<Double> boxed(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static void subtract(double[] from, double[] values, double times) {
    for (int i = 0; i < from.length; i++) {
      from[i] -= times * values[i];
    }
  }

  private static double product(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }
}
