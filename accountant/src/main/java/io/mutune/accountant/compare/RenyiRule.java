package io.mutune.accountant.compare;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.compare.Answer.Bound;
import io.mutune.accountant.compare.Answer.NotApplicable;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.mechanism.RepeatAndSelect;
import io.mutune.accountant.renyi.RenyiDp;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Rényi divergences added up, at the best real order. */
final class RenyiRule implements Rule {
  @Override
  public Optional<String> unsuited(Releases releases) {
    return Rule.firstReason(
        releases,
        m ->
            m instanceof RepeatAndSelect selection && mayFail(selection.run())
                ? Optional.of("random stopping is not proved for runs that may fail")
                : Optional.empty());
  }

  private static boolean mayFail(Mechanism mechanism) {
    return mechanism instanceof ApproximateDp
        || (mechanism instanceof RepeatAndSelect selection && mayFail(selection.run()));
  }

  /** Charges that are alike share one curve, which is most of the work. */
  static RenyiDp total(Releases releases) {
    Map<Mechanism, Long> alike = new LinkedHashMap<>();
    releases.mechanisms().forEach(m -> alike.merge(m, 1L, Long::sum));
    return RenyiDp.compose(
        alike.entrySet().stream()
            .map(e -> RenyiDp.of(e.getKey(), releases.adjacency()).times(e.getValue()))
            .toList());
  }

  @Override
  public Answer epsilon(Releases releases, Delta delta) {
    return epsilon(total(releases), delta);
  }

  /** Also of what has no δ of its own: the smallest δ of all may leave nothing. */
  static Answer epsilon(RenyiDp total, Delta delta) {
    return total.leaves(delta)
        ? Bound.upper(total.epsilonOrInfinity(delta))
        : new NotApplicable(
            "delta is not above the probability of failure, which is up to " + total.failure());
  }

  @Override
  public Answer delta(Releases releases, Epsilon epsilon) {
    return Bound.upper(total(releases).delta(epsilon).value());
  }
}
