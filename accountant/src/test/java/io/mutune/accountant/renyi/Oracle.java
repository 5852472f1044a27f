package io.mutune.accountant.renyi;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Laplace;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.PureDp;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.accountant.mechanism.SubsampledLaplace;
import io.mutune.accountant.mechanism.TruncatedNegativeBinomial;
import io.mutune.testing.OracleTable.Row;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Rows of the reference tables as mechanisms, and what those tables were computed with. */
final class Oracle {
  private Oracle() {}

  static RenyiDp cost(Mechanism mechanism) {
    return RenyiDp.of(mechanism, Adjacency.ADD_REMOVE);
  }

  static SubsampledGaussian dpSgd(double sigma, double rate, long steps) {
    return new SubsampledGaussian(NoiseMultiplier.of(sigma), rate, 1.0, steps);
  }

  /** A component of heterogeneous.json: {@code ["ssg", 1.1, 0.004, 3000]} and the like. */
  static Mechanism component(JsonNode c) {
    double first = c.get(1).asDouble();
    long count = c.get(c.size() - 1).asLong();
    String kind = c.get(0).asString();
    return switch (kind) {
      case "gauss" -> new Gaussian(NoiseMultiplier.of(1), first, count);
      case "ssg" -> dpSgd(first, c.get(2).asDouble(), count);
      case "laplace" -> new Laplace(1 / first, 1.0, count);
      case "sslaplace" -> new SubsampledLaplace(1 / first, c.get(2).asDouble(), 1.0, count);
      case "pure" -> new PureDp(Epsilon.of(first), count);
      case "approx" -> new ApproximateDp(Epsilon.of(first), Delta.of(c.get(2).asDouble()), count);
      default -> throw new IllegalArgumentException("no component is called " + kind);
    };
  }

  /** One run of a row of private_selection.json. */
  static Mechanism run(Row row) {
    JsonNode base = row.json().get("base");
    NoiseMultiplier sigma = NoiseMultiplier.of(base.get("sigma").asDouble());
    return base.has("q")
        ? new SubsampledGaussian(sigma, base.get("q").asDouble(), 1.0, row.whole("T"))
        : new Gaussian(sigma, 1.0, row.whole("T"));
  }

  static RepeatAndSelect selection(Row row) {
    return new RepeatAndSelect(
        run(row),
        row.has("gamma")
            ? new TruncatedNegativeBinomial(row.number("shape"), row.number("gamma"))
            : new PoissonTrials(row.number("mean")));
  }

  /** The orders between which that library chooses. */
  static List<Double> defaultOrders() {
    DoubleStream tenths = IntStream.rangeClosed(11, 109).mapToDouble(i -> i / 10.0);
    DoubleStream whole = IntStream.rangeClosed(11, 63).mapToDouble(i -> i);
    return DoubleStream.concat(
            DoubleStream.concat(tenths, whole), DoubleStream.of(128, 256, 512, 1024))
        .boxed()
        .toList();
  }
}
