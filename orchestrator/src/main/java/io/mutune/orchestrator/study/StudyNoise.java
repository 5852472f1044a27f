package io.mutune.orchestrator.study;

import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.GridNoise;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.StreamId;
import io.mutune.trainer.noise.UniformStream;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a study's noise comes from, and the streams of it that each question has to itself.
 *
 * @param orders of rows, where a sum depends on it
 * @param streams what the ids of all streams begin with
 */
record StudyNoise(NoiseSource source, RowOrders orders, String streams) {
  /**
   * A run goes on from a checkpoint and never asks a step twice, so all its starts are one attempt
   * at one charge.
   */
  private static final int ATTEMPT = 1;

  /** In place of a trial's number, in the streams of the private mean. */
  private static final int MEAN = -1;

  /** In place of a trial's number, in the streams of further counts of test rows. */
  private static final int TEST_PROBABILITIES = -2;

  private static final int TEST_SQUARES = -3;

  private static final Pattern PARALLEL = Pattern.compile("parallelTrials *: *\\d+");

  /**
   * @param given in place of fresh secret noise, where the sweep wants such on no grid
   */
  static StudyNoise of(Study study, Optional<NoiseSource> given) {
    NoiseRule rule = study.sweep().run().noise();
    if (rule instanceof NoiseRule.Seeded seeded) {
      // The same sweep repeats bit for bit in every study of it; another text draws other noise,
      // except that how many trials run at once changes no question.
      return new StudyNoise(
          seeded
              .grid()
              .<NoiseSource>map(grid -> GridNoise.seeded(grid, seeded.seed()))
              .orElseGet(() -> new SeededNoise(seeded.seed())),
          RowOrders.seeded(seeded.seed()),
          PARALLEL.matcher(study.record().definition()).replaceAll("parallelTrials:"));
    }
    return new StudyNoise(
        rule.grid().<NoiseSource>map(GridNoise::secure).or(() -> given).orElseGet(SecureNoise::new),
        RowOrders.secret(),
        study.id());
  }

  /**
   * The streams of a run.
   *
   * @param number of the trial, or {@link RunRecord#FINAL}
   */
  AttemptStreams attempt(int number) {
    return new AttemptStreams(streams, number, ATTEMPT);
  }

  /** The stream of a family of counts of test rows. */
  StreamId test(ScoreRule.TestCount count) {
    return switch (count) {
      case ACCURACY, CONFUSION -> attempt(RunRecord.FINAL).score();
      case PROBABILITIES -> attempt(TEST_PROBABILITIES).score();
      case SQUARED_ERROR -> attempt(TEST_SQUARES).score();
    };
  }

  /** The stream of the private mean. */
  StreamId mean() {
    return attempt(MEAN).step(1);
  }

  /**
   * Bits that a run keeps to itself, such as which rows its sample has.
   *
   * @param number of the run; that of the final run for what all secret runs share
   */
  UniformStream secretBits(int number) {
    return source.bits(attempt(number).step(1, Purpose.SAMPLE));
  }
}
