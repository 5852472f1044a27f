package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.Charge;
import io.mutune.testing.SharedFolder;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Problem;
import io.mutune.trainer.model.SoftmaxLoss;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.score.PublicAccuracy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * By hand: AdaMix, its variants and its baselines on MNIST's raw pixels of unit norm, with 900
 * private rows and 10 public ones a class as in AdaMix's comparison; prints the mean and the
 * standard deviation of the test error over 5 draws of the rows, and each, for each ν (or those
 * given as arguments). The learning rate of every method follows from ν (the deviation that noise
 * gives a logit), the same for all; nothing is chosen by test error.
 *
 * <pre>
 *   mvn -o -q -pl trainer -am test-compile
 *   java -cp … io.mutune.trainer.method.MnistComparison
 * </pre>
 */
final class MnistComparison {
  private static final int SEEDS = 5;
  private static final int PRIVATE_ROWS = 900;
  private static final int PUBLIC_A_CLASS = 10;
  private static final int CLASSES = 10;
  private static final int FEATURES = 784;
  private static final int STEPS = 100;
  private static final Delta DELTA = Delta.of(1e-5);
  private static final double[] NUS = {0.1, 0.25, 0.5, 1};

  private static final PublicTraining PRETRAINING = publicTraining(1e-3);
  private static final PublicTraining PARAGON = publicTraining(1e-3);

  private MnistComparison() {}

  private record Split(PrivateRows privateRows, RowBlocks sameRows, PublicRows publicRows) {}

  private interface Trainer {
    LinearModel train(Split split, int seed);
  }

  private static PublicTraining publicTraining(double weightDecay) {
    return new PublicTraining(
        new PublicTraining.Settings(new SoftmaxLoss(), CLASSES, weightDecay, 1e-4, 5000));
  }

  public static void main(String[] args) throws Exception {
    PublicRows test = mnist("t10k");
    List<Split> splits = splits(mnist("train").blocks());
    print("only public", test, splits, (s, seed) -> pretrained(s));
    for (double weightDecay : new double[] {0.1, 0.01, 1e-4}) {
      PublicTraining training = publicTraining(weightDecay);
      print(
          "only public, λ = " + weightDecay,
          test,
          splits,
          (s, seed) -> training.train(s.publicRows(), Engine.REFERENCE).model());
    }
    print(
        "not private",
        test,
        splits,
        (s, seed) -> PARAGON.train(new PublicRows(s.sameRows()), Engine.ND4J).model());
    double[] nus =
        args.length == 0 ? NUS : Arrays.stream(args).mapToDouble(Double::parseDouble).toArray();
    for (double epsilon : new double[] {1, 3}) {
      Mu mu = GaussianDp.ofBudget(Epsilon.of(epsilon), DELTA).mu();
      for (double nu : nus) {
        String at = String.format(Locale.ROOT, "ε = %.0f, ν = %.2f, ", epsilon, nu);
        print(at + "fully private", test, splits, (s, seed) -> fullyPrivate(s, seed, mu, nu));
        ClipRule quantile = new ClipRule.Quantile(0.9);
        ClipRule one = new ClipRule.Fixed(ClipNorm.of(1));
        OptionalInt all = OptionalInt.empty();
        print(at + "AdaMix", test, splits, (s, seed) -> adaMix(s, seed, mu, nu, quantile, all));
        print(at + "AdaMix, τ = 1", test, splits, (s, seed) -> adaMix(s, seed, mu, nu, one, all));
        print(
            at + "AdaMix, P = 9",
            test,
            splits,
            (s, seed) -> adaMix(s, seed, mu, nu, quantile, OptionalInt.of(9)));
        print(
            at + "AdaMix, P = 700",
            test,
            splits,
            (s, seed) -> adaMix(s, seed, mu, nu, quantile, OptionalInt.of(700)));
      }
    }
  }

  private static void print(String name, PublicRows test, List<Split> splits, Trainer trainer)
      throws Exception {
    double[] errors = new double[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      errors[seed] = 1 - PublicAccuracy.of(trainer.train(splits.get(seed), seed), test);
    }
    double mean = Arrays.stream(errors).average().orElseThrow();
    double squares = Arrays.stream(errors).map(e -> (e - mean) * (e - mean)).sum();
    System.out.printf(
        Locale.ROOT,
        "%-32s %.4f ± %.4f  %s%n",
        name,
        mean,
        Math.sqrt(squares / (SEEDS - 1)),
        Arrays.stream(errors)
            .mapToObj(e -> String.format(Locale.ROOT, "%.4f", e))
            .collect(Collectors.joining(" ")));
  }

  private static LinearModel pretrained(Split split) {
    return PRETRAINING.train(split.publicRows(), Engine.REFERENCE).model();
  }

  private static LinearModel fullyPrivate(Split split, int seed, Mu mu, double nu) {
    double momentum = 0.9;
    return train(
        new NoisyGd(
            new NoisyGd.Settings(
                nu * (1 - momentum) * mu.value() * PRIVATE_ROWS / STEPS,
                STEPS,
                momentum,
                true,
                ClipNorm.of(1),
                sigma(mu),
                Adjacency.ADD_REMOVE,
                PRIVATE_ROWS,
                new SoftmaxLoss(),
                CLASSES)),
        split,
        seed);
  }

  private static LinearModel adaMix(
      Split split, int seed, Mu mu, double nu, ClipRule clip, OptionalInt directions) {
    AdaMix.Settings settings =
        new AdaMix.Settings(
            nu * mu.value() * PRIVATE_ROWS / STEPS,
            STEPS,
            0,
            clip,
            directions,
            true,
            0.01,
            sigma(mu),
            Adjacency.ADD_REMOVE,
            PRIVATE_ROWS,
            new SoftmaxLoss(),
            CLASSES);
    return train(new AdaMix(settings, split.publicRows(), pretrained(split)), split, seed);
  }

  private static NoiseMultiplier sigma(Mu mu) {
    return Calibration.noise(mu, 1, STEPS);
  }

  private static LinearModel train(TrainingMethod method, Split split, int seed) {
    TrainingRun run =
        TrainingRun.fresh(
            Engine.ND4J,
            new SecureNoise(),
            new AttemptStreams("comparison", seed, 1),
            new RecordingJournal());
    return method.train(
        () -> new Charge("comparison", method.mechanism()), split.privateRows(), run);
  }

  private static PublicRows mnist(String part) throws Exception {
    DataSpec spec =
        new DataSpec(
            SharedFolder.file("data/mnist-" + part + "-images-idx3-ubyte.gz"),
            SharedFolder.file("data/mnist-" + part + "-labels-idx1-ubyte.gz"),
            DataFormat.IDX,
            CsvLayout.standard(),
            ClassLabels.of(CLASSES),
            FEATURES,
            null);
    return new PublicData(spec, FeaturePipeline.of(new Scale(0, 255), new L2Normalize())).rows();
  }

  /** Each draws its own rows: 10 public ones a class, and 900 private ones apart from them. */
  private static List<Split> splits(RowBlocks train) {
    List<float[]> rows = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (RowBlocks.Block block : train.blocks()) {
      for (int i = 0; i < block.rows(); i++) {
        rows.add(Arrays.copyOfRange(block.features(), i * FEATURES, (i + 1) * FEATURES));
        labels.add(block.labels()[i]);
      }
    }
    List<Split> splits = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
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
    return Problem.blocks(values, indices.stream().mapToInt(labels::get).toArray());
  }
}
