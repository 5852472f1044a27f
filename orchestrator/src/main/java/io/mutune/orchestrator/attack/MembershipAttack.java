package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.RocCurve;
import io.mutune.orchestrator.plan.VoidReasons;
import io.mutune.orchestrator.study.RunEnvironment;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.attack.LikelihoodRatio;
import io.mutune.trainer.attack.LossAttack;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Tells the rows of {@code data.private}, which took part, from those of {@code data.test}, which
 * did not: by a threshold on the loss, and where there are reference studies by the likelihood
 * ratio.
 *
 * @param references how many studies are run on random halves of all rows; 0 for the loss alone,
 *     else at least 4
 * @param seed of the halves
 */
public record MembershipAttack(AttackedSweep attacked, int references, long seed) {
  /**
   * A released model.
   *
   * @param epsilon what its study is guaranteed; NaN where that is not known
   * @param voidReasons why that does not hold; none where it does
   */
  public record Target(
      TrainedModel model,
      FeaturePipeline features,
      double epsilon,
      List<String> voidReasons,
      OptionalDouble testAccuracy) {}

  public MembershipAttack {
    if (references < 0 || (references > 0 && references < 4)) {
      throw new IllegalArgumentException(
          "a likelihood ratio takes at least 4 reference studies; was " + references);
    }
    if (attacked.sweep().data().unit().isPresent()) {
      throw new IllegalArgumentException(
          "a membership attack looks at rows one by one, and the unit of this data set is a person");
    }
  }

  /**
   * Attacks a model, or that of a study that is run for it.
   *
   * @param target empty to run a study of the sweep first
   * @throws IllegalArgumentException if there are no public test rows, or the model is made for
   *     others
   * @throws IOException if data cannot be read
   */
  public MembershipReport run(Optional<Target> target, RunEnvironment environment)
      throws IOException {
    long start = System.nanoTime();
    KnownRows members = attacked.trainingRows();
    KnownRows others = attacked.testRows();
    try (StudiesInMemory studies = new StudiesInMemory(attacked, environment)) {
      Target under = target.isPresent() ? target.get() : target(studies.run(members).result());
      List<MembershipReport.Attack> attacks = new ArrayList<>();
      attacks.add(
          new MembershipReport.Attack(
              "loss threshold", 0, RocCurve.of(losses(under, members), losses(under, others))));
      if (references > 0) {
        attacks.add(likelihood(studies, under, members, others));
      }
      return new MembershipReport(
          attacked.sweep(),
          under.epsilon(),
          under.voidReasons(),
          under.testAccuracy(),
          members.count(),
          others.count(),
          attacks,
          seed,
          (System.nanoTime() - start) / 1e9);
    }
  }

  /**
   * The area under the curve of the threshold on the loss, of a model of a study that has ended.
   *
   * @param attacked the study's sweep
   * @param features that the study mapped its rows by
   */
  public static double lossArea(
      AttackedSweep attacked, TrainedModel model, FeaturePipeline features) throws IOException {
    Target target = new Target(model, features, Double.NaN, List.of(), OptionalDouble.empty());
    MembershipAttack attack = new MembershipAttack(attacked, 0, 0);
    return RocCurve.of(
            attack.losses(target, attacked.trainingRows()),
            attack.losses(target, attacked.testRows()))
        .area();
  }

  private static Target target(StudyResult result) {
    return new Target(
        result.model(),
        result.features(),
        result.statement().epsilon().value(),
        VoidReasons.of(result.study().plan()),
        result.testAccuracy());
  }

  private double[] losses(Target target, KnownRows rows) throws IOException {
    TrainedModel.Evaluated<KnownRows> evaluated = mapped(target, rows).on(target.model());
    return LossAttack.scores(evaluated.model(), evaluated.rows(), loss());
  }

  private double[] confidences(Target target, KnownRows rows) throws IOException {
    TrainedModel.Evaluated<KnownRows> evaluated = mapped(target, rows).on(target.model());
    return LossAttack.confidences(evaluated.model(), evaluated.rows(), loss());
  }

  private Loss loss() {
    return attacked.sweep().train().loss();
  }

  private static KnownRows mapped(Target target, KnownRows rows) {
    KnownRows mapped = rows.mapped(target.features());
    StartWeights.checkFeatures(mapped.columns(), target.model().features());
    return mapped;
  }

  private MembershipReport.Attack likelihood(
      StudiesInMemory studies, Target under, KnownRows members, KnownRows others)
      throws IOException {
    KnownRows all = members.and(others);
    SplittableRandom random = new SplittableRandom(seed);
    double[][] confidences = new double[references][];
    boolean[][] member = new boolean[references][all.count()];
    for (int r = 0; r < references; r++) {
      for (int i = 0; i < all.count(); i++) {
        member[r][i] = random.nextBoolean();
      }
      NoiseRule noise = attacked.sweep().run().noise().another(r + 1);
      Target reference = target(studies.run(all.where(member[r], true), noise).result());
      confidences[r] = confidences(reference, all);
    }
    double[] scores = LikelihoodRatio.scores(confidences, member, confidences(under, all));
    double[] in = Arrays.copyOf(scores, members.count());
    double[] out =
        IntStream.range(members.count(), all.count()).mapToDouble(i -> scores[i]).toArray();
    return new MembershipReport.Attack("likelihood ratio", references, RocCurve.of(in, out));
  }
}
