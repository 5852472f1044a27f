package io.mutune.orchestrator.sweep;

import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.network.EncoderReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
 * @param confirmed figures that were read from the private file and that its owner calls public
 * @param unit whose rows are protected together; empty where each row is protected by itself
 */
public record SweepData(
    DataSource training,
    Declaration declared,
    Optional<DataSource> publicRows,
    Optional<DataSource> validation,
    Optional<DataSource> test,
    FeaturePipeline features,
    Optional<MeanStep> mean,
    Optional<Path> featureCache,
    List<String> confirmed,
    Optional<UnitOfPrivacy> unit) {
  public SweepData {
    confirmed = List.copyOf(confirmed);
  }

  /** The same with these training rows, whose features are kept nowhere. */
  SweepData withoutCache(DataSource rows) {
    return new SweepData(
        rows,
        declared,
        publicRows,
        validation,
        test,
        features,
        mean,
        Optional.empty(),
        confirmed,
        unit);
  }

  /** n, the public number of training rows, or of the people whose rows they are. */
  public long rows() {
    return training.rows().orElseThrow();
  }

  /** How many training rows may count by the stated numbers, of people with all of theirs. */
  public long mostRows() {
    return rows() * unit.map(UnitOfPrivacy::rows).orElse(1);
  }

  /** The number of classes; 0 where targets are real. */
  public int classes() {
    return training.spec().labelling().size();
  }

  /** The names of the classes, in their order; targets must not be real. */
  public List<String> classNames() {
    return ((ClassLabels) training.spec().labelling()).names();
  }

  /** How many features a row has after the feature maps, where the sweep states it before them. */
  public OptionalInt modelFeatures() {
    Integer stated = training.spec().features();
    return stated == null ? OptionalInt.empty() : OptionalInt.of(features.outputs(stated));
  }

  /** The frozen networks that turn texts or pictures of the rows into numbers. */
  public List<EncoderReference> encoders() {
    return training.spec().encoders();
  }

  /** Every data set, the training rows first. */
  public List<DataSource> sources() {
    return Stream.of(Optional.of(training), publicRows, validation, test)
        .flatMap(Optional::stream)
        .toList();
  }

  /** How many units the files of a part are said to have, with those that are held out of it. */
  public OptionalLong stated(DataSource source) {
    return source.side().isEmpty()
        ? source.rows()
        : OptionalLong.of(
            sources().stream()
                .filter(part -> part.side().isPresent())
                .mapToLong(part -> part.rows().orElseThrow())
                .sum());
  }

  /**
   * The files of its parts, by the keys under which a sweep names them.
   *
   * @param cache the folder in which features are kept
   */
  public List<NamedFile> files(Optional<Path> cache) {
    List<NamedFile> files = new ArrayList<>();
    add(files, "data.private", Optional.of(training));
    add(files, "data.public", publicRows);
    add(files, "data.validation", validation);
    add(files, "data.test", test);
    cache.ifPresent(folder -> files.add(new NamedFile("data.cache", folder, NamedFile.Use.KEPT)));
    return files;
  }

  private void add(List<NamedFile> files, String key, Optional<DataSource> source) {
    for (Path file : source.map(DataSource::files).orElse(List.of())) {
      files.add(
          new NamedFile(
              key, file, needsCharge(source.get()) ? NamedFile.Use.CHARGED : NamedFile.Use.OPEN));
    }
  }

  /** Whether none of its rows needs protection. */
  public boolean isOpen() {
    return sources().stream().noneMatch(this::needsCharge);
  }

  /** Whether rows of one of the {@link #sources} are read against charges alone. */
  public boolean needsCharge(DataSource source) {
    boolean declaredOpen = declared.isOpen() && source.equals(training);
    return source.isPrivate() && !declaredOpen;
  }
}
