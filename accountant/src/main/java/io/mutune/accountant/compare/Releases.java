package io.mutune.accountant.compare;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Releases whose cost is asked for together: a plan that is fixed before the first of them, whose
 * answers may then be chosen adaptively.
 *
 * @param mechanisms with their counts, in any order; none at all costs nothing
 * @param adjacency under which their sensitivities are meant
 */
public record Releases(List<Mechanism> mechanisms, Adjacency adjacency) {
  public Releases {
    mechanisms = List.copyOf(mechanisms);
  }

  public static Releases of(Adjacency adjacency, Mechanism... mechanisms) {
    return new Releases(List.of(mechanisms), adjacency);
  }

  /** These and one more. */
  public Releases plus(Mechanism mechanism) {
    List<Mechanism> all = new ArrayList<>(mechanisms);
    all.add(mechanism);
    return new Releases(all, adjacency);
  }

  /** Those that a test picks. */
  Releases only(Predicate<Mechanism> picked) {
    return new Releases(mechanisms.stream().filter(picked).toList(), adjacency);
  }

  /** Whether all are Gaussian on all rows, so that the closed form is exact. */
  public boolean areGaussian() {
    return mechanisms.stream().allMatch(Releases::isGaussian);
  }

  /** The μ of all together, rounded up, where they are Gaussian: it is then exact. */
  public Optional<Mu> gaussianMu() {
    return areGaussian() ? Optional.of(mu()) : Optional.empty();
  }

  /** √Σμ², rounded up; every mechanism must have a μ. */
  Mu mu() {
    return GaussianDp.compose(
            mechanisms.stream().map(m -> GaussianDp.of(m.mu().orElseThrow())).toList())
        .mu();
  }

  static boolean isGaussian(Mechanism mechanism) {
    return Gaussian.ofAllRows(mechanism).isPresent();
  }
}
