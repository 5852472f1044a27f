package io.mutune.trainer.method;

import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.setting.NumberRule;
import io.mutune.trainer.setting.Setting;
import io.mutune.trainer.setting.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which weights runs start from; public, all of them. */
public sealed interface Start {
  /** In a sweep: {@link FromPublicRows}. */
  String PUBLIC_ROWS = "public-rows";

  /** In a sweep: {@link FromLabelNames}. */
  String LABEL_NAMES = "label-names";

  /** The setting in a sweep. */
  Setting<String> SETTING =
      new Setting<>(
          "start",
          new Setting.Values.Texts(),
          Optional.of("zero"),
          "zero, public-rows (adamix), label-names (where rows are texts), or an npz file with the"
              + " array weights",
          false);

  /** Whether a value of the setting is one of its words, and so no file. */
  static boolean isWord(String value) {
    return List.of(SETTING.usual().orElseThrow(), PUBLIC_ROWS, LABEL_NAMES).contains(value);
  }

  /** All zero. */
  static Start zero() {
    return new Zero();
  }

  /** The file that is read, where there is one. */
  default Optional<Path> file() {
    return Optional.empty();
  }

  /** All zero. */
  record Zero() implements Start {}

  /**
   * The array {@code weights} [features, columns] of an npz file that is declared public, such as a
   * text encoder's or an earlier study's.
   */
  record FromFile(Path path) implements Start {
    @Override
    public Optional<Path> file() {
      return Optional.of(path);
    }
  }

  /**
   * What training on the public rows alone gives.
   *
   * @param weightDecay λ beside the mean of the losses
   * @param tolerance relative to the gradient at the start
   */
  record FromPublicRows(double weightDecay, double tolerance, int maxSteps) implements Start {
    private static final Setting<Double> WEIGHT_DECAY =
        Setting.number("weightDecay", NumberRule.NOT_NEGATIVE, "").usually(0.0);
    private static final Setting<Double> TOLERANCE =
        Setting.number("tolerance", NumberRule.halfOpen(1e-12, 1), "of the first gradient's norm")
            .usually(1e-6);
    private static final Setting<Long> MAX_STEPS =
        Setting.count("maxSteps", 1, 1_000_000, "").usually(1000L);

    /** The settings in a sweep. */
    public static final List<Setting<?>> SETTINGS = List.of(WEIGHT_DECAY, TOLERANCE, MAX_STEPS);

    /** How to train on the public rows, in a sweep whose runs start from what that gives. */
    public static final Setting<String> PRETRAINING =
        new Setting<>(
            "pretraining",
            new Setting.Values.Section(SETTINGS),
            Optional.empty(),
            "start: public-rows",
            false);

    /** Reads the settings. */
    public static FromPublicRows read(SettingsReader settings) {
      return new FromPublicRows(
          settings.get(WEIGHT_DECAY), settings.get(TOLERANCE), settings.getInt(MAX_STEPS));
    }

    /** How to train them. */
    public PublicTraining.Settings settings(Loss loss, int classes) {
      return new PublicTraining.Settings(loss, classes, weightDecay, tolerance, maxSteps);
    }
  }

  /**
   * What the encoder of the rows' texts makes of a text for each class (AdaMix, section 3.3).
   *
   * @param texts one for each class, in their order; none for the names of the classes
   * @param scale β, the norm of each class's weights
   */
  record FromLabelNames(List<String> texts, double scale) implements Start {
    private static final Setting<List<String>> TEXTS =
        Setting.texts("texts", 2, 10_000, "one for each class, in their order; else their names");
    private static final Setting<Double> SCALE =
        Setting.number("scale", NumberRule.HYPERPARAMETER, "the norm of each class's weights")
            .usually(100.0);

    /** How the weights are made, in a sweep whose runs start from label names. */
    public static final Setting<String> SECTION =
        new Setting<>(
            "labelNames",
            new Setting.Values.Section(List.of(TEXTS, SCALE)),
            Optional.empty(),
            "start: label-names",
            false);

    public FromLabelNames {
      texts = List.copyOf(texts);
    }

    /** Reads the settings. */
    public static FromLabelNames read(SettingsReader settings) {
      return new FromLabelNames(settings.find(TEXTS).orElse(List.of()), settings.get(SCALE));
    }
  }
}
