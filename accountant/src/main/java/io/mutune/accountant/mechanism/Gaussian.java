package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * {@code count} adaptive releases, each of L2 sensitivity {@code sensitivity} with N(0, σ²) noise
 * on every coordinate: exactly μ-GDP with μ = √count · sensitivity / σ.
 *
 * @param sigma the noise's standard deviation, in the unit in which the sensitivity is given
 * @param sensitivity finite and above 0
 * @param count at least 1
 */
public record Gaussian(NoiseMultiplier sigma, double sensitivity, long count) implements Mechanism {
  static final LedgerForm<Gaussian> FORM =
      new LedgerForm<>(
          "gaussian",
          List.of("sigma", "sensitivity", "count"),
          read ->
              new Gaussian(
                  NoiseMultiplier.of(read.number("sigma")),
                  read.number("sensitivity"),
                  read.whole("count")));

  public Gaussian {
    // Refuses what has no finite μ, and says why.
    Objects.requireNonNull(GaussianDp.ofGaussian(sigma, sensitivity, count));
  }

  /** A release on all rows, as a sampled one of rate 1 is too; empty for any other. */
  public static Optional<Gaussian> ofAllRows(Mechanism mechanism) {
    if (mechanism instanceof SubsampledGaussian sampled && sampled.samplingRate() == 1) {
      return Optional.of(sampled.unsampled());
    }
    return mechanism instanceof Gaussian gaussian ? Optional.of(gaussian) : Optional.empty();
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(sigma.value(), sensitivity, count);
  }

  /** Always there: √count · sensitivity / σ, rounded up to the next double. */
  @Override
  public Optional<Mu> mu() {
    return Optional.of(GaussianDp.ofGaussian(sigma, sensitivity, count).mu());
  }

  @Override
  public Optional<NoiseMultiplier> noise() {
    return Optional.of(sigma);
  }
}
