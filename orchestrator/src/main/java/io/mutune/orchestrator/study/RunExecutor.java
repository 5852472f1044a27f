package io.mutune.orchestrator.study;

import io.mutune.accountant.Mu;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.ledger.ReservedCharge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.store.TrialRecord;
import io.mutune.orchestrator.store.TrialState;
import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.NoiseRule;
import io.mutune.orchestrator.sweep.OpenTraining;
import io.mutune.orchestrator.sweep.ScoreRule;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.method.Iterate;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.method.TrainingRun;
import io.mutune.trainer.model.ClippedSums;
import io.mutune.trainer.model.Engine;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.Lockstep;
import io.mutune.trainer.model.RowCosts;
import io.mutune.trainer.model.RowSample;
import io.mutune.trainer.model.SampledRows;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.GridNoise;
import io.mutune.trainer.noise.NoiseSource;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.RowOrders;
import io.mutune.trainer.noise.SecureNoise;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.UniformStream;
import io.mutune.trainer.score.NoisyCorrectCount;
import io.mutune.trainer.score.PublicAccuracy;
import io.mutune.trainer.score.UnsuitableRowsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Trains, scores and tests the runs of one study, each from wherever it stands. The door between
 * the orchestrator and the trainer: charges go in, released values come out and are durable at
 * once.
 */
final class RunExecutor {
  /**
   * A run goes on from a checkpoint and never asks a step twice, so all its starts are one attempt
   * at one charge.
   */
  private static final int ATTEMPT = 1;

  /** In place of a trial's number, in the streams of the private mean. */
  private static final int MEAN = -1;

  private static final String TRAINING = "data.private";
  private static final String VALIDATION = "data.validation";
  private static final String TEST = "data.test";

  private static final Pattern PARALLEL = Pattern.compile("parallelTrials *: *\\d+");

  /** For runs that are not gone on with. */
  private static final StepJournal NO_JOURNAL =
      new StepJournal() {
        @Override
        public void begin(int firstStep, int lastStep) {
          // Their steps are secret, and one charge covers them all.
        }

        @Override
        public void checkpoint(Iterate iterate) {
          // Likewise.
        }
      };

  private final StudyStore store;
  private final Study study;
  private final RunEnvironment environment;
  private final Ledger ledger;
  private StudyData data;
  private FeaturePipeline features;
  private final NoiseSource noise;
  private final ClippedSums engine;
  private final String streams;
  private final RowCosts rowCosts = new RowCosts();
  private @Nullable MethodMaker methods;
  private volatile boolean stopped;

  RunExecutor(StudyStore store, Study study, RunEnvironment environment, StudyData data) {
    this.store = store;
    this.study = study;
    this.environment = environment;
    this.ledger = new Ledger(store, study);
    this.data = data;
    this.features = study.sweep().features();
    if (study.sweep().noise() instanceof NoiseRule.Seeded seeded) {
      // The same sweep repeats bit for bit in every study of it; another text draws other noise,
      // except that how many trials run at once changes no question.
      noise =
          seeded
              .grid()
              .<NoiseSource>map(grid -> GridNoise.seeded(grid, seeded.seed()))
              .orElseGet(() -> new SeededNoise(seeded.seed()));
      engine = inDouble().sums(RowOrders.seeded(seeded.seed()));
      streams = PARALLEL.matcher(study.record().definition()).replaceAll("parallelTrials:");
    } else {
      noise =
          study
              .sweep()
              .noise()
              .grid()
              .<NoiseSource>map(GridNoise::secure)
              .orElseGet(SecureNoise::new);
      engine = inDouble().sums(RowOrders.secret());
      streams = study.id();
    }
  }

  /** The figures of single rows are for gradients in double. */
  private Engine inDouble() {
    boolean watched = study.sweep().perInstance().isPresent();
    return watched && environment.engine() == Engine.KERNEL ? Engine.ND4J : environment.engine();
  }

  /** Makes every run stop within a step, and none start. */
  void stop() {
    stopped = true;
  }

  /** For a run that shares no pass. */
  ClippedSums engine() {
    return engine;
  }

  /** For trials that share their passes: all are over the same rows, with the same loss. */
  Lockstep lockstep(int trials) {
    return new Lockstep(engine, trials);
  }

  /**
   * Reads and checks what is public, before the first charge, and releases the private mean if the
   * sweep has one: what is public goes through it too.
   *
   * @throws IOException if it cannot be read, or does not suit the sweep
   */
  void prepare() throws IOException {
    checkRowCostsFile();
    methods = MethodMaker.of(study.plan(), data);
    Optional<MeanStep> step = study.sweep().mean();
    if (step.isPresent()) {
      refuseIfStopped();
      double[] mean =
          new MeanRelease(store, study, environment.listener())
              .of(
                  step.get(),
                  data.beforeMean(),
                  noise,
                  new AttemptStreams(streams, MEAN, ATTEMPT).step(1));
      data = data.with(mean);
      features = step.get().in(study.sweep().features(), mean);
      methods = MethodMaker.of(study.plan(), data);
    }
  }

  private void checkRowCostsFile() throws IOException {
    Optional<Path> file = study.sweep().perInstance();
    if (file.isPresent()) {
      RowCostsFile.check(file.get(), study.sweep(), study.record().output());
    }
  }

  /** All maps that a row goes through. */
  FeaturePipeline features() {
    return features;
  }

  /**
   * The method of a run, before it is charged.
   *
   * @param sigma the noise that the plan has for it
   * @param charge that the plan has for it
   */
  TrainingMethod method(TrialPoint point, NoiseMultiplier sigma, Charge charge) {
    return method(point, sigma, charge, study.sweep().rows());
  }

  /**
   * The same of a run on a sample.
   *
   * @param rows the public number of rows that it takes its own to be
   */
  TrainingMethod method(TrialPoint point, NoiseMultiplier sigma, Charge charge, long rows) {
    MethodMaker maker = Objects.requireNonNull(methods, "prepare() comes first");
    TrainingMethod method = maker.make(point, sigma, rows);
    if (!method.mechanism().equals(charge.mechanism())) {
      throw new IllegalStateException(
          "the plan charges '%s' as %s but it would run as %s"
              .formatted(charge.what(), charge.mechanism(), method.mechanism()));
    }
    return method;
  }

  /**
   * Trains a run to its end, or gives the model that an earlier start released.
   *
   * @param number of the trial, or {@link TrialRecord#FINAL}
   * @param sums {@link #engine}, or a member of a {@link #lockstep}
   */
  LinearModel train(int number, TrainingMethod method, ReservedCharge proof, ClippedSums sums)
      throws IOException {
    refuseIfStopped();
    TrialRecord before = store.trial(study.id(), number);
    if (before.state() == TrialState.PLANNED) {
      ledger.move(number, TrialState.CHARGED);
    }
    boolean trained = before.state().isTrained();
    TrialRecord run = trained ? before : store.start(study.id(), number);
    String name = proof.charge().what();
    TrainingRun surroundings =
        new TrainingRun(
            watched(sums, proof),
            noise,
            new AttemptStreams(streams, number, ATTEMPT),
            new StoreJournal(number, run.starts()),
            run.checkpoint(),
            run.stepsBegun(),
            this::stopping,
            step -> environment.listener().step(name, step, method.steps()));
    try {
      LinearModel model = method.train(proof, data.training().rows(proof), surroundings);
      if (!trained) {
        ledger.move(number, TrialState.TRAINED);
      }
      return model;
    } catch (TrainingCancelled e) {
      throw new StudyInterruptedException();
    }
  }

  /** Sums in double, where somebody looks at what each row adds to them. */
  private ClippedSums watched(ClippedSums sums, ReservedCharge proof) {
    Number sigma = proof.charge().mechanism().parameters().get("sigma");
    return study.sweep().perInstance().isPresent() && sigma != null
        ? rowCosts.watching(sums, NoiseMultiplier.of(sigma.doubleValue()))
        : sums;
  }

  /**
   * Writes what each training row has cost, if the sweep names a file for it.
   *
   * @param charges of the study; those on other rows than the training rows are left out
   * @param proof any charge for the training rows
   */
  void writeRowCosts(List<Charge> charges, ReservedCharge proof) throws IOException {
    Optional<Path> file = study.sweep().perInstance();
    if (file.isEmpty()) {
      return;
    }
    checkRowCostsFile(); // what was checked at the start may have been replaced by a link since
    boolean scoresCount =
        study.sweep().score() instanceof ScoreRule.NoisyCount count && count.onTraining();
    double squares = 0;
    for (Charge charge : charges) {
      boolean ofTraining = scoresCount || !study.plan().isScore(charge);
      if (ofTraining && !charge.equals(study.plan().testCharge().orElse(null))) {
        double mu = charge.mechanism().mu().orElseThrow().value();
        squares += mu * mu;
      }
    }
    // Up by more than the sum and the root round.
    Mu charged = Mu.of(Math.sqrt(squares) * (1 + 1e-12));
    rowCosts.write(
        file.get(), data.training().rows(proof), charged, study.sweep().budget().delta());
  }

  /** The model of a method that is not charged. */
  LinearModel trainOpenly() throws IOException {
    refuseIfStopped();
    return new OpenTrainer(study.sweep(), data)
        .train(
            (OpenTraining) study.sweep().train().method(), environment.listener(), this::stopping);
  }

  /** Bits that draw what random stopping keeps to itself. */
  UniformStream secretBits() {
    return noise.bits(
        new AttemptStreams(streams, TrialRecord.FINAL, ATTEMPT).step(1, Purpose.SAMPLE));
  }

  /**
   * The rows of a run of which nothing is told: all of them, or a sample that is this run's own.
   *
   * @param rate the chance of each row, 1 for all
   */
  PrivateRows secretRows(int number, ReservedCharge proof, double rate) throws IOException {
    PrivateRows rows = data.training().rows(proof);
    if (rate == 1) {
      return rows;
    }
    UniformStream bits =
        noise.bits(new AttemptStreams(streams, number, ATTEMPT).step(1, Purpose.SAMPLE));
    return SampledRows.of(rows, RowSample.poisson(rate, bits));
  }

  /** Trains a run of which nothing is told or written down. */
  LinearModel trainSecretly(
      int number, TrainingMethod method, ReservedCharge proof, PrivateRows rows, ClippedSums sums) {
    refuseIfStopped();
    TrainingRun surroundings =
        TrainingRun.fresh(sums, noise, new AttemptStreams(streams, number, ATTEMPT), NO_JOURNAL)
            .watched(this::stopping, step -> {});
    try {
      return method.train(proof, rows, surroundings);
    } catch (TrainingCancelled e) {
      throw new StudyInterruptedException();
    }
  }

  /**
   * The score of such a run.
   *
   * @param proof where private rows are read for it
   * @param rows that it was trained on
   */
  double scoreSecretly(
      int number, LinearModel model, Optional<? extends ReservedCharge> proof, PrivateRows rows)
      throws IOException {
    if (proof.isEmpty()) {
      return accuracy(VALIDATION, model, data.publicValidation());
    }
    ScoreRule.NoisyCount rule = (ScoreRule.NoisyCount) study.sweep().score();
    return rule.onTraining()
        ? counted(proof.get(), number, TRAINING, rows, study.plan().runRows(), model)
        : counted(
            proof.get(),
            number,
            VALIDATION,
            data.privateValidation().orElseThrow().rows(proof.get()),
            rows(study.sweep().validation()),
            model);
  }

  /** Releases the score of a trained trial, unless a crash lost the one that was charged. */
  void score(PlannedTrial trial, LinearModel model) throws IOException {
    ScoreRule rule = study.sweep().score();
    if (rule instanceof ScoreRule.PublicValidation) {
      ledger.score(trial.number(), accuracy(VALIDATION, model, data.publicValidation()));
    } else if (rule instanceof ScoreRule.Uncharged) {
      ledger.score(trial.number(), accuracy(TRAINING, model, data.openTraining()));
    } else if (rule instanceof ScoreRule.NoisyCount count) {
      Charge charge = study.plan().scoreCharge(trial).orElseThrow();
      PrivateData counted =
          count.onTraining() ? data.training() : data.privateValidation().orElseThrow();
      long rows = count.onTraining() ? study.sweep().rows() : rows(study.sweep().validation());
      String part = count.onTraining() ? TRAINING : VALIDATION;
      OptionalDouble score = noisyScore(charge, trial.number(), part, counted, rows, model);
      if (score.isPresent()) {
        ledger.score(trial.number(), score.getAsDouble());
      } else {
        environment.listener().note(charge.what() + " was lost in a crash and is left out");
        ledger.move(trial.number(), TrialState.UNSCORED);
      }
    }
  }

  /** The final model's accuracy on the test rows; empty if there are none, or a crash lost it. */
  OptionalDouble test(LinearModel model) throws IOException {
    OptionalDouble known = store.study(study.id()).orElseThrow().testAccuracy();
    if (known.isPresent()) {
      return known;
    }
    Optional<Charge> charge = study.plan().testCharge();
    OptionalDouble accuracy;
    if (charge.isPresent()) {
      long rows = rows(study.sweep().test());
      PrivateData rowsOfTest = data.privateTest().orElseThrow();
      accuracy = noisyScore(charge.get(), TrialRecord.FINAL, TEST, rowsOfTest, rows, model);
    } else {
      Optional<PublicRows> rows = data.publicTest();
      accuracy =
          rows.isPresent()
              ? OptionalDouble.of(accuracy(TEST, model, rows.get()))
              : OptionalDouble.empty();
    }
    if (accuracy.isPresent()) {
      store.test(study.id(), accuracy.getAsDouble());
    }
    return accuracy;
  }

  /** A charged noisy accuracy; empty if its charge was spent by an earlier start. */
  private OptionalDouble noisyScore(
      Charge charge, int number, String part, PrivateData rows, long publicRows, LinearModel model)
      throws IOException {
    if (store.charge(study.id(), charge.what()).isPresent()) {
      return OptionalDouble.empty();
    }
    ReservedCharge proof = ledger.reservedAnew(charge);
    return OptionalDouble.of(counted(proof, number, part, rows.rows(proof), publicRows, model));
  }

  private double counted(
      ReservedCharge proof,
      int number,
      String part,
      PrivateRows rows,
      long publicRows,
      LinearModel model)
      throws IOException {
    NoisyCorrectCount count =
        new NoisyCorrectCount(((Gaussian) proof.charge().mechanism()).sigma(), publicRows);
    AttemptStreams attempt = new AttemptStreams(streams, number, ATTEMPT);
    try {
      return count.score(proof, rows, model, noise.stream(attempt.score()));
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    }
  }

  private static double accuracy(String part, LinearModel model, PublicRows rows)
      throws IOException {
    try {
      return PublicAccuracy.of(model, rows);
    } catch (UnsuitableRowsException e) {
      throw new IOException(part + ": " + e.getMessage(), e);
    }
  }

  /** Before a charge, and before what is charged. */
  void refuseIfStopped() {
    if (stopping()) {
      throw new StudyInterruptedException();
    }
  }

  private boolean stopping() {
    return stopped || environment.cancelled().getAsBoolean();
  }

  private static long rows(Optional<DataSource> source) {
    return source.orElseThrow().rows().orElseThrow();
  }

  /** Keeps the steps of one start of one run. */
  private final class StoreJournal implements StepJournal {
    private final int number;
    private final int start;

    StoreJournal(int number, int start) {
      this.number = number;
      this.start = start;
    }

    @Override
    public void begin(int firstStep, int lastStep) {
      store.beginSteps(study.id(), number, start, firstStep, lastStep);
    }

    @Override
    public void checkpoint(Iterate iterate) {
      store.checkpoint(study.id(), number, start, iterate);
    }
  }
}
