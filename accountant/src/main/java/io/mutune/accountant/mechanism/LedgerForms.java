package io.mutune.accountant.mechanism;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** All forms that ledgers may have. One that was written once stays for ever. */
final class LedgerForms {
  private static final List<LedgerForm<? extends Mechanism>> MECHANISMS =
      List.of(
          Gaussian.FORM,
          SubsampledGaussian.FORM,
          Laplace.FORM,
          SubsampledLaplace.FORM,
          ExponentialMechanism.FORM,
          RandomizedResponse.FORM,
          PureDp.FORM,
          ApproximateDp.FORM,
          TruncatedConcentrated.FORM,
          TruncatedConcentrated.ZERO_CONCENTRATED);

  private static final List<LedgerForm<? extends TrialCount>> LAWS =
      List.of(PoissonTrials.FORM, BinomialTrials.FORM, TruncatedNegativeBinomial.FORM);

  /** Keys of parameters of which more costs less. */
  static final Set<String> CHEAPER_WITH_MORE = Set.of("sigma", "scale", "omega", "gamma");

  private LedgerForms() {}

  static Optional<LedgerForm<? extends Mechanism>> ofMechanism(String name) {
    return MECHANISMS.stream().filter(form -> form.name().equals(name)).findFirst();
  }

  static Optional<LedgerForm<? extends TrialCount>> ofLaw(String name) {
    return LAWS.stream().filter(form -> form.name().equals(name)).findFirst();
  }

  /** The keys of each, by its name. */
  static Map<String, List<String>> keys() {
    Map<String, List<String>> keys = new LinkedHashMap<>();
    Stream.concat(MECHANISMS.stream(), LAWS.stream())
        .forEach(form -> keys.put(form.name(), form.keys()));
    return keys;
  }
}
