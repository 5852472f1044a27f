package io.mutune.accountant.pld;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import java.util.List;
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

/** A fresh accountant and one ε at δ = 1e-5, for the five settings that other tools were timed on. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DpSgdQueries {
  /** Noise multiplier, sampling rate and steps. */
  @Param({"1/0.01/1000", "4/0.2/100", "0.7/0.001/10000", "20/1/28", "10/0.1/10000"})
  public String query;

  @Benchmark
  public double epsilon() {
    String[] numbers = query.split("/");
    SubsampledGaussian steps =
        new SubsampledGaussian(
            NoiseMultiplier.of(Double.parseDouble(numbers[0])),
            Double.parseDouble(numbers[1]),
            1,
            Long.parseLong(numbers[2]));
    return PldAccountant.of(List.of(steps), Adjacency.ADD_REMOVE).composed(Delta.of(1e-5));
  }
}
