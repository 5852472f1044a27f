package io.mutune.accountant.mechanism;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import java.util.List;
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
    if (name.startsWith(RepeatAndSelect.PREFIX)) {
      return RepeatAndSelect.ofParameters(name, parameters);
    }
    LedgerForm<? extends Mechanism> form =
        LedgerForms.ofMechanism(name)
            .orElseThrow(() -> new IllegalArgumentException("unknown mechanism '" + name + "'"));
    return form.read(parameters);
  }

  /**
   * The keys of the parameters of every mechanism and law of trials, by its name; {@link
   * RepeatAndSelect} has those of its law and of its run.
   */
  static Map<String, List<String>> keys() {
    return LedgerForms.keys();
  }

  /**
   * Whether more of a parameter costs less, as of noise; of any other less does, or it changes
   * nothing. Whoever rounds a parameter so that its cost is no smaller rounds it down, or else up.
   *
   * @param key of {@link #parameters}, those of a repeated run with the prefix that they have there
   */
  static boolean isCheaperWithMore(String key) {
    return LedgerForms.CHEAPER_WITH_MORE.contains(RepeatAndSelect.withoutRun(key));
  }
}
