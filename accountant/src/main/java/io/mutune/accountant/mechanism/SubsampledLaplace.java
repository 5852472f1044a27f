package io.mutune.accountant.mechanism;

import io.mutune.accountant.Epsilon;
import java.util.List;
import java.util.Map;

/**
 * {@link Laplace} on a Poisson sample: for each release every row takes part with probability
 * {@code samplingRate}, independently of all others.
 *
 * @param scale the noise's b, in the unit in which the sensitivity is given; finite and above 0
 * @param samplingRate above 0 and at most 1
 * @param sensitivity of the sum in which every row takes part; finite and above 0
 * @param count at least 1
 */
public record SubsampledLaplace(double scale, double samplingRate, double sensitivity, long count)
    implements PureMechanism {
  static final LedgerForm<SubsampledLaplace> FORM =
      new LedgerForm<>(
          "subsampled-laplace",
          List.of("scale", "samplingRate", "sensitivity", "count"),
          read ->
              new SubsampledLaplace(
                  read.number("scale"),
                  read.number("samplingRate"),
                  read.number("sensitivity"),
                  read.whole("count")));

  /** Covers the rounding of the four operations on the way to an ε. */
  private static final double ROOM_FOR_ROUNDING = 0x1p-49;

  public SubsampledLaplace {
    Require.samplingRate(samplingRate);
    // Refuses the rest.
    Epsilon.of(new Laplace(scale, sensitivity, count).epsilon().value());
  }

  /** The mechanism with every row in every release. */
  public Laplace unsampled() {
    return new Laplace(scale, sensitivity, count);
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(scale, samplingRate, sensitivity, count);
  }

  /** ln(1 + q·(e^ε − 1)) for the ε without sampling, rounded up (Balle, Barthe, Gaboardi 2018). */
  @Override
  public Epsilon epsilon() {
    double whole = unsampled().epsilon().value();
    if (samplingRate == 1) {
      return Epsilon.of(whole);
    }
    double sampled = LogMixture.of(samplingRate, whole);
    return Epsilon.of(Math.min(whole, Math.nextUp(sampled * (1 + ROOM_FOR_ROUNDING))));
  }
}
