package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.GaussianDp;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

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
  private static final Set<String> KEYS = Set.of("sigma", "sensitivity", "count");

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

  static Gaussian ofParameters(Map<String, ? extends Number> parameters) {
    if (!parameters.keySet().equals(KEYS)) {
      throw new IllegalArgumentException(
          "a gaussian charge has the parameters " + KEYS + "; had " + parameters.keySet());
    }
    return new Gaussian(
        NoiseMultiplier.of(required(parameters, "sigma").doubleValue()),
        required(parameters, "sensitivity").doubleValue(),
        whole(required(parameters, "count")));
  }

  /** A count cut to a whole number would be charged below its cost. */
  private static long whole(Number count) {
    try {
      return new BigDecimal(count.toString()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException("count must be a whole number; was " + count, e);
    }
  }

  private static Number required(Map<String, ? extends Number> parameters, String key) {
    return Objects.requireNonNull(parameters.get(key), key);
  }
}
