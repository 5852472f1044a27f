package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Studies of 20 trials by trainers that are processes, at two workers on one database. What the
 * trainers wrote down of their steps is held against the notes of the store after each kill.
 */
final class StudiesUnderFire implements AutoCloseable {
  private static final int TRIALS = 20;
  private static final int STEPS = 200;

  /** What a trainer has written of a step: which study's, η, σ, the step, of its noise. */
  private static final Pattern BEGUN =
      Pattern.compile("\\{\"study\":(\\d+)[.0]*} (\\S+) (\\S+) (\\d+) (\\S+)");

  private enum Victim {
    TRAINER,
    WORKER,
    STORE
  }

  private final Path folder;
  private final Path steps;
  private final MortalServer server;
  private final Random random;
  private final SmallSweep sweep;
  private final WorkersUnderFire workers;
  private final List<String> studies = new ArrayList<>();
  private final Map<Victim, Integer> kills = new EnumMap<>(Victim.class);

  private record Run(int study, double learningRate, double sigma) {}

  private record Begun(Run run, int step, String noise) {}

  StudiesUnderFire(Path folder, MortalServer server, long seed) throws IOException {
    this.folder = folder;
    this.steps = folder.resolve("steps");
    this.server = server;
    this.random = new Random(seed);
    this.sweep =
        SmallSweep.in(folder)
            .trainers("mine", StubTrainers.command("honest", steps.toString()))
            .search(
                "{strategy: scale-free, space: {logitNoise: {min: 0.1, max: 10}, steps: %d}, sweeps:"
                        .formatted(STEPS)
                    + " [{epsilon: 0.1, trials: %d}], score: {on: private, epsilon: 0.08}}"
                        .formatted(TRIALS));
    this.workers = new WorkersUnderFire(sweep, server, seed);
  }

  void start() throws IOException {
    submit();
    submit();
    workers.start(2);
  }

  /** A study that differs from the others by a number that its trainers are told. */
  private void submit() {
    sweep.train(
        "{method: external, trainer: mine, descends: true, mechanism: {type: gaussian, clipNorm: 0.5}, settings: {study: %d}}"
            .formatted(studies.size()));
    studies.add(workers.submit());
  }

  /** One of the three, at a random moment of a study; then a look at what is left. */
  void kill() throws Exception {
    Thread.sleep(1000 + random.nextInt(3000));
    keepBusy();
    workers.replaceEnded();
    int chance = random.nextInt(5);
    Victim victim = chance < 2 ? Victim.TRAINER : chance < 4 ? Victim.WORKER : Victim.STORE;
    switch (victim) {
      case TRAINER -> killTrainer();
      case WORKER -> workers.killOne();
      case STORE -> {
        server.kill();
        Thread.sleep(random.nextInt(2000));
        server.restart();
      }
    }
    kills.merge(victim, 1, Integer::sum);
    requireNoted();
  }

  private void killTrainer() throws IOException, InterruptedException {
    while (true) {
      workers.replaceEnded();
      List<ProcessHandle> running = StubTrainers.processes();
      if (!running.isEmpty()) {
        running.get(random.nextInt(running.size())).destroyForcibly();
        return;
      }
      Thread.sleep(100);
    }
  }

  /** Studies whose trainer was killed go on, and there is one more where all are at their end. */
  private void keepBusy() throws Exception {
    if (!goOn()) {
      submit();
    }
  }

  /** Whether a study is not at its end. */
  private boolean goOn() throws Exception {
    boolean busy = false;
    try (StudyStore store = opened()) {
      for (StudyRecord study : store.studies()) {
        busy |= study.state() != StudyState.FINISHED;
        if (study.state() == StudyState.FAILED) {
          assertThat(study.reason().orElse("")).startsWith("its trainer failed");
          CommandRun.of(sweep.command("resume", study.id(), "--store", workers.store().toString()))
              .succeeded();
        }
      }
    }
    return busy;
  }

  /** Once the database answers again. */
  private StudyStore opened() throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (true) {
      try {
        return Stores.open(workers.store(), folder.resolve("runs"));
      } catch (StoreException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  /** Written down first, then looked up: a step that a trainer was let begin is in the store. */
  private void requireNoted() throws Exception {
    List<Begun> begun = begun();
    Set<String> noises = new HashSet<>();
    Map<Run, Integer> last = new HashMap<>();
    for (Begun step : begun) {
      assertThat(noises.add(step.noise())).as("its noise is its own: %s", step).isTrue();
      last.merge(step.run(), step.step(), Math::max);
    }
    try (StudyStore store = opened()) {
      for (Map.Entry<Run, Integer> each : last.entrySet()) {
        String study = studies.get(each.getKey().study());
        StudyPlan plan = Study.ofRecord(store.study(study).orElseThrow()).plan();
        assertThat(each.getValue())
            .as("%s", each.getKey())
            .isLessThanOrEqualTo(store.trial(study, number(plan, each.getKey())).stepsBegun());
      }
    }
    System.out.printf(
        "StudiesUnderFire: %s, %d studies, %d steps%n", kills, studies.size(), begun.size());
  }

  private List<Begun> begun() throws IOException {
    List<Begun> begun = new ArrayList<>();
    if (Files.exists(steps)) {
      for (String line : Files.readAllLines(steps)) {
        Matcher parts = BEGUN.matcher(line);
        assertThat(parts.matches()).as(line).isTrue();
        begun.add(
            new Begun(
                new Run(
                    Integer.parseInt(parts.group(1)),
                    Double.parseDouble(parts.group(2)),
                    Double.parseDouble(parts.group(3))),
                Integer.parseInt(parts.group(4)),
                parts.group(5)));
      }
    }
    return begun;
  }

  /** The final run has a learning rate and noise of its own. */
  private static int number(StudyPlan plan, Run run) {
    for (int i = 0; i < plan.trials().size(); i++) {
      if (plan.trials().get(i).point().learningRate() == run.learningRate()
          && plan.trialNoise(plan.trials().get(i)).value() == run.sigma()) {
        return i + 1;
      }
    }
    return RunRecord.FINAL;
  }

  void requireAllWhole() throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(20).toNanos();
    while (goOn()) {
      workers.replaceEnded();
      assertThat(System.nanoTime()).as("still running: %s", workers.errors()).isLessThan(end);
      Thread.sleep(500);
    }
    for (String study : studies) {
      workers.requireWhole(study, Duration.ofMinutes(1));
    }
    requireNoted();
  }

  @Override
  public void close() throws IOException {
    workers.close();
  }
}
