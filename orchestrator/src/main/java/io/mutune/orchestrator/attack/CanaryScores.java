package io.mutune.orchestrator.attack;

import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.GradientAttack;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.attack.LossAttack;
import io.mutune.trainer.attack.ReleasedDescent;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Scores canaries by everything that a study released, and by nothing that needs protection beside
 * it. Where iterates tell noisy sums these are used; else the losses under all released models.
 */
final class CanaryScores {
  private final Transcript transcript;
  private final SweepDefinition sweep;
  private final AuditedStudy.Knowledge knowledge;
  private final KnownRows known;
  private final KnownRows canaries;
  private final Engine engine;
  private final List<String> used = new ArrayList<>();

  /**
   * @param canaries before any map
   */
  CanaryScores(
      Transcript transcript, AuditedStudy.Knowledge knowledge, KnownRows canaries, Engine engine) {
    this.transcript = transcript;
    this.sweep = transcript.sweep();
    this.knowledge = knowledge;
    this.known = knowledge.rows().mapped(transcript.result().features());
    this.canaries = canaries.mapped(transcript.result().features());
    this.engine = engine;
  }

  /** What they were made of, in words. */
  List<String> used() {
    return List.copyOf(used);
  }

  /** By the losses under all released models alone. */
  double[] byModels() throws IOException {
    double[] scores = new double[canaries.people().count()];
    for (Transcript.Run run : transcript.runs()) {
      TrainedModel.Evaluated<KnownRows> evaluated = canaries.on(run.model());
      add(scores, LossAttack.scores(evaluated.model(), evaluated.rows(), sweep.train().loss()));
    }
    return scores;
  }

  /** One a canary; greater says that it took part. */
  double[] scores() throws IOException {
    List<Transcript.Run> runs = transcript.runs();
    List<ReleasedDescent> descents = runs.stream().flatMap(run -> run.descent().stream()).toList();
    if (descents.isEmpty()) {
      used.add("the losses under " + counted(runs.size(), "released model"));
      return byModels();
    }
    GradientAttack attack =
        new GradientAttack(
            known, knowledge.weight(), canaries, sweep.train().loss(), sweep.classes(), engine);
    double[] scores = new double[canaries.people().count()];
    descents.forEach(descent -> add(scores, attack.scores(descent)));
    used.add(
        "the noisy sums that the iterates of %s tell%s"
            .formatted(
                counted(descents.size(), "run"),
                knowledge.whole() ? "" : ", less what public rows would add"));
    if (knowledge.whole()) {
      addCounts(scores);
    }
    return scores;
  }

  private void addCounts(double[] scores) throws IOException {
    CountedScores counted = CountedScores.of(transcript, known, canaries);
    for (int i = 0; i < scores.length; i++) {
      scores[i] += counted.ratios().get(i);
    }
    if (counted.scores() > 0) {
      used.add(counted(counted.scores(), "noisy score"));
    }
  }

  private static String counted(int count, String thing) {
    return DisplayNumber.counted(count, thing, thing + "s");
  }

  private static void add(double[] scores, double[] more) {
    for (int i = 0; i < scores.length; i++) {
      scores[i] += more[i];
    }
  }
}
