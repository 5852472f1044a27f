package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.Hog;
import io.mutune.trainer.feature.Image;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.SoftmaxLoss;
import io.mutune.trainer.model.TestRows;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.score.PublicAccuracy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * AdaMix's Table 1 in shape, on MNIST: test error of AdaMix, its ablations and its baselines with
 * 900 private rows and 10 public ones a class, mean and standard deviation over draws of the rows.
 * The learning rate of every method follows from ν (the deviation that noise gives a logit), the
 * same for all, and each ν is a line; nothing is chosen by test error. Arguments: the data folder,
 * the number of draws, and the features, {@code hog} or {@code pixels}.
 */
public final class AdaMixTable {
  private static final int PRIVATE_ROWS = 900;
  private static final int PUBLIC_A_CLASS = 10;
  private static final int CLASSES = 10;
  private static final int PIXELS = 784;
  private static final int STEPS = 100;
  static final Delta DELTA = Delta.of(1e-5);
  private static final double[] NUS = {0.25, 0.5, 1};

  private static final FeatureMap[] HOG = {
    new Scale(0, 255), new Hog(new Image(28, 28, 1), 4, 8, 2), new L2Normalize()
  };
  private static final FeatureMap[] RAW = {new Scale(0, 255), new L2Normalize()};

  private static final PublicTraining PRETRAINING = publicTraining(1e-3);
  private static final PublicTraining PARAGON = publicTraining(1e-3);

  final PublicRows test;
  final List<Split> splits;

  private AdaMixTable(PublicRows test, List<Split> splits) {
    this.test = test;
    this.splits = splits;
  }

  record Split(PrivateRows privateRows, RowBlocks sameRows, PublicRows publicRows) {}

  private interface Trainer {
    LinearModel train(Split split, int seed);
  }

  private static PublicTraining publicTraining(double weightDecay) {
    return new PublicTraining(
        new PublicTraining.Settings(new SoftmaxLoss(), CLASSES, weightDecay, 1e-4, 5000));
  }

  /** Reads what the arguments name. */
  static AdaMixTable of(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    FeaturePipeline features =
        FeaturePipeline.of(arguments.length > 2 && arguments[2].equals("pixels") ? RAW : HOG);
    return new AdaMixTable(
        mnist(folder, "t10k", features),
        splits(mnist(folder, "train", features).blocks(), Integer.parseInt(arguments[1])));
  }

  /** Prints the table in Markdown. */
  public static void main(String[] arguments) throws IOException {
    AdaMixTable table = of(arguments);
    System.out.println("| ε, ν | method | test error |");
    System.out.println("| --- | --- | --- |");
    table.print("", "only public", (s, seed) -> pretrained(s));
    table.print("", "not private", (s, seed) -> paragon(s));
    ClipRule quantile = new ClipRule.Quantile(0.9);
    ClipRule one = new ClipRule.Fixed(ClipNorm.of(1));
    OptionalInt all = OptionalInt.empty();
    for (double epsilon : new double[] {1, 3}) {
      Mu mu = GaussianDp.ofBudget(Epsilon.of(epsilon), DELTA).mu();
      for (double nu : NUS) {
        String at = String.format(Locale.ROOT, "%.0f, %.2f", epsilon, nu);
        table.print(at, "fully private", (s, seed) -> fullyPrivate(s, seed, mu, nu));
        table.print(at, "AdaMix", (s, seed) -> adaMix(s, seed, mu, nu, quantile, all));
        table.print(at, "AdaMix, τ = 1", (s, seed) -> adaMix(s, seed, mu, nu, one, all));
        table.print(
            at, "AdaMix, P = 9", (s, seed) -> adaMix(s, seed, mu, nu, quantile, OptionalInt.of(9)));
      }
    }
  }

  private void print(String at, String name, Trainer trainer) throws IOException {
    double[] errors = new double[splits.size()];
    for (int seed = 0; seed < errors.length; seed++) {
      errors[seed] = 1 - PublicAccuracy.of(trainer.train(splits.get(seed), seed), test);
    }
    double mean = Arrays.stream(errors).average().orElseThrow();
    double squares = Arrays.stream(errors).map(e -> (e - mean) * (e - mean)).sum();
    double deviation = Math.sqrt(squares / Math.max(1, errors.length - 1));
    System.out.printf(Locale.ROOT, "| %s | %s | %.4f ± %.4f |%n", at, name, mean, deviation);
  }

  static LinearModel paragon(Split split) {
    return PARAGON.train(new PublicRows(split.sameRows()), Engine.ND4J).model();
  }

  static LinearModel pretrained(Split split) {
    return PRETRAINING.train(split.publicRows(), Engine.REFERENCE).model();
  }

  static LinearModel fullyPrivate(Split split, int seed, Mu mu, double nu) {
    double momentum = 0.9;
    double rate = nu * (1 - momentum) * mu.value() * PRIVATE_ROWS / STEPS;
    NoisyGd method = new NoisyGd(ClipNorm.of(1), momentum, true);
    return train(made(method, rate, mu, PublicInputs.NONE), split, seed);
  }

  static LinearModel adaMix(
      Split split, int seed, Mu mu, double nu, ClipRule clip, OptionalInt directions) {
    AdaMix method = new AdaMix(clip, 0, directions, true, 0.01, Start.zero());
    PublicInputs inputs =
        new PublicInputs(Optional.of(split.publicRows()), Optional.of(pretrained(split)));
    double rate = nu * mu.value() * PRIVATE_ROWS / STEPS;
    return train(made(method, rate, mu, inputs), split, seed);
  }

  private static Training made(TrainingMethod method, double rate, Mu mu, PublicInputs inputs) {
    return method.training(
        Fixture.problem(new SoftmaxLoss(), CLASSES, Adjacency.ADD_REMOVE, PRIVATE_ROWS),
        new Run(rate, STEPS, sigma(mu)),
        inputs);
  }

  private static NoiseMultiplier sigma(Mu mu) {
    return Calibration.noise(mu, 1, STEPS);
  }

  private static LinearModel train(Training method, Split split, int seed) {
    TrainingRun run =
        TrainingRun.fresh(
            Engine.ND4J,
            new SecureNoise(),
            new AttemptStreams("comparison", seed, 1),
            new RecordingJournal());
    return method
        .train(() -> new Charge("comparison", method.mechanism()), split.privateRows(), run)
        .linear();
  }

  private static PublicRows mnist(Path folder, String part, FeaturePipeline features)
      throws IOException {
    DataSpec spec =
        new DataSpec(
            folder.resolve("mnist-" + part + "-images-idx3-ubyte.gz"),
            folder.resolve("mnist-" + part + "-labels-idx1-ubyte.gz"),
            DataFormat.IDX,
            CsvLayout.standard(),
            ClassLabels.of(CLASSES),
            PIXELS,
            null);
    return new PublicData(spec, features).rows();
  }

  /** Each draws its own rows: 10 public ones a class, and 900 private ones apart from them. */
  private static List<Split> splits(RowBlocks train, int draws) {
    int columns = train.columns();
    List<float[]> rows = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (RowBlocks.Block block : train.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        rows.add(Arrays.copyOfRange(block.features(), i * columns, (i + 1) * columns));
        labels.add(block.labels()[i]);
      }
    }
    List<Split> splits = new ArrayList<>();
    for (int seed = 0; seed < draws; seed++) {
      splits.add(split(rows, labels, new SplittableRandom(seed)));
    }
    return splits;
  }

  private static Split split(List<float[]> rows, List<Integer> labels, SplittableRandom random) {
    int[] missing = new int[CLASSES];
    Arrays.fill(missing, PUBLIC_A_CLASS);
    List<Integer> publicIndices = new ArrayList<>();
    List<Integer> privateIndices = new ArrayList<>();
    boolean[] taken = new boolean[rows.size()];
    while (publicIndices.size() < PUBLIC_A_CLASS * CLASSES
        || privateIndices.size() < PRIVATE_ROWS) {
      int i = random.nextInt(rows.size());
      if (taken[i]) {
        continue;
      }
      if (missing[labels.get(i)] > 0) {
        missing[labels.get(i)]--;
        publicIndices.add(i);
        taken[i] = true;
      } else if (privateIndices.size() < PRIVATE_ROWS) {
        privateIndices.add(i);
        taken[i] = true;
      }
    }
    RowBlocks privateRows = picked(rows, labels, privateIndices);
    return new Split(
        new PrivateRows(privateRows),
        privateRows,
        new PublicRows(picked(rows, labels, publicIndices)));
  }

  private static RowBlocks picked(List<float[]> rows, List<Integer> labels, List<Integer> indices) {
    float[][] values = indices.stream().map(rows::get).toArray(float[][]::new);
    return TestRows.blocks(values, indices.stream().mapToInt(labels::get).toArray());
  }
}
