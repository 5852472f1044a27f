package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import java.util.List;
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
  static final LedgerForm<TruncatedConcentrated> FORM =
      new LedgerForm<>(
          "truncated-concentrated", List.of("rho", "omega", "count"), TruncatedConcentrated::of);

  static final LedgerForm<TruncatedConcentrated> ZERO_CONCENTRATED =
      new LedgerForm<>(
          "zero-concentrated",
          List.of("rho", "count"),
          read -> ofZeroConcentrated(read.number("rho"), read.whole("count")));

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
    return (Double.isInfinite(omega) ? ZERO_CONCENTRATED : FORM).name();
  }

  @Override
  public Map<String, Number> parameters() {
    return Double.isInfinite(omega)
        ? ZERO_CONCENTRATED.write(rho, count)
        : FORM.write(rho, omega, count);
  }

  /** Never there: a bound on Rényi divergences is met by mechanisms beyond every trade-off of μ. */
  @Override
  public Optional<Mu> mu() {
    return Optional.empty();
  }

  private static TruncatedConcentrated of(Parameters read) {
    double omega = read.number("omega");
    if (Double.isInfinite(omega)) {
      throw new IllegalArgumentException("omega must be finite in a ledger; was " + omega);
    }
    return new TruncatedConcentrated(read.number("rho"), omega, read.whole("count"));
  }
}
