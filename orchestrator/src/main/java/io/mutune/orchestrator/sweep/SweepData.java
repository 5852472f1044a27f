package io.mutune.orchestrator.sweep;

import io.mutune.trainer.feature.FeaturePipeline;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The data sets of a sweep, and what their rows go through.
 *
 * @param training the private rows; its row count is the public one by which everything is scaled
 * @param declared what the sweep says about the training rows
 * @param publicRows labelled rows that training reads without protection
 * @param validation rows that trials are scored on
 * @param test rows that the final model is tested on, once
 * @param features the maps that follow from public numbers; the mean's place is its own
 * @param mean of the private rows, charged, among the maps
 * @param featureCache the folder in which the rows' features are kept, as private as the rows
 */
public record SweepData(
    DataSource training,
    Declaration declared,
    Optional<DataSource> publicRows,
    Optional<DataSource> validation,
    Optional<DataSource> test,
    FeaturePipeline features,
    Optional<MeanStep> mean,
    Optional<Path> featureCache) {
  /** n, the public number of training rows. */
  public long rows() {
    return training.rows().orElseThrow();
  }

  /** The number of classes; 0 where targets are real. */
  public int classes() {
    return training.spec().labelling().size();
  }

  /** How many features a row has after the feature maps, where the sweep states it before them. */
  public OptionalInt modelFeatures() {
    Integer stated = training.spec().features();
    return stated == null ? OptionalInt.empty() : OptionalInt.of(features.outputs(stated));
  }

  /** Every data set, the training rows first. */
  public List<DataSource> sources() {
    return Stream.of(Optional.of(training), publicRows, validation, test)
        .flatMap(Optional::stream)
        .toList();
  }

  /** Whether rows of one of the {@link #sources} are read against charges alone. */
  public boolean needsCharge(DataSource source) {
    boolean declaredOpen = declared.isOpen() && source.equals(training);
    return source.isPrivate() && !declaredOpen;
  }
}
