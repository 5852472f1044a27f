package io.mutune.trainer.method.descent;

import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Noisy gradient descent over all rows: Algorithm 1 of Panda et al., <i>A New Linear Scaling Rule
 * for Private Adaptive Hyperparameter Optimization</i> (ICML 2024), from zero weights.
 *
 * <pre>
 *   g ← (Σ clip_C(∇ℓ(w)) + N(0, σ²C²I)) / N      v ← βv + g      w ← w − ηv
 * </pre>
 *
 * <p>The paper divides by the number of rows, which is private under add/remove; N here is the
 * public one. The <i>free step</i> is one more w ← w − ηv at the end, which reads no row.
 *
 * <p>With a {@link Restraint} and a start it is Algorithm 1 of AdaMix (Golatkar et al., CVPR 2022)
 * as well, in the same units: AdaMix steps along the sum, so its η_t is η/N here. From zero,
 * without public rows, it is what that paper calls <i>fully private</i>.
 *
 * @param name noisy-gd, or fully-private as AdaMix calls it
 * @param gradient of all rows
 * @param momentum β, in [0, 1)
 * @param freeStep whether to end with a step without a gradient
 */
public record NoisyGd(
    String name,
    NoisyGradient gradient,
    double momentum,
    boolean freeStep,
    Restraint restraint,
    Start start)
    implements GradientMethod {
  /** The usual momentum. */
  static final Setting<Double> MOMENTUM =
      Setting.number("momentum", NumberRule.BELOW_ONE, "").usually(0.9);

  /** Whether to end with a step without a gradient. */
  static final Setting<Boolean> FREE_STEP = Setting.flag("freeStep", "").usually(true);

  static final Setting<Double> WEIGHT_DECAY =
      Setting.number("weightDecay", NumberRule.NOT_NEGATIVE, "beside the sum of the losses")
          .usually(0.0)
          .orSearched();
  private static final Setting<Double> RADIUS =
      Setting.number("projectionRadius", NumberRule.HYPERPARAMETER, "").orSearched();
  private static final Setting<String> TOWARDS = Setting.word("decayTowards", "", "zero", "start");
  private static final Setting<String> SCHEDULE =
      Setting.word("schedule", "", "constant", "inverse");
  private static final Setting<Boolean> AVERAGING = Setting.flag("averaging", "").usually(false);

  /** The method by its name and settings in sweeps. */
  public static final MethodType TYPE = type("noisy-gd");

  /** Noisy gradient descent under the name that AdaMix's paper gives it. */
  static final MethodType FULLY_PRIVATE = type("fully-private");

  public NoisyGd {
    Require.momentum(momentum);
    Require.that(gradient.samplingRate() == 1, "sampling rate", gradient.samplingRate());
    if (freeStep && restraint.averaged()) {
      throw new IllegalArgumentException("an average of the weights leaves no free step to take");
    }
  }

  /** The descent of linear scaling: from zero weights, without a restraint. */
  public NoisyGd(ClipNorm clipNorm, double momentum, boolean freeStep) {
    this(
        TYPE.name(),
        NoisyGradient.ofAllRows(clipNorm),
        momentum,
        freeStep,
        Restraint.NONE,
        Start.zero());
  }

  private static MethodType type(String name) {
    return new MethodType(
        name,
        List.of(
            WEIGHT_DECAY,
            RADIUS,
            TOWARDS,
            SCHEDULE,
            AVERAGING,
            FREE_STEP,
            SharedSettings.CLIP_NORM.orSearched(),
            MOMENTUM,
            Start.FromLabelNames.SECTION,
            Start.SETTING),
        given -> read(name, given));
  }

  private static NoisyGd read(String name, MethodSettings given) {
    double weightDecay = given.get(WEIGHT_DECAY);
    double radius = given.find(RADIUS).orElse(Double.POSITIVE_INFINITY);
    boolean towardsStart = given.get(TOWARDS).equals("start");
    Restraint.Schedule schedule =
        given.get(SCHEDULE).equals("inverse")
            ? Restraint.Schedule.INVERSE
            : Restraint.Schedule.CONSTANT;
    boolean averaged = given.get(AVERAGING);
    boolean freeStep = given.get(FREE_STEP.usually(!averaged));
    if (averaged && freeStep) {
      given.broken(FREE_STEP, "must be false with averaging: it leaves no free step to take");
      freeStep = false;
    }
    return new NoisyGd(
        name,
        NoisyGradient.ofAllRows(SharedSettings.readClipNorm(given)),
        given.get(MOMENTUM),
        freeStep,
        new Restraint(weightDecay, towardsStart, radius, schedule, averaged),
        given.start());
  }

  @Override
  public MethodType type() {
    return name.equals(FULLY_PRIVATE.name()) ? FULLY_PRIVATE : TYPE;
  }

  @Override
  public TrainingMethod withGradient(NoisyGradient other) {
    return new NoisyGd(name, other, momentum, freeStep, restraint, start);
  }

  @Override
  public NoisyGd with(Map<String, Double> chosen) {
    Restraint chosenRestraint =
        new Restraint(
            chosen.getOrDefault(WEIGHT_DECAY.key(), restraint.weightDecay()),
            restraint.towardsStart(),
            chosen.getOrDefault(RADIUS.key(), restraint.radius()),
            restraint.schedule(),
            restraint.averaged());
    return new NoisyGd(name, gradient.with(chosen), momentum, freeStep, chosenRestraint, start);
  }

  @Override
  public Searched searched() {
    return Searched.RADIUS;
  }

  @Override
  public boolean trainsOnSamples() {
    return true;
  }

  @Override
  public void check(Problem problem, PublicInputs inputs) {
    inputs.start().ifPresent(model -> StartWeights.checkWithin(model, restraint.radius()));
  }

  @Override
  public UpdateRule rule(Problem problem, Run run, double[] first) {
    Momentum plain = new Momentum(run.learningRate(), momentum, freeStep);
    return restraint.equals(Restraint.NONE)
        ? plain
        : new RestrainedMomentum(plain, restraint, first, problem.publicRows(), run.steps());
  }

  @Override
  public Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] first) {
    long rows = problem.publicRows();
    return Optional.of(
        new Velocity.OfMeans(
            momentum,
            gradient.clipNorm(),
            rows,
            1,
            restraint.weightDecay() / rows,
            restraint.towardsStart() ? first : new double[0]));
  }
}
