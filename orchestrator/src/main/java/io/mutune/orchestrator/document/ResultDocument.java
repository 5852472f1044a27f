package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.accountant.ledger.Charge;
import io.mutune.orchestrator.display.DataTable;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Decision;
import io.mutune.orchestrator.search.Fit;
import io.mutune.orchestrator.search.PlannedTrial;
import io.mutune.orchestrator.study.LearningCurve;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.study.TrialOutcome;
import io.mutune.orchestrator.sweep.CardText;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.DataCardReader;
import io.mutune.trainer.feature.Centre;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.TargetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A study's result as {@code result.json}.
 *
 * @param testError the mean absolute error, where the labels are numbers
 * @param test all figures, where the test rows are public
 * @param learningCurve of the final run's iterates on public test rows
 * @param privateTest those from noisy counts, where the test rows are private and counted so
 * @param privateFigures those from other noisy counts of them
 * @param privateMean whether the mean of the rows was released or lost, where one was asked for
 * @param releases the models beside the final one, if there are any
 * @param dataSet by what studies of the same data know each other
 * @param registered the card of the data set, where the sweep names one
 */
public record ResultDocument(
    String study,
    String name,
    @JsonUnwrapped GuaranteeNote guarantee,
    OptionalDouble testError,
    OptionalDouble testAccuracy,
    Optional<TestDocument> test,
    Optional<LearningCurve> learningCurve,
    Optional<NoisyTestDocument> privateTest,
    Optional<NoisyTestFigures> privateFigures,
    Optional<String> privateMean,
    String strategy,
    String method,
    String dataSet,
    Optional<Registered> registered,
    Optional<TrialScores> scores,
    @JsonProperty("final") RunEntry last,
    Optional<List<ReleaseEntry>> releases,
    List<RunEntry> trials,
    Optional<Fit> fit,
    List<GuardEntry> guards,
    OptionalDouble seconds,
    Optional<ProvenanceDocument> provenance)
    implements Document {
  /** In a study's folder. */
  public static final String FILE = "result.json";

  /** What is public of a registered data set's card. */
  public record Registered(String name, long cardVersion, String description) {
    public static Registered of(CardText card) {
      return new Registered(
          card.name(),
          card.version(),
          DataCardReader.read(card.name(), card.text(), card.context()).description());
    }
  }

  /** What a guard did to the search. */
  public record GuardEntry(String guard, String action) {}

  public static ResultDocument of(StudyResult result) {
    SweepDefinition sweep = result.study().sweep();
    OptionalDouble score = result.testAccuracy();
    OptionalDouble error = error(score, sweep.data().training().spec().labelling());
    return new ResultDocument(
        result.study().id(),
        sweep.name(),
        GuaranteeNote.of(result.statement()),
        error,
        error.isPresent() ? OptionalDouble.empty() : score,
        TestDocument.of(result, result.test()),
        result.curve(),
        NoisyTestDocument.of(result),
        NoisyTestFigures.of(result),
        result.features().maps().stream()
            .filter(map -> map instanceof Centre centre && centre.isCharged())
            .map(map -> ((Centre) map).isZero() ? "lost" : "released")
            .findFirst(),
        sweep.search().name(),
        sweep.train().method().name(),
        DataSetIdentity.of(sweep),
        sweep.card().map(Registered::of),
        TrialScores.of(result),
        last(
            result.study().plan(),
            result.decision(),
            result.finalCharge(),
            result.finalLostSteps()),
        ReleaseEntry.of(result),
        result.trials().stream().map(trial -> entry(result.study().plan(), trial)).toList(),
        result.decision().fit(),
        result.decision().guards().stream()
            .map(guard -> new GuardEntry(guard.name(), guard.action()))
            .toList(),
        Double.isFinite(result.seconds())
            ? OptionalDouble.of(result.seconds())
            : OptionalDouble.empty(),
        result.provenance().map(p -> ProvenanceDocument.of(p.processes(), p.data())));
  }

  /** The mean absolute error that a score of targets stands for; empty for classes. */
  public static OptionalDouble error(OptionalDouble score, Labelling labelling) {
    return score.isPresent() && labelling instanceof TargetRange range
        ? OptionalDouble.of((1 - score.getAsDouble()) * (range.max() - range.min()))
        : OptionalDouble.empty();
  }

  /**
   * The run whose model is the result.
   *
   * @param charge its own; empty if it asked no row that needs protection
   */
  public static RunEntry last(
      StudyPlan plan, Decision decision, Optional<Charge> charge, int lostSteps) {
    return new RunEntry(
        decision.kept(),
        OptionalInt.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        RunEntry.point(decision.point(), plan.sweep(), plan.resultMu(decision)),
        OptionalInt.empty(),
        charge.map(plan::sigma).orElse(OptionalDouble.empty()),
        decision.from(),
        OptionalInt.of(lostSteps),
        decision.score(),
        Optional.empty());
  }

  private static RunEntry entry(StudyPlan plan, TrialOutcome outcome) {
    PlannedTrial trial = outcome.trial();
    return new RunEntry(
        OptionalInt.of(trial.number()),
        OptionalInt.of(trial.round()),
        OptionalDouble.of(trial.epsilon().value()),
        OptionalDouble.empty(),
        RunEntry.point(trial.point(), plan.sweep(), trial.mu()),
        OptionalInt.empty(),
        plan.sigma(outcome.charge()),
        trial.from(),
        OptionalInt.of(outcome.lostSteps()),
        outcome.score(),
        Optional.of(outcome.state().key()));
  }

  /** What was fitted to trials; empty where there were none and the prior alone decided. */
  public Optional<Fit> fitted() {
    return fit.filter(unused -> !trials.isEmpty());
  }

  /** The figures on the test rows in words; none where there are none. */
  public List<String> testSentences() {
    return sentences(test, privateTest, privateFigures);
  }

  /** The figures of public test rows, or those of noisy counts of private ones, in words. */
  public static List<String> sentences(
      Optional<TestDocument> test,
      Optional<NoisyTestDocument> privateTest,
      Optional<NoisyTestFigures> privateFigures) {
    return Stream.of(
            test.map(TestDocument::sentences),
            privateTest.map(NoisyTestDocument::sentences),
            privateFigures.map(NoisyTestFigures::sentences))
        .flatMap(Optional::stream)
        .flatMap(List::stream)
        .toList();
  }

  /** The same by the values of a column; empty where the sweep names none. */
  public Optional<DataTable> groups() {
    return groups(test, privateFigures);
  }

  /** A line for each value of the column by which figures are told. */
  public static Optional<DataTable> groups(
      Optional<TestDocument> test, Optional<NoisyTestFigures> privateFigures) {
    return test.flatMap(TestDocument::groups)
        .map(GroupsEntry::table)
        .or(() -> privateFigures.flatMap(NoisyTestFigures::groupTable));
  }

  /** Of the final run, if it has one. */
  static OptionalDouble sigma(StudyResult result) {
    return result.finalCharge().isPresent()
        ? result.study().plan().sigma(result.finalCharge().get())
        : OptionalDouble.empty();
  }

  /** Its test accuracy or error as people read it; empty where there were no test rows. */
  Optional<String> testFigure() {
    return testAccuracy.isPresent()
        ? Optional.of("Test accuracy: " + DisplayNumber.percent(testAccuracy.getAsDouble()))
        : testError.isPresent()
            ? Optional.of(
                "Test error: " + DisplayNumber.value(testError.getAsDouble()) + " (mean absolute)")
            : Optional.empty();
  }

  /**
   * Which trials went on to the next round, where scores choose: a sentence a round, the first one
   * first; none where no run follows a trial.
   */
  public List<String> rounds() {
    TreeMap<Integer, List<RunEntry>> rounds = new TreeMap<>();
    for (RunEntry trial : trials) {
      rounds.computeIfAbsent(trial.sweep().orElse(0), r -> new ArrayList<>()).add(trial);
    }
    List<String> sentences = new ArrayList<>();
    rounds.forEach(
        (round, all) -> {
          List<RunEntry> next = rounds.getOrDefault(round + 1, List.of());
          if (next.stream().anyMatch(trial -> trial.from().isPresent())) {
            sentences.add(
                "Of the %d trials of sweep %d went on, the best first: %s."
                    .formatted(
                        all.size(),
                        round,
                        next.stream()
                            .map(t -> "trial " + t.from().orElse(0) + " as " + t.name())
                            .collect(Collectors.joining(", "))));
          } else if (next.isEmpty() && last.from().isPresent()) {
            sentences.add(
                "The final run takes over the point of trial " + last.from().getAsInt() + ".");
          }
        });
    return sentences;
  }
}
