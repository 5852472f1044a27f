package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import java.util.LinkedHashMap;
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
  static final String NAME = "gaussian";

  public Gaussian {
    // Refuses what has no finite μ, and says why.
    Objects.requireNonNull(GaussianDp.ofGaussian(sigma, sensitivity, count));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Number> parameters() {
    Map<String, Number> parameters = new LinkedHashMap<>();
    parameters.put("sigma", sigma.value());
    parameters.put("sensitivity", sensitivity);
    parameters.put("count", count);
    return parameters;
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

  static Gaussian ofParameters(Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(NAME, parameters, "sigma", "sensitivity", "count");
    return new Gaussian(
        NoiseMultiplier.of(read.number("sigma")), read.number("sensitivity"), read.whole("count"));
  }
}
