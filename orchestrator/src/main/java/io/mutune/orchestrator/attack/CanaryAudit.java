package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.Guesses;
import io.mutune.accountant.empirical.OneRunAudit;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.feature.FeaturePipeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The audit of a whole study in one run: fair coins say which canaries take part, the study runs as
 * users run it, and an attacker who sees everything that it releases guesses them.
 *
 * @param canaries how many coins are thrown
 * @param rows that each of them has: a canary is a person of so many equal rows
 * @param guessed how many guesses are made at either end of the scores; fixed before the run
 * @param confidence of the bound, in (0, 1)
 * @param seed of canaries and coins; as secret as the coins have to be, which is until the end
 */
public record CanaryAudit(
    CanaryKind kind, int canaries, int rows, int guessed, double confidence, long seed) {
  /** With so many, coins that all fall alike need no thought: 2^-99. */
  private static final int FEWEST = 100;

  /** How often the noise of a sound study is said to be wrong. */
  private static final double ALARM = 1e-9;

  public CanaryAudit {
    if (canaries < FEWEST || guessed < 1 || guessed > canaries / 2) {
      throw new IllegalArgumentException(
          "an audit takes at least %d canaries, and guesses at either end half of them at most; was %d and %d"
              .formatted(FEWEST, canaries, guessed));
    }
  }

  /**
   * Runs the study, and the attack.
   *
   * @throws IllegalArgumentException if the rows do not bear such canaries
   * @throws io.mutune.orchestrator.study.StudyInterruptedException if it was cancelled
   * @throws IOException if data cannot be read
   */
  public CanaryReport run(AuditedStudy audited) throws IOException {
    long start = System.nanoTime();
    AttackedSweep.requirePerson(audited.sweep(), rows);
    KnownRows people =
        audited
            .canaries(kind, canaries, seed)
            .asPeople(rows, audited.sweep().data().unit().isPresent());
    boolean[] member = coins();
    Transcript transcript = audited.run(people.where(member, true));
    CanaryScores attack =
        new CanaryScores(transcript, audited.knowledge(), people, audited.engine());
    double[] scores = DoubleStream.of(attack.scores()).map(s -> Double.isNaN(s) ? 0 : s).toArray();
    Guesses guesses = Guesses.ofExtremes(scores, member, guessed);
    boolean both = audited.sweep().train().method().isExternal();
    // Either may refute, so each has half of the error that the confidence allows.
    double error = both ? (1 - confidence) / 2 : 1 - confidence;
    OptionalDouble byModels =
        both
            ? OptionalDouble.of(
                bound(audited, Guesses.ofExtremes(attack.byModels(), member, guessed), error))
            : OptionalDouble.empty();
    List<String> problems = new ArrayList<>(StudyChecks.of(transcript));
    if (audited.knowledge().whole()) {
      FeaturePipeline maps = transcript.result().features();
      KnownRows members = people.where(member, true).mapped(maps);
      KnownRows took = audited.knowledge().rows().mapped(maps).and(members);
      problems.addAll(NoiseChecks.of(transcript, took, members, audited.engine(), ALARM));
    }
    return new CanaryReport(
        transcript.result(),
        kind,
        rows,
        guesses,
        bound(audited, guesses, error),
        byModels,
        confidence,
        RocCurve.of(where(scores, member, true), where(scores, member, false)),
        attack.used(),
        problems,
        seed,
        (System.nanoTime() - start) / 1e9);
  }

  private static double bound(AuditedStudy audited, Guesses guesses, double error) {
    return OneRunAudit.epsilonAtLeast(guesses, audited.sweep().budget().delta(), error);
  }

  private boolean[] coins() {
    SplittableRandom random = new SplittableRandom(~seed);
    boolean[] member = new boolean[canaries];
    for (int i = 0; i < canaries; i++) {
      member[i] = random.nextBoolean();
    }
    return member;
  }

  static double[] where(double[] scores, boolean[] member, boolean value) {
    return IntStream.range(0, scores.length)
        .filter(i -> member[i] == value)
        .mapToDouble(i -> scores[i])
        .toArray();
  }
}
