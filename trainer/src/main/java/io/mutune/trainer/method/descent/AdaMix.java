package io.mutune.trainer.method.descent;

import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.ClippedSum;
import io.mutune.trainer.gradient.LeadingDirections;
import io.mutune.trainer.gradient.PublicGradients;
import io.mutune.trainer.kernel.EuclideanNorm;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Need;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * AdaMix, Algorithm 2 of Golatkar et al., <i>Mixed Differential Privacy in Computer Vision</i>
 * (CVPR 2022): noisy gradient descent from a model of the public rows, which at every step also say
 * where to clip, along which directions to ask, and where the public gradient points.
 *
 * <pre>
 *   τ ← quantile of ‖∇ℓ_pub(w)‖      U ← leading P directions of G_pub(w) = Σ∇ℓ_pub(w)
 *   G̃ ← Uᵀ Σ clip_τ(∇ℓ(w)) + N(0, σ²τ²), one draw for each of its P × columns numbers
 *   w ← w − η (G_pub + U·G̃ + λ'w) / (τN)     λ' = min(λ, τN/‖w‖)
 * </pre>
 *
 * <p>The paper's step is along the sum, η(G_pub + …); dividing by the public N makes it one of
 * means as elsewhere here, and dividing by τ makes the learning rate independent of how small
 * gradients have become: the noise that T steps leave in a logit of a row of unit norm is ηT/((1 −
 * β)μN) as for NoisyGD with C = 1. Where public rows are fitted well τ is so small that λw/(τN)
 * would be longer than w and turn it round; it is at most 1 long, as a mean of clipped gradients
 * is. τ and U depend on public rows and released weights alone, so σ is relative to τ and the
 * charge is T Gaussian releases. The paper keeps 2000 of 2048 directions, though G_pub has no more
 * than one a class: the basis is completed beyond its rank ({@link LeadingDirections}).
 *
 * @param clip how τ is chosen
 * @param momentum β, in [0, 1); the paper has none
 * @param directions P, at least 1 and at most the number of features; empty for all, unprojected
 * @param publicGradient whether G_pub is part of the step
 * @param weightDecay λ, beside the sum of the rows' losses; finite and at least 0; 0.01 in the
 *     paper
 */
public record AdaMix(
    ClipRule clip,
    double momentum,
    OptionalInt directions,
    boolean publicGradient,
    double weightDecay,
    Start start)
    implements DescentMethod {
  private static final Setting<Double> CLIP_QUANTILE =
      Setting.number("clipQuantile", NumberRule.INSIDE_UNIT, "of the public gradients' norms")
          .usually(0.9)
          .orSearched();
  private static final Setting<Long> DIRECTIONS = Setting.count("directions", 1, 1 << 20, "");
  private static final Setting<Boolean> PUBLIC_GRADIENT =
      Setting.flag("publicGradient", "").usually(true);
  private static final Setting<Double> WEIGHT_DECAY = NoisyGd.WEIGHT_DECAY.usually(0.01);

  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "adamix",
          List.<Setting<?>>of(
              CLIP_QUANTILE,
              SharedSettings.CLIP_NORM,
              DIRECTIONS,
              NoisyGd.MOMENTUM.usually(0.0),
              PUBLIC_GRADIENT,
              WEIGHT_DECAY,
              Start.FromPublicRows.PRETRAINING,
              Start.FromLabelNames.SECTION,
              Start.SETTING),
          AdaMix::read);

  public AdaMix {
    Require.momentum(momentum);
    directions.ifPresent(p -> Require.that(p >= 1, "number of directions", p));
    Require.that(weightDecay >= 0 && Double.isFinite(weightDecay), "weight decay", weightDecay);
  }

  private static AdaMix read(MethodSettings given) {
    double quantile = given.get(CLIP_QUANTILE);
    Optional<Double> fixed = given.find(SharedSettings.CLIP_NORM);
    if (given.has(CLIP_QUANTILE) && given.has(SharedSettings.CLIP_NORM)) {
      given.broken(
          SharedSettings.CLIP_NORM, "and clipQuantile choose the same number twice", "both given");
    }
    Optional<Long> directions = given.find(DIRECTIONS);
    return new AdaMix(
        fixed
            .<ClipRule>map(norm -> new ClipRule.Fixed(ClipNorm.of(norm)))
            .orElseGet(() -> new ClipRule.Quantile(quantile)),
        given.get(NoisyGd.MOMENTUM.usually(0.0)),
        directions.map(p -> OptionalInt.of(p.intValue())).orElse(OptionalInt.empty()),
        given.get(PUBLIC_GRADIENT),
        given.get(WEIGHT_DECAY),
        given.startFromPublicRows());
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.PUBLIC_ROWS);
  }

  @Override
  public Searched searched() {
    return Searched.RADIUS;
  }

  @Override
  public boolean sumsGradients() {
    return true;
  }

  @Override
  public Set<String> searchable() {
    return clip instanceof ClipRule.Quantile ? TYPE.searchable() : Set.of(WEIGHT_DECAY.key());
  }

  @Override
  public AdaMix with(Map<String, Double> chosen) {
    Double quantile = chosen.get(CLIP_QUANTILE.key());
    return new AdaMix(
        quantile == null ? clip : new ClipRule.Quantile(quantile),
        momentum,
        directions,
        publicGradient,
        chosen.getOrDefault(WEIGHT_DECAY.key(), weightDecay),
        start);
  }

  /** T sums of norm at most τ a row, in units of τ. */
  @Override
  public Gaussian mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return new Gaussian(sigma, problem.adjacency().sumSensitivity(), steps);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if there are no public rows, a label is no class, a class has
   *     no row, the start or the projection has another width, or τ is 0 at the start
   */
  @Override
  public void check(Problem problem, PublicInputs inputs) {
    PublicRows rows = inputs.requiredRows(problem.classes());
    int features = rows.blocks().columns();
    features(inputs).ifPresent(needed -> StartWeights.checkFeatures(features, needed));
    directions.ifPresent(p -> Require.that(p <= features, "number of directions", p));
    double[] first = StartWeights.of(inputs.start(), features, problem.columns());
    double[] norms =
        publicGradients(problem, rows)
            .compute(first, new double[features * problem.columns()])
            .clone();
    if (clip instanceof ClipRule.Quantile quantile && quantile.of(norms) == 0) {
      throw new IllegalArgumentException(
          "the public rows' gradients are 0 at the start, and with them the clip norm");
    }
  }

  /** The width of the start, or of the public rows where training starts from zero. */
  @Override
  public OptionalInt features(PublicInputs inputs) {
    return OptionalInt.of(
        inputs
            .start()
            .map(LinearModel::features)
            .orElseGet(() -> inputs.requiredRows().blocks().columns()));
  }

  /**
   * λ', what λ is at some weights.
   *
   * @param scale τN
   */
  double weightDecay(double[] weights, double scale) {
    return Math.min(weightDecay, scale / EuclideanNorm.of(weights));
  }

  /** U at a public gradient; empty where nothing is projected. */
  Optional<LeadingDirections> basis(double[] publicSum, int columns) {
    return directions.isPresent()
        ? Optional.of(
            LeadingDirections.of(
                publicSum, publicSum.length / columns, columns, directions.getAsInt()))
        : Optional.empty();
  }

  static PublicGradients publicGradients(Problem problem, PublicRows rows) {
    return new PublicGradients(rows, problem.loss(), problem.classes());
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    return new Momentum(run.learningRate(), momentum, false);
  }

  @Override
  public StepQuery query(
      Problem problem, Run run, PublicInputs inputs, PrivateRows rows, TrainingAttempt attempt) {
    // Every sum has a clip norm of its own; this one is never used.
    ClippedSum sum = attempt.engine().open(rows, problem.loss(), problem.classes(), ClipNorm.of(1));
    return new AdaMixQuery(
        this, problem, run.sigma(), sum, publicGradients(problem, inputs.requiredRows()), attempt);
  }

  @Override
  public Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] first) {
    return Optional.of(new AdaMixVelocity(this, problem, inputs.requiredRows()));
  }
}
