package io.mutune.orchestrator.schedule;

import io.mutune.accountant.ledger.OverBudgetException;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyRecord;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.CronSchedule;
import io.mutune.orchestrator.sweep.InvalidSweepException;
import io.mutune.orchestrator.sweep.SweepContext;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs sweeps again by their schedules. What is due follows from the stored studies only: when the
 * latest study of a sweep has ended, another follows at the first scheduled time after the
 * submission. None follows a study that was refused, cancelled or has failed; whoever resumes the
 * failed one has the schedule go on. If scheduled times pass while a study runs or no worker is
 * there, one study follows later for all of them.
 */
final class Recurrence {
  /** The job that makes the next study of a sweep, under the id of the one before. */
  static final String AGAIN = "again";

  private final StudyStore store;
  private final Consumer<String> says;
  private final Function<StudyRecord, Optional<CronSchedule>> schedules;

  Recurrence(StudyStore store, Consumer<String> says) {
    this(store, says, study -> Study.sweepOf(study).schedule());
  }

  /**
   * @param schedules what the sweep of a study says
   */
  Recurrence(
      StudyStore store,
      Consumer<String> says,
      Function<StudyRecord, Optional<CronSchedule>> schedules) {
    this.store = store;
    this.says = says;
    this.schedules = schedules;
  }

  /**
   * Studies that none can follow with the newest card of their data, by {@link #attempt}, each of
   * which is reported once.
   */
  private final Set<String> hopeless = ConcurrentHashMap.newKeySet();

  /**
   * A sweep, whatever card its data set has, and whatever version planned it: a newer one does not
   * begin a schedule anew.
   *
   * @param context {@link SweepContext#ofAnyTime}
   */
  private record Sweep(String name, String definition, SweepContext context) {
    static Sweep of(StudyRecord study) {
      return new Sweep(study.name(), study.definition(), study.context().ofAnyTime());
    }
  }

  private record Next(StudyRecord last, Instant at) {}

  /** Adds a job for the next scheduled time of each sweep. */
  void enqueue(JobScheduler scheduler) {
    for (Next next : next()) {
      if (!hopeless.contains(attempt(next.last()))
          && !scheduler.jobs(next.last().id()).contains(AGAIN)) {
        scheduler.put(next.last(), AGAIN, next.at());
      }
    }
  }

  private String attempt(StudyRecord last) {
    return last.id()
        + last.context()
            .card()
            .flatMap(card -> store.dataSet(card.name()))
            .map(set -> " with card " + set.card().version())
            .orElse("");
  }

  private List<Next> next() {
    Map<Sweep, StudyRecord> latest = new LinkedHashMap<>();
    for (StudyRecord study : store.studies()) {
      // Most sweeps do not contain the word and need not be read.
      if (study.queued() && study.definition().contains("schedule")) {
        latest.put(Sweep.of(study), study);
      }
    }
    return latest.values().stream()
        .filter(study -> study.state() == StudyState.FINISHED)
        .flatMap(study -> nextTime(study).map(at -> new Next(study, at)).stream())
        .toList();
  }

  private Optional<Instant> nextTime(StudyRecord study) {
    try {
      return schedules.apply(study).flatMap(schedule -> schedule.after(study.created()));
    } catch (InvalidSweepException e) {
      // The sweep is of a version with other rules.
      return Optional.empty();
    }
  }

  /** When another study follows, by the finished study that it follows. */
  Map<String, Instant> times() {
    return next().stream().collect(Collectors.toMap(next -> next.last().id(), Next::at));
  }

  private Optional<Next> after(String id) {
    return next().stream().filter(next -> next.last().id().equals(id)).findFirst();
  }

  /**
   * Makes the study that follows this one, unless it exists: its id follows from the one before, so
   * that two workers make one study.
   */
  void again(String id) {
    after(id).ifPresent(this::again);
  }

  private void again(Next due) {
    String id = due.last().id();
    Study study;
    try {
      study = Study.after(due.last(), due.at(), store::dataSet);
    } catch (InvalidSweepException | OverBudgetException e) {
      if (hopeless.add(attempt(due.last()))) {
        says.accept("the schedule of " + id + " cannot be kept: " + e.getMessage());
      }
      return;
    }
    if (store.study(study.id()).isPresent()) {
      return;
    }
    try {
      StudyRecord next = Admission.of(store, study);
      if (next.state() == StudyState.REFUSED) {
        // One of too many refused studies is not stored, and would be refused again and again.
        hopeless.add(attempt(due.last()));
      }
      says.accept(
          next.state() == StudyState.REFUSED
              ? "the schedule of " + id + " ends: " + next.reason().orElse("refused")
              : "study " + next.id() + " follows " + id + ", as its sweep's schedule has it");
    } catch (StoreException e) {
      requireMade(study.id(), e);
    }
  }

  /**
   * Makes the study that would follow a finished one, paused: none follows it unless it is resumed.
   *
   * @return it, or the same refused, or what another worker has made of it meanwhile; empty if none
   *     would follow
   */
  Optional<StudyRecord> pausedAfter(String id) {
    return after(id).map(due -> pausedAfter(due.last()));
  }

  private StudyRecord pausedAfter(StudyRecord last) {
    Study next;
    try {
      next = Study.after(last, last.created(), store::dataSet);
    } catch (InvalidSweepException | OverBudgetException e) {
      // The card that it had says what it would have been.
      next = Study.after(last, last.created(), name -> Optional.empty());
    }
    try {
      return Admission.of(store, new Study(next.record().with(StudyState.PAUSED, ""), next.plan()));
    } catch (StoreException e) {
      requireMade(next.id(), e);
      return store.study(next.id()).orElseThrow();
    }
  }

  /** Rethrows, unless another worker has made the study. */
  private void requireMade(String id, StoreException e) {
    if (e.isUnwitnessed() || store.study(id).isEmpty()) {
      throw e;
    }
  }
}
