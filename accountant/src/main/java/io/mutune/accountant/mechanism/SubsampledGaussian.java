package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@link Gaussian} on a Poisson sample, as DP-SGD uses it (Abadi et al. 2016): for each release
 * every row takes part with probability {@code samplingRate}, independently of all others.
 *
 * @param sigma the noise's standard deviation, in the unit in which the sensitivity is given
 * @param samplingRate above 0 and at most 1
 * @param sensitivity of the sum in which every row takes part, as {@link Gaussian} has it: one
 *     row's greatest contribution under add/remove, twice that if a row is replaced
 * @param count the number of releases, T; at least 1
 */
public record SubsampledGaussian(
    NoiseMultiplier sigma, double samplingRate, double sensitivity, long count)
    implements Mechanism {
  static final LedgerForm<SubsampledGaussian> FORM =
      new LedgerForm<>(
          "subsampled-gaussian",
          List.of("sigma", "samplingRate", "sensitivity", "count"),
          read ->
              new SubsampledGaussian(
                  NoiseMultiplier.of(read.number("sigma")),
                  read.number("samplingRate"),
                  read.number("sensitivity"),
                  read.whole("count")));

  public SubsampledGaussian {
    Require.samplingRate(samplingRate);
    // Refuses the rest.
    new Gaussian(sigma, sensitivity, count).name();
  }

  /** The mechanism with every row in every release; costs no less. */
  public Gaussian unsampled() {
    return new Gaussian(sigma, sensitivity, count);
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(sigma.value(), samplingRate, sensitivity, count);
  }

  /** There if every row is always sampled: then this is a {@link Gaussian}. */
  @Override
  public Optional<Mu> mu() {
    return samplingRate == 1 ? unsampled().mu() : Optional.empty();
  }

  @Override
  public Optional<NoiseMultiplier> noise() {
    return Optional.of(sigma);
  }
}
