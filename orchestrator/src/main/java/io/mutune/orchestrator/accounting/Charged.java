package io.mutune.orchestrator.accounting;

import io.mutune.accountant.Mu;
import io.mutune.accountant.PrintedNumber;
import io.mutune.accountant.compare.Releases;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Mechanism;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** Releases in words and in μ. */
final class Charged {
  private static final int DIGITS = 6;

  private Charged() {}

  /** The μ of all together, rounded up, where they are Gaussian: then it is exact. */
  static Optional<Mu> mu(Releases releases) {
    return releases.areGaussian()
        ? Optional.of(
            GaussianDp.compose(
                    releases.mechanisms().stream()
                        .map(m -> GaussianDp.of(m.mu().orElseThrow()))
                        .toList())
                .mu())
        : Optional.empty();
  }

  /** One line, such as {@code 28 x gaussian: sigma 20, sensitivity 1}. */
  static String words(Mechanism mechanism) {
    StringJoiner parameters = new StringJoiner(", ");
    long count = 1;
    for (Map.Entry<String, Number> p : mechanism.parameters().entrySet()) {
      if (p.getKey().equals("count")) {
        count = p.getValue().longValue();
      } else {
        parameters.add(p.getKey() + " " + number(p.getValue()));
      }
    }
    return count + " x " + mechanism.name() + ": " + parameters;
  }

  private static String number(Number value) {
    return value instanceof Double d ? PrintedNumber.down(d, DIGITS) : value.toString();
  }
}
