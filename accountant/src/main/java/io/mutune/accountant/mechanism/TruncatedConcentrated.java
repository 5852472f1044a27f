package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code count} adaptive releases of which nothing is known but that each is (ρ, ω)-tCDP: its Rényi
 * divergence of every order α below ω is at most ρα (Bun, Dwork, Rothblum and Steinke 2018).
 *
 * <p>With infinite ω this is ρ-zCDP (Bun and Steinke 2016). Ledgers keep numbers only, and no
 * number is infinite, so they keep that form under a name of its own.
 *
 * @param rho of one release, finite and above 0
 * @param omega of every release, above 1; may be infinite
 * @param count at least 1
 */
public record TruncatedConcentrated(double rho, double omega, long count) implements Mechanism {
  static final String NAME = "truncated-concentrated";
  static final String ZERO_CONCENTRATED = "zero-concentrated";

  public TruncatedConcentrated {
    Require.positive("rho", rho);
    if (!(omega > 1)) {
      throw new IllegalArgumentException("omega must be above 1; was " + omega);
    }
    Require.count(count);
  }

  /** {@code count} releases of ρ-zCDP. */
  public static TruncatedConcentrated ofZeroConcentrated(double rho, long count) {
    return new TruncatedConcentrated(rho, Double.POSITIVE_INFINITY, count);
  }

  @Override
  public String name() {
    return Double.isInfinite(omega) ? ZERO_CONCENTRATED : NAME;
  }

  @Override
  public Map<String, Number> parameters() {
    Map<String, Number> parameters = new LinkedHashMap<>();
    parameters.put("rho", rho);
    if (!Double.isInfinite(omega)) {
      parameters.put("omega", omega);
    }
    parameters.put("count", count);
    return parameters;
  }

  /** Never there: a bound on Rényi divergences is met by mechanisms beyond every trade-off of μ. */
  @Override
  public Optional<Mu> mu() {
    return Optional.empty();
  }

  static TruncatedConcentrated ofParameters(Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(NAME, parameters, "rho", "omega", "count");
    double omega = read.number("omega");
    if (Double.isInfinite(omega)) {
      throw new IllegalArgumentException("omega must be finite in a ledger; was " + omega);
    }
    return new TruncatedConcentrated(read.number("rho"), omega, read.whole("count"));
  }

  static TruncatedConcentrated ofZeroConcentratedParameters(
      Map<String, ? extends Number> parameters) {
    Parameters read = Parameters.of(ZERO_CONCENTRATED, parameters, "rho", "count");
    return ofZeroConcentrated(read.number("rho"), read.whole("count"));
  }
}
