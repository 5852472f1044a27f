package io.mutune.trainer.method;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.empirical.RocCurve;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.trainer.attack.KnownRows;
import io.mutune.trainer.attack.LossAttack;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.SoftmaxLoss;
import io.mutune.trainer.score.PublicAccuracy;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * AdaMix's Figure 1 (right) in shape, on MNIST: the area under the curve of a threshold on the loss,
 * private rows against test rows, beside the test error, for the methods of {@link AdaMixTable} at
 * several ε. Arguments as there; the learning rate follows from ν = 0.5 for all.
 */
public final class AdaMixFigure {
  private static final double NU = 0.5;
  private static final double[] EPSILONS = {0.5, 1, 2, 3, 5, 10};

  private final AdaMixTable rows;
  private final KnownRows test;

  private AdaMixFigure(AdaMixTable rows) {
    this.rows = rows;
    this.test = KnownRows.of(rows.test);
  }

  private interface Trainer {
    LinearModel train(AdaMixTable.Split split, int seed);
  }

  /** Prints the figure's points in Markdown. */
  public static void main(String[] arguments) throws IOException {
    AdaMixFigure figure = new AdaMixFigure(AdaMixTable.of(arguments));
    System.out.println("| method, ε | test error | AUC |");
    System.out.println("| --- | --- | --- |");
    figure.print("only public, 0", (split, seed) -> AdaMixTable.pretrained(split));
    ClipRule quantile = new ClipRule.Quantile(0.9);
    ClipRule one = new ClipRule.Fixed(ClipNorm.of(1));
    OptionalInt all = OptionalInt.empty();
    for (double epsilon : EPSILONS) {
      Mu mu = GaussianDp.ofBudget(Epsilon.of(epsilon), AdaMixTable.DELTA).mu();
      figure.print(
          "NoisyGD, " + epsilon, (split, seed) -> AdaMixTable.fullyPrivate(split, seed, mu, NU));
      figure.print(
          "AdaMix, " + epsilon,
          (split, seed) -> AdaMixTable.adaMix(split, seed, mu, NU, quantile, all));
      figure.print(
          "AdaMix with τ = 1, " + epsilon,
          (split, seed) -> AdaMixTable.adaMix(split, seed, mu, NU, one, all));
    }
    figure.print("not private, ∞", (split, seed) -> AdaMixTable.paragon(split));
  }

  private void print(String name, Trainer trainer) {
    LinearModel[] models =
        IntStream.range(0, rows.splits.size())
            .mapToObj(seed -> trainer.train(rows.splits.get(seed), seed))
            .toArray(LinearModel[]::new);
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s |%n",
        name,
        shown(seed -> error(models[seed])),
        shown(seed -> area(models[seed], rows.splits.get(seed))));
  }

  private double error(LinearModel model) {
    try {
      return 1 - PublicAccuracy.of(model, rows.test);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private double area(LinearModel model, AdaMixTable.Split split) {
    KnownRows members = KnownRows.of(new PublicRows(split.sameRows()));
    return RocCurve.of(
            LossAttack.scores(model, members, new SoftmaxLoss()),
            LossAttack.scores(model, test, new SoftmaxLoss()))
        .area();
  }

  /** Mean and standard deviation over the draws. */
  private String shown(ToDoubleFunction<Integer> figure) {
    double[] values =
        IntStream.range(0, rows.splits.size()).mapToDouble(figure::applyAsDouble).toArray();
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return String.format(
        Locale.ROOT, "%.4f ± %.4f", mean, Math.sqrt(squares / Math.max(1, values.length - 1)));
  }
}
