package io.mutune.trainer.attack;

import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.ClippedSums;
import io.mutune.trainer.layout.RowSample;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.method.ReleasedSum;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What is left of a run's noisy sums when every row is known: the noise itself, which on a sound
 * program is independent draws of N(0, 1) in units of what was charged.
 *
 * @param rows all that took part, mapped as training has them
 */
public record NoiseResidual(KnownRows rows, Loss loss, int classes, ClippedSums engine) {
  /**
   * All steps' numbers one after the other. Noise alone where every told sum is of one step; of
   * several steps between two iterates the later ones asked at weights that were not seen.
   *
   * @param samples which rows were in a told sum, by its place from 0
   */
  public double[] of(ReleasedDescent run, IntFunction<RowSample> samples) {
    try (ClippedSum sums = RowGradients.open(engine, rows, loss, classes)) {
      return IntStream.range(0, run.steps().size())
          .mapToObj(t -> noise(run, t, samples, sums))
          .flatMapToDouble(DoubleStream::of)
          .toArray();
    }
  }

  private double[] noise(
      ReleasedDescent run, int t, IntFunction<RowSample> samples, ClippedSum sums) {
    ReleasedSum told = run.steps().get(t);
    double[] noise = told.coordinates(left(told, sums, samples.apply(t)));
    for (int i = 0; i < noise.length; i++) {
      noise[i] /= run.deviation(told);
    }
    return noise;
  }

  /**
   * How much of what is left lies along what some people add together, one number for each told
   * sum: N(0, 1) on a sound program, whatever those people are.
   *
   * @param samples which rows were in a told sum, by its place from 0
   * @param some people, mapped as training has them; sums to which they add nothing are left out
   */
  public double[] along(ReleasedDescent run, IntFunction<RowSample> samples, KnownRows some) {
    if (some.count() == 0) {
      return new double[0];
    }
    try (ClippedSum sums = RowGradients.open(engine, rows, loss, classes);
        ClippedSum theirs = RowGradients.open(engine, some, loss, classes)) {
      return IntStream.range(0, run.steps().size())
          .mapToObj(
              t -> {
                ReleasedSum told = run.steps().get(t);
                double[] noise = noise(run, t, samples, sums);
                double[] added =
                    told.coordinates(
                        new RowGradients(loss, told.clip()).sum(theirs, told.weights()));
                double product = 0;
                double squares = 0;
                for (int i = 0; i < noise.length; i++) {
                  product += noise[i] * added[i];
                  squares += added[i] * added[i];
                }
                return squares == 0
                    ? DoubleStream.empty()
                    : DoubleStream.of(product / Math.sqrt(squares));
              })
          .flatMapToDouble(part -> part)
          .toArray();
    }
  }

  /** Where all rows are meant, each counts as it does on average. */
  private double[] left(ReleasedSum told, ClippedSum sums, RowSample sample) {
    double[] sum = new RowGradients(loss, told.clip()).sum(sums, told.weights(), sample);
    double counted = sample == RowSample.ALL ? told.parts() : 1;
    double[] left = new double[sum.length];
    for (int i = 0; i < left.length; i++) {
      left[i] = told.sum()[i] - counted * sum[i];
    }
    return left;
  }
}
