package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.feature.Centre;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.PrivateMean;
import io.mutune.trainer.method.SumRounding;
import io.mutune.trainer.noise.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A mean of the private rows among a sweep's feature maps: released once, charged, and then taken
 * from every row.
 *
 * @param position how many of the other maps come before it
 * @param epsilon of the release alone, at the study's δ
 * @param clipNorm R, to which a row is clipped for the mean
 * @param features of a row there
 */
public record MeanStep(int position, Epsilon epsilon, ClipNorm clipNorm, int features) {
  /** The {@code type} of a sweep's feature. */
  public static final String TYPE = "private-mean";

  /** How the mean is taken, with the noise that its ε asks for. */
  public PrivateMean mean(Budget budget, long rows, Optional<Grid> grid) {
    Optional<SumRounding> rounding = grid.map(g -> new SumRounding(g, features, 1));
    double unrounded = budget.adjacency().sumSensitivity();
    double sensitivity =
        rounding.map(sum -> sum.sensitivity(budget.adjacency(), clipNorm)).orElse(unrounded);
    NoiseMultiplier sigma =
        Calibration.noise(GaussianDp.ofBudget(epsilon, budget.delta()).mu(), sensitivity, 1);
    return new PrivateMean(clipNorm, sigma, budget.adjacency(), rows, rounding);
  }

  /** What it is charged as. */
  public Gaussian mechanism(SweepDefinition sweep) {
    return mean(sweep.budget(), sweep.rows(), sweep.run().noise().grid()).mechanism();
  }

  /** Where nothing is known of the rows yet, or a crash lost the mean. */
  public double[] nothing() {
    return new double[features];
  }

  /** The maps before it. */
  public FeaturePipeline before(FeaturePipeline others) {
    return new FeaturePipeline(others.maps().subList(0, position));
  }

  /** What comes from it on. */
  public FeaturePipeline from(FeaturePipeline others, double[] mean) {
    List<FeatureMap> maps = new ArrayList<>(List.of(Centre.of(mean)));
    maps.addAll(others.maps().subList(position, others.maps().size()));
    return new FeaturePipeline(maps);
  }

  /** All maps, with the mean in its place. */
  public FeaturePipeline in(FeaturePipeline others, double[] mean) {
    List<FeatureMap> maps = new ArrayList<>(before(others).maps());
    maps.addAll(from(others, mean).maps());
    return new FeaturePipeline(maps);
  }
}
