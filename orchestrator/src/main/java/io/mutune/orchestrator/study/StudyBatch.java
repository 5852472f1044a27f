package io.mutune.orchestrator.study;

import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.gradient.Lockstep;
import io.mutune.trainer.model.TrainedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * Runs many studies of the same rows to their ends, side by side: all their trials in lockstep,
 * then all their final runs. Each is charged, planned and recorded as it would be alone; only the
 * rows and the passes over them are shared. Where a private mean is taken away, each study has its
 * own, and with it rows of its own: these run one after the other.
 */
public final class StudyBatch {
  /** How many runs share a pass, where that has paid off (docs/performance.md). */
  private static final int TOGETHER = 10;

  private final StudyStore store;
  private final RunEnvironment environment;
  private final StudyData data;
  private final SweepDefinition rows;

  /**
   * @param sweep whose rows, features and loss all studies have
   * @throws IOException if a file cannot be read
   * @throws io.mutune.orchestrator.store.AccountRefusedException if one is an account's
   */
  public StudyBatch(StudyStore store, RunEnvironment environment, SweepDefinition sweep)
      throws IOException {
    this.store = store;
    this.environment = environment;
    this.data = StudyData.of(StudyDataFiles.of(store.owners(), sweep).keyed(environment.key()));
    this.rows = sweep;
  }

  /** How many such studies share their passes: one, where each has a mean or secret runs. */
  public static int together(SweepDefinition study) {
    return study.data().mean().isPresent() || study.search().isSecret() ? 1 : TOGETHER;
  }

  /**
   * Runs them, in any order, and gives their results in this one. Those of random stopping, which
   * are all or none, run one after the other.
   *
   * @throws IllegalArgumentException if one is about other rows
   * @throws StudyInterruptedException if they were cancelled
   * @throws io.mutune.orchestrator.search.SearchFailedException if the trials of one leave nothing
   *     to decide from
   * @throws IOException if data cannot be read
   */
  public List<StudyResult> run(List<Study> studies) throws IOException {
    long start = System.nanoTime();
    long secretive = studies.stream().filter(s -> s.plan().keepsSecretBest()).count();
    if (secretive != 0 && secretive != studies.size()) {
      throw new IllegalArgumentException("random stopping runs beside its own kind alone");
    }
    studies.forEach(study -> requireSameRows(study.sweep()));
    if (rows.data().mean().isPresent()) {
      List<StudyResult> alone = new ArrayList<>();
      for (Study study : studies) {
        study.enter(store);
        alone.add(new StudyRunner(store, study, environment).run());
      }
      return alone;
    }
    List<StudyPhases> all = new ArrayList<>();
    for (Study study : studies) {
      study.enter(store);
      StudyPhases phases = new StudyPhases(store, study, environment, () -> data);
      phases.prepare();
      all.add(phases);
    }
    if (secretive != 0) {
      List<StudyResult> secret = new ArrayList<>();
      for (StudyPhases phases : all) {
        secret.add(phases.end(() -> 0));
      }
      return secret;
    }
    for (List<Trial> open = open(all); !open.isEmpty(); open = open(all)) {
      run(all, open, t -> t.trial().steps(), (t, e) -> t.phases().trial(t.trial(), e));
    }
    List<Last> lasts = new ArrayList<>();
    for (StudyPhases phases : all) {
      lasts.add(new Last(phases, phases.decide()));
    }
    Map<StudyPhases, TrainedModel> models = new ConcurrentHashMap<>();
    run(
        all,
        lasts,
        l -> l.decision().point().steps(),
        (l, e) -> models.put(l.phases(), l.phases().model(l.decision(), e)));
    double seconds = StudyRunner.secondsSince(start) / Math.max(1, studies.size());
    List<StudyResult> results = new ArrayList<>();
    for (Last last : lasts) {
      StudyPhases phases = last.phases();
      results.add(
          phases.result(last.decision(), Objects.requireNonNull(models.remove(phases)), seconds));
    }
    return results;
  }

  /**
   * Runs them as {@link #run} does, and audits each against what the store has of it.
   *
   * @throws IllegalStateException if the audit of one does not agree
   */
  public List<StudyResult> audited(List<Study> studies) throws IOException {
    List<StudyResult> results = run(studies);
    for (Study study : studies) {
      StudyAudit audit = StudyAudit.of(store, study, Optional.empty());
      if (!audit.agrees()) {
        throw new IllegalStateException("the audit disagrees: " + audit.problems());
      }
    }
    return results;
  }

  /** Trials that scores of these choose are open next. */
  private static List<Trial> open(List<StudyPhases> all) {
    List<Trial> open = new ArrayList<>();
    for (StudyPhases phases : all) {
      phases.open().forEach(trial -> open.add(new Trial(phases, trial)));
    }
    return open;
  }

  private record Trial(StudyPhases phases, PlannedTrial trial) {}

  private record Last(StudyPhases phases, Decision decision) {}

  /** Those of many steps first, so that a group's runs end at about the same time. */
  private <T> void run(
      List<StudyPhases> all, List<T> runs, ToIntFunction<T> steps, ParallelRuns.Task<T> task)
      throws IOException {
    List<T> sorted = new ArrayList<>(runs);
    sorted.sort(Collections.reverseOrder(Comparator.comparingInt(steps)));
    for (int from = 0; from < sorted.size(); from += TOGETHER) {
      List<T> group = sorted.subList(from, Math.min(sorted.size(), from + TOGETHER));
      Lockstep lockstep = all.get(0).lockstep(group.size());
      new ParallelRuns<>(task, () -> all.forEach(StudyPhases::stop)).run(group, lockstep);
    }
  }

  private void requireSameRows(SweepDefinition sweep) {
    if (!sweep.data().sources().equals(rows.data().sources())
        || !sweep.data().features().equals(rows.data().features())
        || !sweep.data().mean().equals(rows.data().mean())
        || sweep.data().declared() != rows.data().declared()) {
      throw new IllegalArgumentException("studies that run side by side are about the same rows");
    }
  }
}
