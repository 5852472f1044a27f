package io.mutune.accountant.mechanism;

import java.util.Map;

/** The law from which the secret number of runs K of a {@link RepeatAndSelect} is drawn. */
public sealed interface TrialCount
    permits TruncatedNegativeBinomial, PoissonTrials, BinomialTrials {
  /** The name under which ledgers keep it; without a colon. */
  String name();

  /** Its numbers under the names that ledgers keep. */
  Map<String, Number> parameters();

  /** E[K], to nearest. */
  double mean();

  /**
   * The law that a ledger wrote down.
   *
   * @throws IllegalArgumentException if the name is unknown, a parameter is missing, unknown or out
   *     of range
   */
  static TrialCount of(String name, Map<String, ? extends Number> parameters) {
    LedgerForm<? extends TrialCount> form =
        LedgerForms.ofLaw(name)
            .orElseThrow(
                () -> new IllegalArgumentException("unknown law of trials '" + name + "'"));
    return form.read(parameters);
  }
}
