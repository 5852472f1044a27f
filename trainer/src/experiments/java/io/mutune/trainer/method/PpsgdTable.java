package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.ApproximateDp;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.accountant.mechanism.Mechanism;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.renyi.RenyiDp;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.HingeLoss;
import io.mutune.trainer.model.HuberHingeLoss;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.SquaredLoss;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.score.PublicAccuracy;
import io.mutune.trainer.score.UnsuitableRowsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Table 2 of PPSGD (Wang and Zhou 2020) on Adult and MAGIC: mean test accuracy over random splits,
 * with its standard error, of every method at (ε, 1e-5) for replaced rows. Every charge is held
 * against the budget before a model is trained. Arguments: the data folder, the number of splits,
 * and on how many of them the methods beside the first two are run.
 */
public final class PpsgdTable {
  private static final List<Double> EPSILONS = List.of(0.1, 0.5);

  private final int splits;
  private final int compared;

  private PpsgdTable(int splits, int compared) {
    this.splits = splits;
    this.compared = compared;
  }

  /** Prints the table in Markdown. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    PpsgdTable table = new PpsgdTable(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    boolean headed = false;
    for (TableData data : List.of(TableData.adult(folder), TableData.magic(folder))) {
      for (Loss loss : List.of(new HingeLoss(), new SquaredLoss(SquaredLoss.USUAL_BOUND, false))) {
        for (double epsilon : EPSILONS) {
          Map<String, double[]> cell = table.cell(data, loss, Epsilon.of(epsilon));
          if (!headed) {
            print("| data, loss, ε | " + String.join(" | ", cell.keySet()) + " |");
            print("| --- |" + " --- |".repeat(cell.size()));
            headed = true;
          }
          print(row(data.name() + ", " + loss.key() + ", " + epsilon, cell));
        }
      }
    }
  }

  private static void print(String line) {
    System.out.println(line);
  }

  private static String row(String name, Map<String, double[]> cell) {
    StringBuilder row = new StringBuilder("| " + name + " |");
    for (double[] accuracies : cell.values()) {
      double mean = 0;
      for (double accuracy : accuracies) {
        mean += accuracy / accuracies.length;
      }
      double squares = 0;
      for (double accuracy : accuracies) {
        squares += (accuracy - mean) * (accuracy - mean);
      }
      int count = accuracies.length;
      double error = count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1) / count);
      row.append(String.format(Locale.ROOT, " %.4f ± %.4f |", mean, error));
    }
    return row.toString();
  }

  private Map<String, double[]> cell(TableData data, Loss loss, Epsilon epsilon) {
    Map<String, double[]> cell = new LinkedHashMap<>();
    TableData quadratic = data.quadratic();
    for (int number = 0; number < splits; number++) {
      Trial trial = new Trial(number, data.split(number), loss, epsilon, cell);
      Trial onProducts = new Trial(number, quadratic.split(number), loss, epsilon, cell);
      LinearModel withProducts = onProducts.add("ν = 1, products", onProducts.methods.fixedNu());
      if (!data.hasFewFeatures()) {
        trial.add("ν = 1", withProducts);
      } else {
        trial.add("ν = 1", trial.methods.fixedNu());
      }
      if (number >= compared) {
        continue;
      }
      PublicRows shown = trial.split.shown();
      trial.add("PPSGD", trial.methods.ppsgd(shown));
      trial.add("PPGD", trial.methods.ppgd(shown));
      trial.add("SgdAdv", trial.methods.sgdAdv());
      LinearModel agd = trial.add("Agd", trial.methods.agd());
      trial.add("OutPert", trial.methods.outputPerturbation());
      trial.add("ObjPert", trial.methods.objectivePerturbation());
      trial.add("PNSGD", trial.methods.pnsgd(shown));
      LinearModel onlyPublic = notPrivate(shown, loss);
      trial.add("AgdAvg", mean(agd, onlyPublic));
      trial.add("OnlyPub", onlyPublic);
      trial.add("NonPriv", notPrivate(new PublicRows(trial.split.hidden().blocks()), loss));
    }
    return cell;
  }

  private static LinearModel mean(LinearModel one, LinearModel other) {
    double[] weights = one.weights();
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (weights[i] + other.weights()[i]) / 2;
    }
    return new LinearModel(one.features(), one.columns(), weights);
  }

  /** Without noise; the hinge as its Huberised form, whose minimum can be found. */
  private static LinearModel notPrivate(PublicRows rows, Loss loss) {
    Loss smooth =
        loss instanceof HingeLoss ? new HuberHingeLoss(HuberHingeLoss.USUAL_WIDTH) : loss;
    PublicTraining training =
        new PublicTraining(new PublicTraining.Settings(smooth, 2, 1e-4, 1e-3, 200));
    return training.train(rows, Engine.ND4J).model();
  }

  /** One split at one budget. */
  private static final class Trial {
    private final int number;
    private final TableData.Split split;
    private final Epsilon epsilon;
    private final TableMethods methods;
    private final Map<String, double[]> cell;

    Trial(
        int number,
        TableData.Split split,
        Loss loss,
        Epsilon epsilon,
        Map<String, double[]> cell) {
      this.number = number;
      this.split = split;
      this.epsilon = epsilon;
      this.methods =
          new TableMethods(epsilon, loss, Math.toIntExact(split.hidden().blocks().rows()));
      this.cell = cell;
    }

    LinearModel add(String name, Training method) {
      requireWithin(method.mechanism(), epsilon);
      TrainingRun run =
          TrainingRun.fresh(
              Engine.ND4J,
              new SeededNoise(1000 + number),
              new AttemptStreams(name, 1, 1),
              new Unstored());
      PrivateRows hidden = split.hidden();
      return add(
          name, method.train(() -> new Charge(name, method.mechanism()), hidden, run).linear());
    }

    LinearModel add(String name, LinearModel model) {
      try {
        double[] accuracies = cell.getOrDefault(name, new double[0]);
        accuracies = Arrays.copyOf(accuracies, accuracies.length + 1);
        accuracies[accuracies.length - 1] = PublicAccuracy.of(model, split.test());
        cell.put(name, accuracies);
        return model;
      } catch (UnsuitableRowsException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void requireWithin(Mechanism mechanism, Epsilon budget) {
    double epsilon;
    if (mechanism instanceof Gaussian gaussian) {
      epsilon =
          GaussianDp.of(gaussian.mu().orElseThrow()).epsilon(TableMethods.DELTA).value();
    } else if (mechanism instanceof ApproximateDp approximate
        && approximate.count() == 1
        && approximate.delta().value() <= TableMethods.DELTA.value()) {
      epsilon = approximate.epsilon().value();
    } else {
      epsilon =
          RenyiDp.of(mechanism, Adjacency.REPLACE_ONE).epsilon(TableMethods.DELTA).value();
    }
    if (epsilon > budget.value()) {
      throw new IllegalStateException(mechanism + " costs " + epsilon + " of " + budget);
    }
  }

  /** The experiment is not resumed. */
  private record Unstored() implements StepJournal {
    @Override
    public void begin(int firstStep, int lastStep) {}

    @Override
    public void checkpoint(Iterate iterate) {}
  }
}
