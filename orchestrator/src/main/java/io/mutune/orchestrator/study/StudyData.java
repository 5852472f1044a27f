package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.FeatureCache;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The data sets of one study, none of them read before it is asked for. */
final class StudyData {
  private final PrivateData training;
  private final Optional<PublicData> openTraining;
  private final Optional<PublicData> publicRows;
  private final Optional<PrivateData> privateValidation;
  private final Optional<PublicData> publicValidation;
  private final Optional<PrivateData> privateTest;
  private final Optional<PublicData> publicTest;

  StudyData(SweepDefinition sweep) {
    training = privately(sweep.training(), sweep);
    openTraining =
        sweep.declared().isOpen()
            ? Optional.of(publicly(sweep.training(), sweep))
            : Optional.empty();
    publicRows = sweep.publicRows().map(rows -> publicly(rows, sweep));
    privateValidation =
        sweep.validation().filter(DataSource::isPrivate).map(v -> privately(v, sweep));
    publicValidation = sweep.validation().filter(v -> !v.isPrivate()).map(v -> publicly(v, sweep));
    privateTest = sweep.test().filter(DataSource::isPrivate).map(t -> privately(t, sweep));
    publicTest = sweep.test().filter(t -> !t.isPrivate()).map(t -> publicly(t, sweep));
  }

  PrivateData training() {
    return training;
  }

  /**
   * The training rows as rows that need no protection.
   *
   * @throws java.util.NoSuchElementException if they are not declared public or simulated
   */
  PublicRows openTraining() throws IOException {
    return openTraining.orElseThrow().rows();
  }

  /** Labelled rows that training reads without protection. */
  Optional<PublicRows> publicRows() throws IOException {
    return publicRows.isPresent() ? Optional.of(publicRows.get().rows()) : Optional.empty();
  }

  Optional<PrivateData> privateValidation() {
    return privateValidation;
  }

  PublicRows publicValidation() throws IOException {
    return publicValidation.orElseThrow().rows();
  }

  Optional<PrivateData> privateTest() {
    return privateTest;
  }

  Optional<PublicRows> publicTest() throws IOException {
    return publicTest.isPresent() ? Optional.of(publicTest.get().rows()) : Optional.empty();
  }

  private static PrivateData privately(DataSource source, SweepDefinition sweep) {
    return new PrivateData(source.spec(), sweep.features(), cache(sweep));
  }

  private static PublicData publicly(DataSource source, SweepDefinition sweep) {
    return new PublicData(source.spec(), sweep.features(), cache(sweep));
  }

  private static @Nullable FeatureCache cache(SweepDefinition sweep) {
    return sweep.featureCache().map(FeatureCache::new).orElse(null);
  }
}
