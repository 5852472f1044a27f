package io.mutune.accountant.renyi;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.PoissonTrials;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.mechanism.SubsampledGaussian;
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
