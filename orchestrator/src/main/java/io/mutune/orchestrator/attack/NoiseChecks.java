package io.mutune.orchestrator.attack;

import io.mutune.accountant.empirical.NoiseTest;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.attack.NoiseResidual;
import io.mutune.trainer.attack.ReleasedDescent;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.method.ReleasedSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What is wrong with the noise of a study, where all rows that took part are known: what is left of
 * each noisy sum without them should be new draws of the charged deviation. Runs whose sums were
 * not told step by step are left out, and those of samples that were not drawn here one by one.
 */
final class NoiseChecks {
  private static final int KINDS = 3;

  private NoiseChecks() {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Noise(int run, double[] draws) {}

  /**
   * In words; empty for a sound study.
   *
   * @param took all rows that took part, mapped as training has them
   * @param some of them, who are looked at: whether they have more in the sums than is clipped, or
   *     runs were picked by them
   * @param alarm how often a sound study may be accused
   */
  static List<String> of(
      Transcript transcript, KnownRows took, KnownRows some, Engine engine, double alarm) {
    double each = alarm / KINDS;
    SweepDefinition sweep = transcript.sweep();
    NoiseResidual residual = new NoiseResidual(took, sweep.train().loss(), sweep.classes(), engine);
    List<Noise> noises = new ArrayList<>();
    DoubleStream.Builder along = DoubleStream.builder();
    List<String> found = new ArrayList<>();
    for (Transcript.Run run : transcript.runs()) {
      if (run.descent().filter(of -> isKnown(of, run.number(), transcript)).isPresent()) {
        ReleasedDescent descent = run.descent().get();
        IntFunction<RowSample> samples =
            step -> sample(descent, run.number(), step, transcript).orElseThrow();
        double[] noise = residual.of(descent, samples);
        if (NoiseTest.wrongScale(noise) < each / transcript.runs().size()) {
          found.add("the noise of run " + run.number() + " is not what was charged");
        }
        noises.add(new Noise(run.number(), noise));
        for (double part : residual.along(descent, samples, some)) {
          along.add(part);
        }
      }
    }
    reused(noises, each, found);
    double[] parts = along.build().toArray();
    double[] ones = new double[parts.length];
    Arrays.fill(ones, 1);
    if (NoiseTest.related(ones, parts) < each) {
      found.add(
          "the rows that were put in have another part in the noisy sums than their clipped"
              + " gradients: by %.1f deviations over %d sums"
                  .formatted(DoubleStream.of(parts).sum() / Math.sqrt(parts.length), parts.length));
    }
    return found;
  }

  private static boolean isKnown(ReleasedDescent descent, int run, Transcript transcript) {
    return descent.steps().stream().allMatch(ReleasedSum::single)
        && IntStream.range(0, descent.steps().size())
            .allMatch(step -> sample(descent, run, step, transcript).isPresent());
  }

  /** Which rows were in a sum, by its place; empty where nobody here can know. */
  private static Optional<RowSample> sample(
      ReleasedDescent descent, int run, int step, Transcript transcript) {
    ReleasedSum told = descent.steps().get(step);
    return told.exact()
        ? Optional.of(RowSample.ALL)
        : transcript
            .coins()
            .filter(coins -> asksOneByOne(transcript))
            .flatMap(coins -> coins.sample(run, step + 1, told.parts()));
  }

  /** Which bucket a row is in, and so which coin it had, follows from a key that nobody keeps. */
  private static boolean asksOneByOne(Transcript transcript) {
    SweepDefinition sweep = transcript.sweep();
    DataSource rows = sweep.data().training();
    return sweep.train().method().isExternal()
        || PrivateData.isOneBucket(
            rows.rows().orElseThrow(), transcript.result().model().features(), rows.spec().range());
  }

  /** The first pair says it. */
  private static void reused(List<Noise> noises, double alarm, List<String> found) {
    double each = alarm / Math.max(1, noises.size() * (noises.size() - 1.0) / 2);
    for (int i = 0; i < noises.size(); i++) {
      for (int j = i + 1; j < noises.size(); j++) {
        double[] one = noises.get(i).draws();
        double[] other = noises.get(j).draws();
        int both = Math.min(one.length, other.length);
        if (NoiseTest.related(Arrays.copyOf(one, both), Arrays.copyOf(other, both)) < each) {
          found.add(
              "the noise of run %d is not independent of that of run %d"
                  .formatted(noises.get(j).run(), noises.get(i).run()));
          return;
        }
      }
    }
  }
}
