package io.mutune.example;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.gdp.Calibration;
import io.mutune.accountant.ledger.Budget;
import io.mutune.accountant.ledger.Charge;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.L2Normalize;
import io.mutune.trainer.feature.Scale;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.CsvLayout;
import io.mutune.trainer.format.DataFormat;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.RowRange;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.Run;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.descent.NoisyGd;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.SecureNoise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

final class PrivateTraining {
  private PrivateTraining() {}

  /** One (1, 1e-5)-DP model of 1300 private digits; its charge is on disk before a row is read. */
  static LinearModel digits(Path csv, Path ledger, StepJournal journal) throws IOException {
    RowRange range = new RowRange(1, 1300);
    FeaturePipeline unit = FeaturePipeline.of(new Scale(0, 16), new L2Normalize());
    DataSpec spec =
        new DataSpec(
            csv, null, DataFormat.CSV, CsvLayout.standard(), ClassLabels.of(10), 64, range);
    NoiseMultiplier sigma = Calibration.noise(Epsilon.of(1), Delta.of(1e-5), 1, 100);
    ClipNorm clip = ClipNorm.of(0.5);
    Budget budget = new Budget(Epsilon.of(1), Delta.of(1e-5), Adjacency.ADD_REMOVE);
    Training method =
        new NoisyGd(clip, 0.9, true)
            .training(
                new Problem(new SoftmaxLoss(), 10, budget, 1300),
                new Run(2, 100, sigma),
                PublicInputs.NONE);
    Charge charge = new Charge("final", method.mechanism());
    Files.writeString(
        ledger, charge + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    PrivateRows rows = new PrivateData(spec, 1300, unit, null).rows(() -> charge);
    AttemptStreams streams = new AttemptStreams("digits", 1, 1);
    TrainingAttempt attempt =
        TrainingAttempt.fresh(Engine.KERNEL, new SecureNoise(), streams, journal);
    return method.train(() -> charge, rows, attempt).linear();
  }
}
