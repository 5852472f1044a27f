package io.mutune.trainer.method.descent;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.MethodSettings;
import io.mutune.trainer.method.MethodType;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Require;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.Searched;
import io.mutune.trainer.method.SharedSettings;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.Velocity;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Any trainer that sums clipped gradients of all rows, or of Poisson samples, and adds Gaussian
 * noise to each sum: a program of somebody else's. It is charged as the {@link NoisyGradient} that
 * it says it asks for; that it asks for no more is its word.
 *
 * @param descends whether it moves by the learning rate times the noisy sum over the public number
 *     of rows that are expected in it, as {@link DpSgd} does: then a radius means what it means
 *     there
 * @param momentum β of that
 * @param settings its own, as the sweep has them
 */
public record External(
    TrainerCommand command,
    NoisyGradient gradient,
    boolean descends,
    double momentum,
    Map<String, String> settings)
    implements TrainingMethod {
  private static final String GAUSSIAN = "gaussian";

  /** What the keys of its own settings begin with, where they are searched. */
  private static final String OWN = "settings.";

  private static final String SAMPLED = "sampled-gaussian";

  private static final Setting<String> TRAINER =
      Setting.text("trainer", "one that the card of the data set names");

  private static final Setting<String> KIND = Setting.word("type", "", GAUSSIAN, SAMPLED);
  private static final Setting<Double> RATE =
      Setting.number(NoisyGradient.SAMPLING_RATE.key(), NumberRule.SHARE, "");

  private static final Setting<String> MECHANISM =
      new Setting<>(
          "mechanism",
          new Setting.Values.Section(List.of(KIND, RATE, SharedSettings.CLIP_NORM)),
          Optional.empty(),
          "what a step asks of the rows, and is charged for",
          false);

  private static final Setting<Boolean> DESCENDS =
      Setting.flag("descends", "whether it moves as dp-sgd does, so that a radius says as much")
          .usually(false);

  private static final Setting<Map<String, String>> SETTINGS =
      Setting.textMap("settings", "its own, which it is told");

  /** The method by its name and settings in sweeps. */
  static final MethodType TYPE =
      new MethodType(
          "external",
          List.of(
              TRAINER,
              TrainerCommand.COMMAND,
              MECHANISM,
              DESCENDS,
              NoisyGd.MOMENTUM,
              SETTINGS,
              TrainerCommand.ENVIRONMENT,
              TrainerCommand.SILENCE),
          External::read);

  public External {
    Require.momentum(momentum);
    settings = Map.copyOf(settings);
  }

  private static External read(MethodSettings given) {
    NoisyGradient gradient = given.within(MECHANISM, External::readMechanism);
    boolean descends = given.get(DESCENDS);
    double momentum = given.get(NoisyGd.MOMENTUM);
    if (!descends && given.has(NoisyGd.MOMENTUM)) {
      given.broken(NoisyGd.MOMENTUM, "is for descends: true; else it is one of the settings");
    }
    Map<String, String> settings = given.find(SETTINGS).orElse(Map.of());
    TrainerCommand command =
        given.has(TRAINER)
            ? registered(given)
            : TrainerCommand.read(given, Optional.empty(), given.folder());
    return new External(command, gradient, descends, descends ? momentum : 0, settings);
  }

  /** Its card says how it is started; who names it chooses none of that. */
  private static TrainerCommand registered(MethodSettings given) {
    for (Setting<?> own : TrainerCommand.SETTINGS) {
      if (given.has(own)) {
        given.broken(own, "is for a program of the sweep's own; trainer names one of the card's");
      }
    }
    Optional<String> name = given.find(TRAINER);
    Optional<TrainerCommand> known = name.flatMap(given::trainer);
    if (name.isPresent() && known.isEmpty()) {
      given.broken(
          TRAINER,
          "must name a trainer that the card of the data set has (mutune data show)",
          name.get());
    }
    return known.orElseGet(
        () -> new TrainerCommand(name, List.of("-"), given.folder(), Map.of(), Duration.ZERO));
  }

  private static NoisyGradient readMechanism(SettingsReader given) {
    boolean sampled =
        given
            .require(KIND, "say which: gaussian or sampled-gaussian")
            .orElse(GAUSSIAN)
            .equals(SAMPLED);
    double rate = sampled ? given.require(RATE, "a sampled-gaussian needs it").orElse(1.0) : 1;
    if (!sampled && given.has(RATE)) {
      given.broken(RATE, "is for the type sampled-gaussian");
    }
    return NoisyGradient.ofSamples(SharedSettings.readClipNorm(given), rate);
  }

  @Override
  public MethodType type() {
    return TYPE;
  }

  @Override
  public Mechanism mechanism(NoiseMultiplier sigma, Problem problem, int steps) {
    return gradient.mechanism(sigma, problem.adjacency(), steps);
  }

  @Override
  public Training training(Problem problem, Run run, PublicInputs inputs) {
    return new ExternalTraining(this, problem, run);
  }

  @Override
  public Searched searched() {
    return descends ? Searched.RADIUS : Searched.LEARNING_RATE;
  }

  @Override
  public double stepUnit() {
    return descends ? gradient.clipNorm().value() : 1;
  }

  @Override
  public double sensitivity(Adjacency adjacency) {
    return gradient.sensitivity(adjacency);
  }

  @Override
  public double samplingRate() {
    return gradient.samplingRate();
  }

  /** Any of its own settings that is a number. */
  @Override
  public boolean isSearchable(String key) {
    return key.startsWith(OWN);
  }

  @Override
  public TrainingMethod with(Map<String, Double> chosen) {
    Map<String, String> together = new HashMap<>(settings);
    chosen.forEach((key, value) -> together.put(key.substring(OWN.length()), value.toString()));
    return new External(command, gradient, descends, momentum, together);
  }

  @Override
  public boolean isExternal() {
    return true;
  }

  /** The velocity of momentum along the means of samples, as in {@link DpSgd}. */
  @Override
  public Optional<Velocity> velocity(Problem problem, PublicInputs inputs, double[] start) {
    return descends ? Optional.of(gradient.velocity(problem, momentum, 1)) : Optional.empty();
  }

  @Override
  public Optional<List<Iterate>> opened(List<Iterate> iterates) {
    return ExternalTraining.opened(iterates);
  }

  @Override
  public TrainedModel stored(double[] weights, int columns) {
    return ModelFile.of(weights, columns, command);
  }

  @Override
  public String released() {
    return "the final model and every checkpoint before it, as the trainer wrote them";
  }

  @Override
  public List<String> unseen() {
    return List.of(
        "the trainer, a program of its own ("
            + command.shown()
            + "): that it clips what a row adds to C = "
            + gradient.clipNorm().value()
            + ", whichever other rows there are, takes "
            + (samplingRate() < 1 ? "its samples with the stated chance" : "all rows")
            + ", adds the stated noise to each sum, draws it anew for each, and writes nothing"
            + " into its checkpoints and its model but what follows from these sums is its word",
        "that the trainer says the same of a row whichever other rows it is asked about, as every"
            + " noisy count takes for granted: its word too",
        "that the trainer fails, or how long it takes: both may follow from rows");
  }
}
