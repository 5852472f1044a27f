package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.Guesses;
import io.mutune.accountant.empirical.OneRunAudit;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.trainer.attack.Canaries;
import io.mutune.trainer.attack.CanaryKind;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.model.Engine;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The audit of a whole study in one run: fair coins say which canaries take part, the study runs as
 * users run it, and an attacker who sees everything that it releases, and knows every row but the
 * coins, guesses them.
 */
public final class CanaryAudit {
  /** With so many, coins that all fall alike need no thought: 2^-99. */
  private static final int FEWEST = 100;

  private final AttackedSweep attacked;
  private final CanaryKind kind;
  private final int canaries;
  private final int guessed;
  private final double confidence;
  private final long seed;

  /**
   * @param canaries how many coins are thrown
   * @param guessed how many guesses are made at either end of the scores; fixed before the run
   * @param confidence of the bound, in (0, 1)
   * @param seed of canaries and coins; as secret as the coins have to be, which is until the end
   */
  public CanaryAudit(
      AttackedSweep attacked,
      CanaryKind kind,
      int canaries,
      int guessed,
      double confidence,
      long seed) {
    if (canaries < FEWEST || guessed < 1 || guessed > canaries / 2) {
      throw new IllegalArgumentException(
          "an audit takes at least %d canaries, and guesses at either end half of them at most; was %d and %d"
              .formatted(FEWEST, canaries, guessed));
    }
    this.attacked = attacked;
    this.kind = kind;
    this.canaries = canaries;
    this.guessed = guessed;
    this.confidence = confidence;
    this.seed = seed;
  }

  /**
   * Runs the study, and the attack.
   *
   * @throws IllegalArgumentException if the rows do not bear such canaries
   * @throws io.mutune.orchestrator.study.StudyInterruptedException if it was cancelled
   * @throws IOException if data cannot be read
   */
  public CanaryReport run(Engine engine, BooleanSupplier cancelled) throws IOException {
    try (StudiesInMemory studies = new StudiesInMemory(attacked, engine, cancelled)) {
      return run(studies);
    }
  }

  CanaryReport run(StudiesInMemory studies) throws IOException {
    long start = System.nanoTime();
    KnownRows base = attacked.trainingRows();
    KnownRows rows = canaries(base, studies);
    boolean[] member = coins();
    Transcript transcript = studies.run(base.and(rows.where(member, true)));
    CanaryScores attack = new CanaryScores(transcript, base, rows, studies.engine());
    double[] scores = attack.scores();
    Guesses guesses = Guesses.ofExtremes(scores, member, guessed);
    return new CanaryReport(
        transcript.result(),
        kind,
        guesses,
        OneRunAudit.epsilonAtLeast(guesses, attacked.sweep().budget().delta(), 1 - confidence),
        confidence,
        RocCurve.of(where(scores, member, true), where(scores, member, false)),
        attack.used(),
        Suspicions.of(transcript),
        seed,
        (System.nanoTime() - start) / 1e9);
  }

  private KnownRows canaries(KnownRows base, StudiesInMemory studies) throws IOException {
    int classes = attacked.sweep().classes();
    return switch (kind) {
      case GRADIENT -> Canaries.gradient(base, classes, canaries, seed);
      case MISLABELLED -> Canaries.mislabelled(base, classes, canaries, seed);
      case AMPLIFIED ->
          Canaries.amplified(base, classes, canaries, seed, momentum(studies.run(base)));
    };
  }

  /** What a study without canaries ended with. */
  private static double[] momentum(Transcript without) {
    int last = without.result().decision().kept().orElse(TrialRecord.FINAL);
    List<Iterate> iterates = without.iterates().getOrDefault(last, List.of());
    return iterates.isEmpty() ? new double[0] : iterates.get(iterates.size() - 1).memory();
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
