package io.mutune.orchestrator.sweep;

import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.method.Searched;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A sweep file that was checked: everything that a study does.
 *
 * @param training the private rows; its row count is the public one by which everything is scaled
 * @param declared what the sweep says about the training rows
 * @param publicRows labelled rows that training reads without protection
 * @param validation rows that trials are scored on
 * @param test rows that the final model is tested on, once
 * @param features the maps that follow from public numbers; the mean's place is its own
 * @param mean of the private rows, charged, among the maps
 * @param featureCache the folder in which the rows' features are kept, as private as the rows
 * @param output the folder under which the study's own folder is written
 * @param perInstance the private file for what each training row has paid
 * @param schedule by which the study is run again
 * @param account of the data set, on which the study draws
 */
public record SweepDefinition(
    String name,
    String description,
    DataSource training,
    Declaration declared,
    Optional<DataSource> publicRows,
    Optional<DataSource> validation,
    Optional<DataSource> test,
    FeaturePipeline features,
    Optional<MeanStep> mean,
    Optional<Path> featureCache,
    Budget budget,
    SearchStrategy search,
    ScoreRule score,
    TrainDefinition train,
    int parallelTrials,
    NoiseRule noise,
    Path output,
    Optional<Path> perInstance,
    Optional<Appointments> schedule,
    Optional<String> account) {
  private static final String ACCOUNT_CACHE = "mutune-features-";

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

  /** What is learned, and under which guarantee. */
  public Problem problem() {
    return new Problem(train.loss(), classes(), budget, rows());
  }

  /** Of a run on all rows. */
  public RunScale runScale() {
    return runScale(rows());
  }

  /** Of a run on so many rows. */
  public RunScale runScale(long rows) {
    return new RunScale(
        budget.adjacency().sumSensitivity(),
        train.method().stepUnit(),
        train.method().momentum(),
        rows,
        train.loss().columns(classes()),
        train.loss().stableLearningRate(classes(), train.method().stepUnit()),
        train.method().searched() == Searched.RADIUS);
  }

  /** Every data set, the training rows first. */
  public List<DataSource> sources() {
    return Stream.of(Optional.of(training), publicRows, validation, test)
        .flatMap(Optional::stream)
        .toList();
  }

  /** The account that charges go to; rows that are declared to need no protection have none. */
  public Optional<String> chargedAccount() {
    return declared.isOpen() ? Optional.empty() : account;
  }

  /**
   * The folder in which features are kept: an account's own, so that all that is in it is known to
   * follow from the account's rows.
   */
  public Optional<Path> cacheFolder() {
    return featureCache.map(
        folder -> chargedAccount().map(ACCOUNT_CACHE::concat).map(folder::resolve).orElse(folder));
  }

  /** Every file and folder that the sweep names; nothing else is opened for it. */
  public List<NamedFile> files() {
    List<NamedFile> files = new ArrayList<>();
    addFiles(files, "data.private", Optional.of(training));
    addFiles(files, "data.public", publicRows);
    addFiles(files, "data.validation", validation);
    addFiles(files, "data.test", test);
    train
        .method()
        .start()
        .file()
        .ifPresent(start -> files.add(new NamedFile("train.start", start, NamedFile.Use.OPEN)));
    cacheFolder().ifPresent(f -> files.add(new NamedFile("data.cache", f, NamedFile.Use.KEPT)));
    perInstance.ifPresent(
        f -> files.add(new NamedFile("output.perInstance", f, NamedFile.Use.KEPT)));
    files.add(new NamedFile("output.directory", output, NamedFile.Use.RELEASED));
    return files;
  }

  private void addFiles(List<NamedFile> files, String key, Optional<DataSource> source) {
    for (Path file : source.map(DataSource::files).orElse(List.of())) {
      files.add(
          new NamedFile(
              key, file, needsCharge(source.get()) ? NamedFile.Use.CHARGED : NamedFile.Use.OPEN));
    }
  }

  /** Whether rows of one of the {@link #sources} are read against charges alone. */
  public boolean needsCharge(DataSource source) {
    boolean declaredOpen = declared.isOpen() && source.equals(training);
    return source.isPrivate() && !declaredOpen;
  }

  /** The same with another search, as a comparison has it. */
  public SweepDefinition with(SearchStrategy other, ScoreRule otherScore, NoiseRule otherNoise) {
    return new SweepDefinition(
        name,
        description,
        training,
        declared,
        publicRows,
        validation,
        test,
        features,
        mean,
        featureCache,
        budget,
        other,
        otherScore,
        train,
        parallelTrials,
        otherNoise,
        output,
        perInstance,
        schedule,
        account);
  }
}
