package io.mutune.accountant.mechanism;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code count} adaptive releases of which nothing is known but that each is (ε, δ)-DP.
 *
 * @param epsilon of one release; 0 where all of its loss is in δ
 * @param delta of one release, above 0 and below 1
 * @param count at least 1
 */
public record ApproximateDp(Epsilon epsilon, Delta delta, long count) implements Mechanism {
  static final LedgerForm<ApproximateDp> FORM =
      new LedgerForm<>(
          "approximate-dp",
          List.of("epsilon", "delta", "count"),
          read ->
              new ApproximateDp(
                  Epsilon.of(read.number("epsilon")),
                  Delta.of(read.number("delta")),
                  read.whole("count")));

  public ApproximateDp {
    if (!(delta.value() > 0 && delta.value() < 1)) {
      throw new IllegalArgumentException(
          "a mechanism's delta must be above 0 and below 1; was " + delta.value());
    }
    Require.count(count);
  }

  @Override
  public String name() {
    return FORM.name();
  }

  @Override
  public Map<String, Number> parameters() {
    return FORM.write(epsilon.value(), delta.value(), count);
  }

  /** Never there: what gives a row away with probability δ is beyond every μ. */
  @Override
  public Optional<Mu> mu() {
    return Optional.empty();
  }
}
