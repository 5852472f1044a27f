package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.util.Map;
import java.util.Optional;

/**
 * What can be charged. Immutable; its meaning in a stored ledger never changes: a name stands for
 * one form and one meaning for ever, and what has to change gets a new name beside the old one.
 *
 * <p>Where the neighbours matter beyond the sensitivity, as for sampled rows, the accountants are
 * told the adjacency: it belongs to the budget, and is the same for all of its charges.
 */
public sealed interface Mechanism
    permits Gaussian,
        SubsampledGaussian,
        PureMechanism,
        ApproximateDp,
        TruncatedConcentrated,
        RepeatAndSelect {
  /** The name under which ledgers keep it. */
  String name();

  /** Its numbers under the names that ledgers keep; {@link #of} reads them back exactly. */
  Map<String, Number> parameters();

  /**
   * A μ for which it is μ-GDP, rounded up; empty for a mechanism that has no finite one, such as
   * one that fails with a probability δ, and for one whose μ is not known.
   */
  Optional<Mu> mu();

  /**
   * The standard deviation of the Gaussian noise of one release, in the unit of its sensitivity;
   * empty for a mechanism without such noise.
   */
  default Optional<NoiseMultiplier> noise() {
    return Optional.empty();
  }

  /**
   * The mechanism that a ledger wrote down.
   *
   * @throws IllegalArgumentException if the name is unknown, a parameter is missing, unknown or out
   *     of range
   */
  static Mechanism of(String name, Map<String, ? extends Number> parameters) {
    return switch (name) {
      case Gaussian.NAME -> Gaussian.ofParameters(parameters);
      case SubsampledGaussian.NAME -> SubsampledGaussian.ofParameters(parameters);
      case Laplace.NAME -> Laplace.ofParameters(parameters);
      case SubsampledLaplace.NAME -> SubsampledLaplace.ofParameters(parameters);
      case ExponentialMechanism.NAME -> ExponentialMechanism.ofParameters(parameters);
      case RandomizedResponse.NAME -> RandomizedResponse.ofParameters(parameters);
      case PureDp.NAME -> PureDp.ofParameters(parameters);
      case ApproximateDp.NAME -> ApproximateDp.ofParameters(parameters);
      case TruncatedConcentrated.NAME -> TruncatedConcentrated.ofParameters(parameters);
      case TruncatedConcentrated.ZERO_CONCENTRATED ->
          TruncatedConcentrated.ofZeroConcentratedParameters(parameters);
      default -> {
        if (name.startsWith(RepeatAndSelect.PREFIX)) {
          yield RepeatAndSelect.ofParameters(name, parameters);
        }
        throw new IllegalArgumentException("unknown mechanism '" + name + "'");
      }
    };
  }
}
