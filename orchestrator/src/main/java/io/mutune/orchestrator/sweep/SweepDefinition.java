package io.mutune.orchestrator.sweep;

import io.mutune.accountant.Epsilon;
import io.mutune.accountant.ledger.Budget;
import io.mutune.orchestrator.search.RunScale;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.loss.WeightedLoss;
import io.mutune.trainer.method.Problem;
import io.mutune.trainer.score.Metric;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sweep file that was checked: everything that a study does.
 *
 * @param releases ε of models beside the final one, each alone; ascending
 * @param metric by which runs are compared
 * @param schedule by which the study is run again
 * @param account of the data set, on which the study draws
 * @param card of the registered data set that it names, if it names one
 */
public record SweepDefinition(
    String name,
    String description,
    SweepData data,
    Budget budget,
    List<Epsilon> releases,
    SearchStrategy search,
    ScoreRule score,
    Metric metric,
    TrainDefinition train,
    RunSettings run,
    OutputSettings output,
    Optional<CronSchedule> schedule,
    Optional<String> account,
    Optional<CardText> card) {
  private static final String ACCOUNT_CACHE = "mutune-features-";

  public SweepDefinition {
    releases = List.copyOf(releases);
  }

  /** n, the public number of training rows. */
  public long rows() {
    return data.rows();
  }

  /** Whether test rows are private, so that each figure on them is charged. */
  public boolean hasPrivateTest() {
    return data.test().filter(DataSource::isPrivate).isPresent();
  }

  /** The number of classes; 0 where targets are real. */
  public int classes() {
    return data.classes();
  }

  public boolean hasRealTargets() {
    return classes() == Labelling.REAL;
  }

  /** How much a row of each class counts, of which the heaviest has 1; empty where all do alike. */
  public Optional<Map<String, Double>> classWeights() {
    if (!(train.loss() instanceof WeightedLoss weighted)
        || !(data.training().spec().labelling() instanceof ClassLabels classes)) {
      return Optional.empty();
    }
    Map<String, Double> byName = new LinkedHashMap<>();
    for (int c = 0; c < classes.size(); c++) {
      byName.put(classes.names().get(c), weighted.weights().factors().get(c));
    }
    return Optional.of(byName);
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
    return train.scale(budget, classes(), rows);
  }

  /** The account that charges go to; rows that are declared to need no protection have none. */
  public Optional<String> chargedAccount() {
    return data.declared().isOpen() ? Optional.empty() : account;
  }

  /**
   * The folder in which features are kept: an account's own, so that all that is in it is known to
   * follow from the account's rows.
   */
  public Optional<Path> cacheFolder() {
    return data.featureCache()
        .map(
            folder ->
                chargedAccount().map(ACCOUNT_CACHE::concat).map(folder::resolve).orElse(folder));
  }

  /** Every file and folder that the sweep names; nothing else is opened for it. */
  public List<NamedFile> files() {
    List<NamedFile> files = data.files(cacheFolder());
    train
        .method()
        .start()
        .file()
        .ifPresent(start -> files.add(new NamedFile("train.start", start, NamedFile.Use.OPEN)));
    output
        .perInstance()
        .ifPresent(f -> files.add(new NamedFile("output.perInstance", f, NamedFile.Use.KEPT)));
    files.add(new NamedFile("output.directory", output.directory(), NamedFile.Use.RELEASED));
    return files;
  }

  /** Those that are read. */
  public List<Path> filesRead() {
    return files().stream().filter(named -> !named.isWritten()).map(NamedFile::path).toList();
  }

  /**
   * The same with another search, as a comparison has it: in a store of its own, which knows no
   * data set and no account, and whose files are no account's.
   */
  public SweepDefinition with(SearchStrategy other, ScoreRule otherScore, NoiseRule noise) {
    return alone(
        data.training(), other, otherScore, new RunSettings(run.parallelTrials(), noise), output);
  }

  /** The same on other training rows, in such a store. */
  public SweepDefinition on(DataSource rows, RunSettings otherRun, OutputSettings otherOutput) {
    return alone(rows, search, score, otherRun, otherOutput);
  }

  private SweepDefinition alone(
      DataSource rows,
      SearchStrategy otherSearch,
      ScoreRule otherScore,
      RunSettings otherRun,
      OutputSettings otherOutput) {
    return new SweepDefinition(
        name,
        description,
        data.withoutCache(rows),
        budget,
        releases,
        otherSearch,
        otherScore,
        metric,
        train,
        otherRun,
        otherOutput,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
