package io.mutune.orchestrator.study;

import io.mutune.accountant.ledger.Charge;
import io.mutune.accountant.mechanism.Gaussian;
import io.mutune.orchestrator.store.StoredRelease;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.sweep.ScoreRule.TestCount;
import io.mutune.trainer.score.Estimate;
import io.mutune.trainer.score.NoisyBinMetrics;
import io.mutune.trainer.score.NoisyClassMetrics;
import io.mutune.trainer.score.NoisyTargetMetrics;
import io.mutune.trainer.score.NoisyTestMetrics;
import io.mutune.trainer.score.PublicUnits;
import java.util.Optional;
import java.util.OptionalDouble;

/** What follows from the noisy counts of private test rows that a study has released. */
record TestFigures(StudyStore store, Study study) {
  private PublicUnits units() {
    return study.sweep().data().test().orElseThrow().units();
  }

  private double sigma(TestCount count) {
    Charge charge = study.plan().testCharge(count).orElseThrow();
    return ((Gaussian) charge.mechanism()).sigma().value();
  }

  private Optional<double[]> cells(TestCount count) {
    return study
        .plan()
        .testCharge(count)
        .flatMap(charge -> store.release(study.id(), charge.what()))
        .flatMap(StoredRelease::values);
  }

  private Optional<NoisyTestMetrics> confusion() {
    return cells(TestCount.CONFUSION)
        .map(
            cells ->
                NoisyTestMetrics.ofConfusion(
                    units(), sigma(TestCount.CONFUSION), cells, study.sweep().output().by()));
  }

  private Optional<NoisyBinMetrics> bins() {
    return cells(TestCount.PROBABILITIES)
        .map(
            cells ->
                NoisyBinMetrics.of(
                    units(), sigma(TestCount.PROBABILITIES), study.sweep().classes(), cells));
  }

  /** The accuracy that released counts tell; empty where they were lost, or tell of none. */
  OptionalDouble accuracy() {
    Optional<NoisyClassMetrics> classes = confusion().flatMap(NoisyTestMetrics::classes);
    if (classes.isPresent()) {
      return OptionalDouble.of(classes.get().score());
    }
    Optional<NoisyBinMetrics> bins = bins().filter(found -> found.classes() == 2);
    return study.sweep().score().testCounts().size() == 1 && bins.isPresent()
        ? OptionalDouble.of(bins.get().right() / units().count())
        : OptionalDouble.empty();
  }

  /** All figures; empty where a crash lost all of them. */
  Optional<NoisyTestMetrics> released() {
    OptionalDouble score = store.study(study.id()).orElseThrow().testAccuracy();
    boolean counted = study.sweep().score().testCounts().contains(TestCount.ACCURACY);
    Optional<Estimate> accuracy =
        counted && score.isPresent()
            ? Optional.of(
                NoisyTestMetrics.accuracy(
                    score.getAsDouble() * units().count(), sigma(TestCount.ACCURACY), units()))
            : Optional.empty();
    Optional<NoisyTargetMetrics> targets =
        cells(TestCount.SQUARED_ERROR)
            .map(sums -> NoisyTargetMetrics.of(units(), sigma(TestCount.SQUARED_ERROR), sums));
    Optional<NoisyTestMetrics> confusion = confusion();
    Optional<NoisyBinMetrics> bins = bins();
    return accuracy.isPresent() || confusion.isPresent() || bins.isPresent() || targets.isPresent()
        ? Optional.of(
            new NoisyTestMetrics(
                units(),
                accuracy,
                confusion.flatMap(NoisyTestMetrics::classes),
                confusion.flatMap(NoisyTestMetrics::groups),
                bins,
                targets))
        : Optional.empty();
  }
}
