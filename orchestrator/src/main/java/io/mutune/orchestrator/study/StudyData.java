package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.DataSource;
import io.mutune.orchestrator.sweep.MeanStep;
import io.mutune.orchestrator.sweep.SweepData;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PrivateData;
import io.mutune.trainer.data.PublicData;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.gradient.Engine;
import io.mutune.trainer.method.PrivateMean;
import io.mutune.trainer.method.TrainingMethod;
import io.mutune.trainer.table.ColumnGroups;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The data sets of one study, none of them read before it is asked for. */
final class StudyData {
  private final PrivateData training;
  private final Optional<PublicData> openTraining;
  private final Optional<PublicData> publicRows;
  private final Optional<PrivateData> privateValidation;
  private final Optional<PublicData> publicValidation;
  private final Optional<PrivateData> privateTest;
  private final Optional<PublicData> publicTest;

  private final StudyDataFiles files;
  private final SweepDefinition sweep;
  private final FeaturePipeline features;
  private final PublicRows beside;
  private final Optional<double[]> mean;

  private StudyData(
      StudyDataFiles files, FeaturePipeline features, PublicRows beside, Optional<double[]> mean) {
    this.files = files;
    this.sweep = files.sweep();
    this.features = features;
    this.beside = beside;
    this.mean = mean;
    training = privately(sweep.data().training()).and(beside);
    openTraining =
        sweep.data().declared().isOpen()
            ? Optional.of(publicly(sweep.data().training()))
            : Optional.empty();
    publicRows = sweep.data().publicRows().map(rows -> publicly(rows));
    privateValidation =
        sweep.data().validation().filter(DataSource::isPrivate).map(v -> privately(v));
    publicValidation = sweep.data().validation().filter(v -> !v.isPrivate()).map(v -> publicly(v));
    privateTest = sweep.data().test().filter(DataSource::isPrivate).map(t -> privately(t));
    publicTest = sweep.data().test().filter(t -> !t.isPrivate()).map(t -> publicly(t));
  }

  /** The data sets of a study whose private mean, if it takes one, is not released yet. */
  static StudyData of(StudyDataFiles files) throws IOException {
    return of(files, PublicRows.none());
  }

  /**
   * The data sets of a study with training rows beside those of the sweep. Public rows are read
   * here where a feature map takes their mean.
   *
   * @param beside the further training rows, before any feature map
   */
  static StudyData of(StudyDataFiles files, PublicRows beside) throws IOException {
    SweepData data = files.sweep().data();
    FeaturePipeline features =
        data.features()
            .withMeans(
                before ->
                    files
                        .publicly(data.publicRows().orElseThrow(), before, FeaturePipeline.of())
                        .rows()
                        .mean());
    return new StudyData(files, features, beside, data.mean().map(MeanStep::nothing));
  }

  /** A copy whose rows have the released private mean subtracted. */
  StudyData with(double[] released) {
    return new StudyData(files, features, beside, Optional.of(released));
  }

  /** All that a row goes through; a private mean that is not released yet counts as zero. */
  FeaturePipeline allFeatures() {
    return sweep.data().mean().map(step -> step.in(features, mean.orElseThrow())).orElse(features);
  }

  /** What opens the files of these data sets. */
  StudyDataFiles files() {
    return files;
  }

  PrivateData training() {
    return training;
  }

  /**
   * The training rows, read as public ones are.
   *
   * @throws IllegalStateException unless the sweep declares them public or simulated
   */
  PublicRows openTraining() throws IOException {
    return openTraining
        .orElseThrow(
            () -> new IllegalStateException("data.private is private: it is read for charges only"))
        .rows();
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

  /** The private test rows before any feature map, so that each row still tells its group. */
  PrivateData privateTestBeforeMaps() {
    DataSource test = sweep.data().test().filter(DataSource::isPrivate).orElseThrow();
    return files.privately(test, FeaturePipeline.of(), FeaturePipeline.of());
  }

  Optional<PublicRows> publicTest() throws IOException {
    return publicTest.isPresent() ? Optional.of(publicTest.get().rows()) : Optional.empty();
  }

  /** The public test rows, of which each is the encoded value of one column. */
  PublicRows publicTest(ColumnGroups by) throws IOException {
    DataSource test = sweep.data().test().filter(t -> !t.isPrivate()).orElseThrow();
    return files
        .publicly(test.withTable(by::alone), FeaturePipeline.of(), FeaturePipeline.of())
        .rows();
  }

  /**
   * Looks whether private rows can be read, as far as that shows before: if not, it must not cost a
   * charge.
   *
   * @return how much memory they and sums over them take by their stated numbers
   */
  double checkReading() throws IOException {
    List<PrivateData> parts =
        Stream.of(Optional.of(training), privateValidation, privateTest)
            .flatMap(Optional::stream)
            .toList();
    TrainingMethod method = sweep.train().method();
    int columns = sweep.train().loss().columns(sweep.classes());
    int trials = sweep.run().parallelTrials();
    for (PrivateData part : parts) {
      part.checkMachines(features -> Engine.bytesBesideAPart(features, columns, trials));
    }
    List<PrivateData> here = new ArrayList<>(parts);
    Optional<PrivateData> grouped = groupedTest();
    if (grouped.isPresent()) {
      FeaturePipeline maps = allFeatures();
      grouped.get().checkMachines(features -> PrivateData.bytesOfMapping(maps, features));
      here.add(grouped.get());
    }
    if (mean.isPresent()) {
      PrivateData before = beforeMean();
      before.checkMachines(features -> 0);
      if (training.isElsewhere()) {
        here.add(before); // else they have the room of the training rows
      }
    }
    double sums = mean.isPresent() ? PrivateMean.MOST_ROWS : Double.POSITIVE_INFINITY;
    boolean copies = method.copiesRows() || sweep.search().sampleRate() < 1;
    return PrivateData.checkRoom(
        here,
        copies ? List.of(training) : List.of(),
        method.isExternal() ? columns : 0,
        features -> Math.min(sums, Engine.mostRows((double) features * columns)),
        features ->
            Engine.bytesBesideRows(features, columns, trials)
                + trials * method.bytesKept((double) features * columns));
  }

  /** Read beside the mapped rows where figures are told by group. */
  private Optional<PrivateData> groupedTest() {
    return sweep.output().by().isPresent() && privateTest.isPresent()
        ? Optional.of(privateTestBeforeMaps())
        : Optional.empty();
  }

  /** Reads all that is public: what is wrong with it must not cost a charge. */
  void readPublic() throws IOException {
    for (Optional<PublicData> part : List.of(publicRows, publicValidation, publicTest)) {
      if (part.isPresent()) {
        part.get().rows();
      }
    }
  }

  private PrivateData privately(DataSource source) {
    return files.privately(source, kept(), then());
  }

  private PublicData publicly(DataSource source) {
    return files.publicly(source, kept(), then());
  }

  /** The training rows as the private mean is taken of them. */
  PrivateData beforeMean() {
    return files.privately(sweep.data().training(), kept(), FeaturePipeline.of()).and(beside);
  }

  /** Maps whose images are the same in every study. */
  private FeaturePipeline kept() {
    return sweep.data().mean().map(step -> step.before(features)).orElse(features);
  }

  /** The mean and what comes after it. */
  private FeaturePipeline then() {
    return sweep
        .data()
        .mean()
        .map(step -> step.from(features, mean.orElseThrow()))
        .orElse(FeaturePipeline.of());
  }
}
