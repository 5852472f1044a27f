package io.mutune.accountant.pld;

import io.mutune.accountant.mechanism.TrialCount;
import org.jspecify.annotations.Nullable;

/**
 * The best of a random number of runs, by a pair that is above its whole profile in both directions
 * ({@link SelectionBound}). Computed when it is first asked, since most questions are only whether
 * there is a pair.
 */
final class SelectedLoss implements PrivacyLoss {
  private static final int CELLS = 2048;
  private static final int ROUGH_CELLS = 256;

  private final Part run;
  private final TrialCount trials;
  private final @Nullable SelectedLoss other;
  private @Nullable PrivacyLoss known;

  /**
   * The best of so many runs.
   *
   * @param run one run whole
   */
  SelectedLoss(Part run, TrialCount trials) {
    this(run, trials, null);
  }

  private SelectedLoss(Part run, TrialCount trials, @Nullable SelectedLoss other) {
    this.run = run;
    this.trials = trials;
    this.other = other;
  }

  private synchronized PrivacyLoss profile() {
    PrivacyLoss profile = known;
    if (profile == null) {
      profile = other == null ? of(run, CountDensity.of(trials)) : other.profile().reversed();
      known = profile;
    }
    return profile;
  }

  /** The pair for any law of the number of runs. */
  static PrivacyLoss of(Part run, CountDensity density) {
    ProfileTable rough = ProfileTable.of(run, ROUGH_CELLS, 0);
    // Places for what selection may add to a loss are as many as those of a run's own.
    double added = Math.log(SelectionLines.of(density, rough).largest());
    ProfileTable table = ProfileTable.of(run, CELLS, added / CELLS);
    return ProfileLoss.of(
        new ProfileTable(
            table.spacing(),
            SelectionBound.deltas(table, density),
            SelectionBound.deltas(table.reversed(), density)));
  }

  @Override
  public Split at(double loss) {
    return profile().at(loss);
  }

  @Override
  public double[] landmarks() {
    return profile().landmarks();
  }

  @Override
  public double infinite() {
    return profile().infinite();
  }

  @Override
  public double largest() {
    return profile().largest();
  }

  @Override
  public PrivacyLoss reversed() {
    PrivacyLoss reversed = run.loss().reversed();
    return reversed.equals(run.loss())
        ? this
        : new SelectedLoss(new Part(reversed, run.count()), trials, this);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof SelectedLoss that
        && run.equals(that.run)
        && trials.equals(that.trials);
  }

  @Override
  public int hashCode() {
    return 31 * run.hashCode() + trials.hashCode();
  }
}
