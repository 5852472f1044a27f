package io.mutune.trainer.method.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import io.mutune.accountant.Adjacency;
import io.mutune.accountant.NoiseMultiplier;
import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.testing.ShownCode;
import io.mutune.trainer.data.PrivateRows;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.data.RowBlocks;
import io.mutune.trainer.data.RowUnits;
import io.mutune.trainer.external.TrainerCommand;
import io.mutune.trainer.file.ScratchFile;
import io.mutune.trainer.gradient.ClipNorm;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.loss.SoftmaxLoss;
import io.mutune.trainer.method.Fixture;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.RecordingJournal;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.StepJournal;
import io.mutune.trainer.method.Training;
import io.mutune.trainer.method.TrainingAttempt;
import io.mutune.trainer.method.TrainingCancelled;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.score.Metric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A trainer that is a process of its own: {@link StubTrainer}. */
class ExternalTrainingTest {
  /** There is none of that name. */
  private static final TrainerCommand NO_PROGRAM =
      new TrainerCommand(
          Optional.empty(), List.of("no-such-program"), Path.of("."), Map.of(), Duration.ZERO);

  private static final String CLASSES =
      Path.of("target", "test-classes").toAbsolutePath().toString();

  /** Of the command line of the stubs that are started here, and of no other build's. */
  private static final String ALONE = "-cp " + CLASSES + " " + StubTrainer.class.getName();

  private static final int STEPS = 40;
  private static final double CLIP = 0.5;
  private static final int SILENCE = 8;
  private static final RowBlocks ROWS = Fixture.easyRows(60, 5);
  private static final PrivateRows PRIVATE = new PrivateRows(ROWS);

  /** One that falls silent is ended before long; a Java that starts on a busy machine is not. */
  private static External method(String manner, double rate) {
    return method(manner, rate, Duration.ofSeconds(manner.endsWith(":silent") ? SILENCE : 60));
  }

  private static External method(String manner, double rate, Duration silence) {
    return method(rate, silence, CLASSES, StubTrainer.class.getName(), manner);
  }

  private static External method(double rate, Duration silence, String classes, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes));
    command.addAll(List.of(words));
    return new External(
        new TrainerCommand(
            Optional.empty(), command, Path.of("").toAbsolutePath(), Map.of(), silence),
        NoisyGradient.ofSamples(ClipNorm.of(CLIP), rate),
        true,
        0.9,
        Map.of());
  }

  private static Training training(TrainingMethod method) {
    return method.training(
        Fixture.problem(Adjacency.ADD_REMOVE, 64), Fixture.run(0.5, STEPS, 2), PublicInputs.NONE);
  }

  private static TrainedModel train(TrainingMethod method, StepJournal journal) {
    Training training = training(method);
    return training.train(
        Fixture.charged(training), PRIVATE, Fixture.seeded(Engine.REFERENCE, journal));
  }

  private static Set<Path> logs() throws IOException {
    Path folder = ScratchFile.usualFolder().resolve("trainer-logs");
    if (!Files.isDirectory(folder)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return Set.copyOf(files.toList());
    }
  }

  /**
   * The same noise and samples on both sides, and the same margin below C. Sums in double differ by
   * their order alone: by some 1e-14 a step, of which forty steps make less than 1e-11.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1, 0.3})
  void withOneSourceOfNoise_theModelIsThatOfTheBuiltInMethod(double rate) {
    NoisyGradient gradient = NoisyGradient.ofSamples(ClipNorm.of(CLIP), rate);
    DpSgd builtIn = new DpSgd(gradient, 0.9, false, Start.zero());
    External external = method("honest", rate);
    assertThat(training(external).mechanism()).isEqualTo(training(builtIn).mechanism());

    double[] expected = train(builtIn, new RecordingJournal()).weights();
    ModelFile model = (ModelFile) train(external, new RecordingJournal());

    assertThat(StubArrays.doublesOf(model.content())).containsExactly(expected, within(1e-9));
    assertThat(Arrays.stream(expected).map(Math::abs).max().orElseThrow()).isGreaterThan(0.1);
  }

  /**
   * The example of the documentation, stopped after a checkpoint and started again: the built-in
   * method's model as above, and what it scores is counted as that.
   */
  @Test
  void aProgramInJava_goesOnFromItsCheckpoint_toTheModelOfTheBuiltInMethod() throws IOException {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Training training =
        training(method(0.3, Duration.ofSeconds(60), classes, "io.mutune.example.OwnTrainer"));
    RecordingJournal journal = new RecordingJournal();
    TrainingAttempt whole = Fixture.seeded(Engine.REFERENCE, journal);
    TrainingAttempt stopped =
        whole.watched(() -> journal.entries().contains("checkpoint 4"), s -> {});
    assertThatExceptionOfType(TrainingCancelled.class)
        .isThrownBy(() -> training.train(Fixture.charged(training), PRIVATE, stopped));

    TrainingAttempt rest = journal.resumed(whole);
    ModelFile model = (ModelFile) training.train(Fixture.charged(training), PRIVATE, rest);

    assertThat(journal.entries()).contains("begin 5-6");
    assertThat(journal.entries().stream().filter(e -> e.startsWith("begin")))
        .doesNotHaveDuplicates();
    NoisyGradient gradient = NoisyGradient.ofSamples(ClipNorm.of(CLIP), 0.3);
    TrainedModel builtIn =
        train(new DpSgd(gradient, 0.9, false, Start.zero()), new RecordingJournal());
    assertThat(StubArrays.doublesOf(model.content()))
        .containsExactly(builtIn.weights(), within(1e-9));
    PublicRows rows = new PublicRows(ROWS);
    TrainedModel.Evaluated<PublicRows> evaluated = model.on(rows);
    assertThat(Metric.ACCURACY.of(evaluated.model(), new SoftmaxLoss(), evaluated.rows()))
        .isEqualTo(Metric.ACCURACY.of(builtIn.linear(), new SoftmaxLoss(), rows));
  }

  @Test
  void theDocumentation_showsTheProgramInJava() throws IOException {
    String page = String.join("", ShownCode.in("docs/external-trainers.md"));
    assertThat(ShownCode.source("trainer/src/test/java/io/mutune/example/OwnTrainer.java"))
        .contains(page.replaceAll("(?m)^(?=.)", "  "));
    assertThat(page).contains("TrainerProgram.serve");
  }

  @Test
  void whatTheTrainerSaysOfRows_isCountedAsTheModelItself() throws IOException {
    ModelFile model = (ModelFile) train(method("honest", 1), new RecordingJournal());
    LinearModel same = new LinearModel(5, Fixture.CLASSES, StubArrays.doublesOf(model.content()));
    PublicRows rows = new PublicRows(ROWS);
    TrainedModel.Evaluated<PublicRows> evaluated = model.on(rows);
    assertThat(Metric.ACCURACY.of(evaluated.model(), new SoftmaxLoss(), evaluated.rows()))
        .isEqualTo(Metric.ACCURACY.of(same, new SoftmaxLoss(), rows));
  }

  @Test
  void steps_areNotedBeforeTheTrainerIsAnswered_andTheModelIsDurable() {
    RecordingJournal journal = new RecordingJournal();
    TrainedModel model = train(method("honest", 1), journal);
    // 40 steps are noted two at a time, and each second one has a checkpoint.
    assertThat(journal.entries()).startsWith("begin 1-2", "checkpoint 2", "begin 3-4");
    assertThat(journal.entries()).endsWith("begin 39-40", "checkpoint 40", "checkpoint 40");

    // What is trained is not trained again: no program of that name is there.
    External gone = new External(NO_PROGRAM, method("honest", 1).gradient(), true, 0.9, Map.of());
    Training training = training(gone);
    TrainingAttempt again = journal.resumed(Fixture.seeded());
    assertThat(training.train(Fixture.charged(training), PRIVATE, again).weights())
        .isEqualTo(model.weights());
  }

  /** Step 6 was begun and is lost; a checkpoint of step 4 is there. */
  @Test
  void aTrainerThatIsKilled_goesOnFromItsCheckpoint_andItsBegunStepsAreSpent() {
    RecordingJournal journal = new RecordingJournal();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> train(method("at-step:exit", 1), journal));
    assertThat(journal.entries()).endsWith("checkpoint 4", "begin 5-6");

    Training training = training(method("honest", 1));
    TrainingAttempt rest = journal.resumed(Fixture.seeded(Engine.REFERENCE, journal));
    assertThat(rest.stepsBegun()).isEqualTo(6);
    TrainedModel model = training.train(Fixture.charged(training), PRIVATE, rest);
    assertThat(journal.entries()).contains("begin 7-8").endsWith("checkpoint 40");
    assertThat(journal.entries().stream().filter("begin 5-6"::equals)).hasSize(1);
    assertThat(model.weights())
        .isNotEqualTo(train(method("honest", 1), new RecordingJournal()).weights());
  }

  /** A checkpoint in the middle of a block says that no later step was begun; so each is noted. */
  @Test
  void afterACheckpoint_everyStepIsNotedAgain() {
    RecordingJournal journal = new RecordingJournal();
    train(method("often", 1), journal);
    assertThat(journal.entries())
        .startsWith("begin 1-2", "checkpoint 1", "begin 2-3", "checkpoint 2", "begin 3-4");
  }

  @Test
  void aCancelledRun_endsAlsoIfNoCheckpointComes_andTakesItsProcessesWithIt() {
    RecordingJournal journal = new RecordingJournal();
    Training training = training(method("at-step:silent", 1, Duration.ofSeconds(60)));
    TrainingAttempt run =
        Fixture.seeded(Engine.REFERENCE, journal)
            .watched(() -> journal.entries().contains("begin 5-6"), step -> {});
    assertThatExceptionOfType(TrainingCancelled.class)
        .isThrownBy(() -> training.train(Fixture.charged(training), PRIVATE, run));
    requireNoStubs();
  }

  /** Steps that are noted and not kept would be spent for nothing. */
  @Test
  void aRunThatIsCancelledWithinABlock_waitsForItsCheckpoint() {
    RecordingJournal journal = new RecordingJournal();
    Training training = training(method("honest", 1));
    TrainingAttempt run =
        Fixture.seeded(Engine.REFERENCE, journal)
            .watched(() -> journal.entries().contains("begin 3-4"), step -> {});
    assertThatExceptionOfType(TrainingCancelled.class)
        .isThrownBy(() -> training.train(Fixture.charged(training), PRIVATE, run));
    assertThat(journal.entries()).endsWith("begin 3-4", "checkpoint 4");
    requireNoStubs();
  }

  @Test
  void aRunThatIsCancelledBeforeItsFirstStep_goesOnInTheSameProcess() {
    RecordingJournal journal = new RecordingJournal();
    Training silent = training(method("before-step:silent", 1, Duration.ofSeconds(60)));
    TrainingAttempt run = Fixture.seeded(Engine.REFERENCE, journal);
    assertThatExceptionOfType(TrainingCancelled.class)
        .isThrownBy(
            () ->
                silent.train(
                    Fixture.charged(silent),
                    PRIVATE,
                    run.watched(journal::isStartAsked, step -> {})));
    assertThat(journal.entries()).isEmpty();

    Training honest = training(method("honest", 1));
    honest.train(Fixture.charged(honest), PRIVATE, journal.resumed(run));
    assertThat(journal.entries()).startsWith("begin 1-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"less-noise", "more-steps", "other-type", "more-named", "other-protocol"})
  void anotherMechanismThanTheChargedOne_isRefusedBeforeARowIsHandedOver(String manner) {
    RecordingJournal journal = new RecordingJournal();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> train(method(manner, 1), journal))
        .withMessageContaining("was given no row")
        .withMessageMatching("[^\n]*");
    assertThat(journal.entries()).isEmpty();
  }

  /** Programs that say how far they are would fill a disk. */
  @Test
  void whatAProgramSaidThatEndedWell_isNotKept() throws IOException {
    Set<Path> before = logs();
    train(method("honest", 1), new RecordingJournal());
    assertThat(logs()).isEqualTo(before);
  }

  @Test
  void withoutTheRightCharge_noProgramIsStarted() throws IOException {
    Training training = training(method("honest", 1));
    Charge cheaper = new Charge("trial 1", new Gaussian(NoiseMultiplier.of(9), 1, STEPS));
    Set<Path> before = logs();
    assertThatIllegalStateException()
        .isThrownBy(() -> training.train(() -> cheaper, PRIVATE, Fixture.seeded()));
    assertThat(logs()).isEqualTo(before);
  }

  /** The program is given rows without their people. */
  @Test
  void forPeopleOfSeveralRows_noProgramIsStarted() throws IOException {
    Training training = training(method("honest", 1));
    PrivateRows ofOne = new PrivateRows(ROWS.withUnits(RowUnits.of(new int[60])));
    Set<Path> before = logs();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> training.train(Fixture.charged(training), ofOne, Fixture.seeded()))
        .withMessageContaining("cannot protect people of several rows");
    assertThat(logs()).isEqualTo(before);
  }

  /**
   * One clear line, in which nothing is of what the trainer said. One that asks ahead finds no
   * noise under the name of the step before, rather than that of the next, which it would add
   * twice.
   */
  @ParameterizedTest
  @CsvSource({
    "early:garbage, a line that is no message",
    "early:silent, said nothing for 8 s",
    "early:exit, has ended before it was told to",
    "at-step:exit, has ended before it was told to",
    "at-step:garbage, a line that is no message",
    "at-step:list, a line that is no message",
    "at-step:unknown, said what is not in the protocol",
    "at-step:long-line, a line of more than 1048576 bytes",
    "at-step:silent, said nothing for 8 s",
    "at-step:again, 'wants to begin another step than step 7 of 40'",
    "at-step:other-checkpoint, keeps another step than step 6",
    "at-step:model, has a model after step 6 of 40",
    "at-step:fork, has ended before it was told to",
    "before-step:checkpoint-none, 'keeps step 0 twice, or has not begun it'",
    "after-step:progress, tells of step 6 twice",
    "after-step:checkpoint, keeps step 6 twice",
    "ahead, said what is not in the protocol",
    "jumps, wants to begin another step than step 5 of 40",
    "no-model, wrote no model"
  })
  void aTrainerThatMisbehaves_isEndedWithOneClearLine(String manner, String line)
      throws IOException {
    Set<Path> before = logs();
    RecordingJournal journal = new RecordingJournal();
    External method = method(manner, 1);
    Throwable failure = null;
    try {
      train(method, journal);
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    }
    assertThat(failure).isInstanceOf(ModelFile.Failure.class).hasNoCause();
    assertThat(failure)
        .hasMessageContaining(line)
        .hasMessageMatching("train\\.command: the trainer [^\n]*, which is private")
        .hasMessageNotContaining(StubTrainer.PRIVATE);
    requireNoStubs();
    List<Path> mine = logs().stream().filter(log -> !before.contains(log)).toList();
    assertThat(mine).hasSize(1);
    assertThat(failure).hasMessageContaining(mine.get(0).toString());
    assertThat(mine.get(0)).content().contains(StubTrainer.PRIVATE, "Mutune: The trainer ");
    if (manner.equals("no-model")) {
      assertThat(failure).hasMessageNotContaining("there is none");
      assertThat(mine.get(0)).content().contains("bytes: there is none.");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mine.get(0))))
        .isEqualTo("rw-------");
    Files.delete(mine.get(0));
  }

  /** Its model is there, so it has done what it should. */
  @Test
  void aTrainerThatDoesNotEnd_isEndedAfterItsModel() {
    assertThat(train(method("stays", 1), new RecordingJournal()).weights()).isNotEmpty();
    requireNoStubs();
  }

  /** That it fails may follow from the rows, so it must not be seen in what is released. */
  @ParameterizedTest
  @ValueSource(strings = {"predict:exit", "predict:garbage", "predict:silent", "fewer-scores"})
  void ofPrivateRows_aScoreThatIsNotThereIsWrong(String manner) throws IOException {
    ModelFile model = (ModelFile) train(method(manner, 1), new RecordingJournal());
    AtomicInteger told = new AtomicInteger();
    TrainedModel.Evaluated<PrivateRows> evaluated = model.on(PRIVATE, told::incrementAndGet);
    assertThat(told).hasValue(1);
    assertThat(evaluated.rows().blocks().rows()).isEqualTo(60);
    assertThat(labels(evaluated.rows().blocks())).isEqualTo(labels(ROWS));
    assertThat(right(evaluated)).doesNotContain(true);
    assertThatExceptionOfType(ModelFile.Failure.class)
        .isThrownBy(() -> model.on(new PublicRows(ROWS)));
  }

  /** The log has it of any rows; the line of public ones alone. */
  @Test
  void scoresOfAnotherShape_areToldWithTheShape() throws IOException {
    ModelFile model = (ModelFile) train(method("fewer-scores", 1), new RecordingJournal());
    String told =
        "wrote no scores of the rows; scores.npy is an array of f4 [59, 3], and not of f4 or f8 [60, 3]";
    assertThatExceptionOfType(ModelFile.Failure.class)
        .isThrownBy(() -> model.on(new PublicRows(ROWS)))
        .withMessageContaining(told);
    Set<Path> before = logs();
    model.on(PRIVATE, () -> {});
    List<Path> mine = logs().stream().filter(log -> !before.contains(log)).toList();
    assertThat(mine).hasSize(1);
    assertThat(mine.get(0)).content().contains("Mutune: The trainer " + told + ".");
    Files.delete(mine.get(0));
  }

  @Test
  void scoresOfAModel_areNotWaitedForOnceAStudyIsToStop() {
    ModelFile model = (ModelFile) train(method("predict:hang", 1), new RecordingJournal());
    Runnable stop =
        () -> {
          throw new IllegalStateException("stopped");
        };

    assertThatIllegalStateException()
        .isThrownBy(
            () -> model.until(stop, Duration.ofMillis(300)).on(PRIVATE, () -> fail("it did not")))
        .withMessage("stopped");
    assertThatIllegalStateException()
        .isThrownBy(() -> model.until(stop, Duration.ofDays(1)).on(new PublicRows(ROWS)))
        .withMessage("stopped");
    requireNoStubs();
  }

  /** Else whether there is a score would tell that it failed. */
  @Test
  void aFailureAtPrivateRows_isNotSeenInAStop_andOneAtPublicRowsIs() throws IOException {
    ModelFile model = (ModelFile) train(method("predict:exit", 1), new RecordingJournal());
    ModelFile stopped =
        model.until(
            () -> {
              throw new IllegalStateException("stopped");
            },
            Duration.ofDays(1));
    AtomicInteger told = new AtomicInteger();

    assertThat(right(stopped.on(PRIVATE, told::incrementAndGet))).doesNotContain(true);
    assertThat(told).hasValue(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> stopped.on(new PublicRows(ROWS)))
        .withMessage("stopped");
  }

  @Test
  void ofPrivateRows_aScoreThatIsNoNumberIsWrong() throws IOException {
    ModelFile model = (ModelFile) train(method("no-numbers", 1), new RecordingJournal());
    Runnable never = () -> fail("it did not fail at all rows");
    List<Boolean> right = right(model.on(PRIVATE, never));
    for (int row = 0; row < right.size(); row += 2) {
      assertThat(right.get(row)).isFalse();
    }
    assertThat(right).contains(true);
    assertThatExceptionOfType(ModelFile.Failure.class)
        .isThrownBy(() -> model.on(new PublicRows(ROWS)))
        .withMessageContaining("no finite number");
  }

  /** Two starts of one run, and the noise that Mutune draws, have no bits in common. */
  @Test
  void aStartThatGoesOn_hasSecretBitsOfItsOwn() {
    SeededNoise noise = new SeededNoise(3);
    long one = noise.bits(Fixture.STREAMS.trainer(1)).next();
    long later = noise.bits(Fixture.STREAMS.trainer(2)).next();
    long sample = noise.bits(Fixture.STREAMS.step(1, Purpose.SAMPLE)).next();
    assertThat(Set.of(one, later, sample)).hasSize(3);
  }

  /** Which rows of a model that gives scores it is right about. */
  private static List<Boolean> right(TrainedModel.Evaluated<PrivateRows> evaluated) {
    RowBlocks.Block block = evaluated.rows().blocks().blocks().get(0);
    LinearModel model = evaluated.model();
    double[] scores = new double[model.columns()];
    return IntStream.range(0, block.rows())
        .mapToObj(
            row -> {
              model.score(block.features(), row * model.features(), scores);
              return LinearModel.classOf(scores) == block.labels()[row];
            })
        .toList();
  }

  private static int[] labels(RowBlocks rows) {
    return rows.blocks().get(0).labels();
  }

  /** What was killed may be seen for a moment yet; of itself each would go on for longer. */
  private static void requireNoStubs() {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!stubs().isEmpty()) {
      assertThat(System.nanoTime()).as("%s", stubs()).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** What a stub has started and left, by what only those do. */
  private static List<String> stubs() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine())
        .flatMap(Optional::stream)
        .filter(line -> line.matches("sleep 9876[5-7]") || line.contains(ALONE))
        .toList();
  }
}
