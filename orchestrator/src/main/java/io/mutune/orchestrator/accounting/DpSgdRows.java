package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.SubsampledGaussian;
import io.mutune.orchestrator.accounting.Calibration.Unknown;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Queries about DP-SGD: T steps, each on a Poisson sample of the rows at rate q, with noise of
 * deviation σ in units of the clip norm. Replacing a row doubles the sum's sensitivity.
 */
final class DpSgdRows {
  private DpSgdRows() {}

  /** σ, q, T, δ to ε. */
  static Reply epsilon(Inputs row) {
    return epsilon(row, row.adjacency());
  }

  /** The same where a row is replaced. */
  static Reply replaceOne(Inputs row) {
    if (row.has("adjacency") && row.adjacency() != Adjacency.REPLACE_ONE) {
      throw new IllegalArgumentException(
          "adjacency must be replace-one for this kind; was " + row.text("adjacency"));
    }
    return epsilon(row, Adjacency.REPLACE_ONE);
  }

  private static Reply epsilon(Inputs row, Adjacency adjacency) {
    Mechanism steps =
        new SubsampledGaussian(
            NoiseMultiplier.of(row.noise("sigma")),
            row.decimal("q").rate("q"),
            adjacency.sumSensitivity(),
            row.count("T"));
    Ask ask = Ask.epsilonAt(row.decimal("delta"));
    Cost cost =
        new CostQuestion(
                new Releases(List.of(steps), adjacency), ask, Choice.by(row), Choice.compare(row))
            .answer();
    return cost.reply(row).put("eps", cost.bound().upper());
  }

  /** ε, δ, q, T to the smallest σ. */
  static Reply sigma(Inputs row) {
    Calibrated sigma =
        new Calibration(
                Unknown.SIGMA,
                Choice.by(row),
                row.decimal("eps"),
                row.decimal("delta"),
                row.adjacency(),
                OptionalDouble.empty(),
                row.decimal("q").rate("q"),
                OptionalLong.of(row.count("T")),
                List.of())
            .answer();
    return sigma.reply(row).put("sigma_lower", sigma.lower()).put("sigma_upper", sigma.upper());
  }
}
