package io.mutune.orchestrator.attack;

import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.plan.PlannedRelease;
import io.mutune.orchestrator.plan.Question;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.store.RunRecord;
import io.mutune.orchestrator.sweep.ScoreRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rule 1 seen from outside: when steps are begun, an iterate or a score is released, the charge for
 * it is on the ledger. No chance is in it: a charge that comes late is found in one study, and a
 * sound study is never accused.
 */
public final class LedgerOrder {
  private LedgerOrder() {}

  /** What was done without its charge, in words; empty for a sound study. */
  public static List<String> problems(StudyPlan plan, List<RecordingStore.Event> events) {
    List<String> problems = new ArrayList<>();
    for (RecordingStore.Event event : events) {
      Optional<String> needed = needed(plan, event);
      if (needed.isPresent() && !event.ledger().contains(needed.get())) {
        problems.add(
            "%s of %s came before the charge '%s'"
                .formatted(word(event.kind()), event.what(), needed.get()));
      }
    }
    return problems;
  }

  private static Optional<String> needed(StudyPlan plan, RecordingStore.Event event) {
    return switch (event.kind()) {
      case STEPS, ITERATE -> Optional.of(run(plan, Integer.parseInt(event.what())));
      case SCORE -> score(plan, Integer.parseInt(event.what()));
      case RELEASE -> Optional.of(event.what());
    };
  }

  /** Secret runs have one charge together, under whatever number they are kept. */
  private static String run(StudyPlan plan, int number) {
    if (number == RunRecord.FINAL) {
      return Question.FINAL.name();
    }
    Optional<PlannedRelease> release =
        plan.releases().stream().filter(one -> one.run() == number).findFirst();
    if (release.isPresent()) {
      return release.get().name();
    }
    return plan.tunesInSecret() && number == StudyPlan.TUNING
        ? plan.secretRuns().orElseThrow().charge().what()
        : plan.trialCharge(trial(plan, number)).what();
  }

  /** None where scores are on public rows, or the sweep has its study void. */
  private static Optional<String> score(StudyPlan plan, int number) {
    return plan.sweep().score() instanceof ScoreRule.NoisyCount
        ? plan.scoreCharge(trial(plan, number)).map(Charge::what)
        : Optional.empty();
  }

  private static PlannedTrial trial(StudyPlan plan, int number) {
    return plan.trials().get(number - 1);
  }

  private static String word(RecordingStore.Kind kind) {
    return switch (kind) {
      case STEPS -> "steps";
      case ITERATE -> "an iterate";
      case SCORE -> "the score";
      case RELEASE -> "a release";
    };
  }
}
