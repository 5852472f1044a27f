package io.mutune.orchestrator.study;

import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.Guard;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The points of a study's runs, each kept before the run is charged. A run goes on at the point
 * that was kept, by whichever version it is gone on with: a version with other constants would make
 * another choice from the same scores, and then the charge might not be for its steps. All of it is
 * public or follows from released scores.
 */
record RunChoices(StudyStore store, Study study) {
  private static final String RUN = "run";
  private static final String RATE = "learningRate";
  private static final String STEPS = "steps";
  private static final String FROM = "from";
  private static final String SETTING = "setting ";
  private static final String GUARD = "guard ";

  /**
   * What was chosen for one run.
   *
   * @param from the trial whose candidate it takes over; empty where none does
   * @param guards that acted when it was chosen, each with its name and what it did
   */
  record Choice(TrialPoint point, OptionalInt from, List<String> guards) {
    private static Choice of(PlannedTrial trial) {
      return new Choice(trial.point(), trial.from(), List.of());
    }

    private static Choice of(Decision decision) {
      return new Choice(
          decision.point(),
          decision.from(),
          decision.guards().stream().map(guard -> guard.name() + ": " + guard.action()).toList());
    }

    private static Choice of(StudyNote note) {
      Map<String, Double> settings = new HashMap<>();
      List<String> guards = new ArrayList<>();
      OptionalInt from = OptionalInt.empty();
      for (Map.Entry<String, String> entry : note.content().entrySet()) {
        String key = entry.getKey();
        if (key.startsWith(SETTING)) {
          settings.put(key.substring(SETTING.length()), Double.valueOf(entry.getValue()));
        } else if (key.startsWith(GUARD)) {
          guards.add(entry.getValue());
        } else if (key.equals(FROM)) {
          from = OptionalInt.of(Integer.parseInt(entry.getValue()));
        }
      }
      double rate = Double.parseDouble(note.required(RATE));
      int steps = Integer.parseInt(note.required(STEPS));
      return new Choice(new TrialPoint(rate, steps, settings), from, List.copyOf(guards));
    }

    private StudyNote note(String run) {
      Map<String, String> content = new LinkedHashMap<>();
      content.put(RUN, run);
      content.put(RATE, Double.toString(point.learningRate()));
      content.put(STEPS, Integer.toString(point.steps()));
      point.sortedSettings().forEach((key, value) -> content.put(SETTING + key, value.toString()));
      from.ifPresent(trial -> content.put(FROM, Integer.toString(trial)));
      for (String guard : guards) {
        content.put(GUARD + (content.size() + 1), guard);
      }
      return new StudyNote(StudyNote.Kind.CHOICE, content);
    }

    private boolean isLike(Choice other) {
      return point.equals(other.point) && from.equals(other.from);
    }

    /** As a decision, where this version would make another one. */
    private Decision insteadOf(String other) {
      List<Guard> acted = new ArrayList<>();
      for (String guard : guards) {
        int name = guard.indexOf(": ");
        acted.add(new Guard(guard.substring(0, name), guard.substring(name + 2)));
      }
      acted.add(
          new Guard(
              "kept-choice",
              "the run goes on at the point that an earlier start had kept for it; " + other));
      return Decision.kept(point, from, List.copyOf(acted));
    }
  }

  /**
   * A trial at the point that was kept for it, or as it is.
   *
   * @throws StoreException if it was begun with another number of steps than the plan has
   */
  PlannedTrial of(PlannedTrial trial, Map<String, Choice> kept) {
    Choice choice = kept.get(name(trial));
    if (choice == null) {
      return trial;
    }
    if (choice.point().steps() != trial.steps()) {
      throw Ledger.plannedOtherwise(study, name(trial));
    }
    return trial.at(choice.point(), choice.from());
  }

  /** Keeps the point of a trial, and gives it at the one that was kept first. */
  PlannedTrial keep(PlannedTrial trial) {
    return of(trial, Map.of(name(trial), keep(name(trial), Choice.of(trial))));
  }

  private String name(PlannedTrial trial) {
    return study.plan().trialCharge(trial).what();
  }

  /**
   * Decides on a run, and gives what was kept first.
   *
   * @param run by its name on the ledger
   */
  Decision decide(String run, Decision decision) {
    Choice kept = keep(run, Choice.of(decision));
    return kept.isLike(Choice.of(decision))
        ? decision
        : kept.insteadOf(
            String.format(
                Locale.ROOT,
                "this version would take learning rate %.4g in %d steps",
                decision.point().learningRate(),
                decision.point().steps()));
  }

  /** The decision that was kept for a run, if there is one, where this version makes none. */
  Optional<Decision> kept(String run) {
    return first(run).map(choice -> choice.insteadOf("this version would not decide"));
  }

  /**
   * What was kept first for a run, which may be this choice. A charge is looked for before its
   * choice.
   *
   * @throws StoreException if the run is charged and no choice was kept: it may be of another point
   */
  private Choice keep(String run, Choice choice) {
    boolean charged = store.charge(study.id(), run).isPresent();
    if (first(run).isEmpty()) {
      if (charged) {
        throw new StoreException(
            "study %s: its ledger has a charge for %s, and no point was kept for it: it was begun by"
                    .formatted(study.id(), run)
                + " a version that kept none, and can only end there");
      }
      store.note(study.id(), choice.note(run));
    }
    return first(run).orElseThrow(); // of two processes that decide at once the first one's
  }

  private Optional<Choice> first(String run) {
    return Optional.ofNullable(all().get(run));
  }

  /** What was kept first for each run, by its name on the ledger. */
  Map<String, Choice> all() {
    Map<String, Choice> choices = new HashMap<>();
    for (StudyNote note : store.notes(study.id())) {
      if (note.kind() == StudyNote.Kind.CHOICE) {
        choices.putIfAbsent(note.required(RUN), Choice.of(note));
      }
    }
    return choices;
  }
}
