package io.mutune.accountant.gdp;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The three conversions of Gaussian DP at δ = 1e-5; each should take less than 5 µs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class Conversions {
  private static final Delta DELTA = Delta.of(1e-5);

  /** From a cheap trial's to a careless study's. */
  @Param({"0.017", "0.27", "1", "5"})
  public double mu;

  @Benchmark
  public double epsilonOfMu() {
    return GaussianDp.of(Mu.of(mu)).epsilon(DELTA).value();
  }

  @Benchmark
  public double deltaOfMu() {
    return GaussianDp.of(Mu.of(mu)).delta(Epsilon.of(4 * mu)).value();
  }

  @Benchmark
  public double muOfBudget() {
    return GaussianDp.ofBudget(Epsilon.of(4 * mu), DELTA).mu().value();
  }
}
