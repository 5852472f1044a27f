package io.mutune.trainer.method;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.renyi.TruncatedConcentratedDp;
import io.mutune.trainer.model.ClipNorm;
import io.mutune.trainer.model.HuberHingeLoss;
import io.mutune.trainer.model.LogisticLoss;
import io.mutune.trainer.model.Loss;
import io.mutune.trainer.model.SquaredLoss;
import java.util.Optional;

/** The methods that have no fixed answer a step, on {@link BinaryProblem}. */
final class ClassicMethods {
  static final long ROWS = 300;
  static final int SHOWN = 20;
  static final Loss LOGISTIC = new LogisticLoss();

  private ClassicMethods() {}

  static Adaptation adaptation(double rho, Optional<Double> reuse) {
    return new Adaptation(
        0.5,
        rho,
        ClipNorm.of(0.8),
        10,
        0.3,
        3,
        0.3,
        0.01,
        reuse,
        new SquaredLoss(2, false),
        2,
        Optional.empty());
  }

  static Ppsgd ppsgd() {
    return new Ppsgd(
        new Ppsgd.Settings(
            adaptation(2.1e-4, Optional.of(0.5)),
            TruncatedConcentratedDp.of(0.02, 20),
            15,
            Adjacency.REPLACE_ONE,
            ROWS),
        BinaryProblem.publicRows(SHOWN));
  }

  static Ppgd ppgd(Adjacency adjacency) {
    return new Ppgd(
        new Ppgd.Settings(adaptation(0.002, Optional.empty()), Mu.of(0.4), adjacency, ROWS),
        BinaryProblem.publicRows(SHOWN));
  }

  static Agd agd(Adjacency adjacency) {
    return new Agd(
        new Agd.Settings(
            0.5,
            0.02,
            0.01,
            0.5,
            ClipNorm.of(0.8),
            3,
            10,
            1,
            0.1,
            3,
            0.01,
            adjacency,
            ROWS,
            LOGISTIC,
            2));
  }

  static OutputPerturbation outputPerturbation(
      Adjacency adjacency, OutputPerturbation.Noise noise) {
    return new OutputPerturbation(
        new OutputPerturbation.Settings(
            0.05, 1e-4, noise, adjacency, ROWS, new HuberHingeLoss(0.5), 2));
  }

  static OutputPerturbation outputPerturbation(Adjacency adjacency) {
    return outputPerturbation(
        adjacency, new OutputPerturbation.Noise.Normal(NoiseMultiplier.of(2)));
  }

  static ObjectivePerturbation objectivePerturbation(Adjacency adjacency) {
    return new ObjectivePerturbation(
        new ObjectivePerturbation.Settings(
            Epsilon.of(1), Delta.of(1e-4), 0.05, 1e-5, adjacency, ROWS, LOGISTIC, 2));
  }

  static Pnsgd pnsgd(int passes) {
    return new Pnsgd(
        new Pnsgd.Settings(
            0.5,
            0,
            NoiseMultiplier.of(3),
            passes,
            Adjacency.REPLACE_ONE,
            ROWS,
            new SquaredLoss(2, false),
            2),
        BinaryProblem.publicRows(SHOWN));
  }

  static Pate pate() {
    return new Pate(
        new Pate.Settings(
            12, 8, NoiseMultiplier.of(3), NoiseMultiplier.of(2), 10, 0.01, ROWS, LOGISTIC, 2),
        BinaryProblem.publicRows(SHOWN));
  }
}
