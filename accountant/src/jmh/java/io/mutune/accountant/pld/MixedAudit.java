package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The ε of a thousand charges, nearly all of them different, at δ = 1e-5. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class MixedAudit {
  private final List<Mechanism> charges = charges();

  private static List<Mechanism> charges() {
    Random random = new Random(1);
    List<Mechanism> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      all.add(new Gaussian(NoiseMultiplier.of(50 + 100 * random.nextDouble()), 1, 1));
    }
    for (int i = 0; i < 300; i++) {
      all.add(
          new SubsampledGaussian(
              NoiseMultiplier.of(2 + 8 * random.nextDouble()),
              0.001 + 0.02 * random.nextDouble(),
              1,
              1 + random.nextInt(50)));
    }
    for (int i = 0; i < 150; i++) {
      all.add(new Laplace(20 + 200 * random.nextDouble(), 1, 1 + random.nextInt(3)));
    }
    for (int i = 0; i < 150; i++) {
      Epsilon epsilon = Epsilon.of(0.001 + 0.02 * random.nextDouble());
      all.add(i < 100 ? new PureDp(epsilon, 1) : new ApproximateDp(epsilon, Delta.of(1e-9), 1));
    }
    return all;
  }

  @Benchmark
  public double epsilon() {
    return PldAccountant.of(charges, Adjacency.ADD_REMOVE).epsilon(Delta.of(1e-5));
  }
}
