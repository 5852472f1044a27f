package io.mutune.orchestrator.study;

import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.PublicRows;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.feature.RowMap;
import io.mutune.trainer.method.PublicInputs;
import io.mutune.trainer.method.PublicTraining;
import io.mutune.trainer.method.Start;
import io.mutune.trainer.method.StartWeights;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.network.EncoderLibrary;
import io.mutune.trainer.network.TextEncoder;
import io.mutune.trainer.npy.NpyArray;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The model that a sweep's runs start from: public, and the same for whoever makes it. */
public final class StartModel {
  private static final int SHOWN_TEXTS = 10;

  private StartModel() {}

  /**
   * Reads or trains it.
   *
   * @param files of the sweep
   * @param rows the sweep's public ones, mapped as training has them
   * @param features all maps that a row goes through
   * @return empty for zero weights
   * @throws IllegalArgumentException if the file, or the rows, make no model
   * @throws IOException if a file cannot be read
   */
  private static Optional<LinearModel> of(
      StudyDataFiles files, Optional<PublicRows> rows, FeaturePipeline features)
      throws IOException {
    SweepDefinition sweep = files.sweep();
    Start start = sweep.train().method().start();
    if (start.file().isPresent()) {
      return Optional.of(read(files.arrays(start.file().get())));
    }
    if (start instanceof Start.FromLabelNames names) {
      return Optional.of(encoded(sweep, names, features));
    }
    return start instanceof Start.FromPublicRows training
        ? Optional.of(
            new PublicTraining(training.settings(sweep.train().loss(), sweep.classes()))
                .train(rows.orElseThrow(), () -> false)
                .model())
        : Optional.empty();
  }

  /** What training starts from that a statement does not cover, in words. */
  static Optional<String> unprotected(SweepDefinition sweep) {
    Start start = sweep.train().method().start();
    if (start instanceof Start.FromLabelNames names) {
      List<String> texts = texts(sweep, names);
      return Optional.of(
          "the texts that training starts from, as the encoder has them, one a class: "
              + texts.stream()
                  .limit(SHOWN_TEXTS)
                  .map(text -> "'" + text + "'")
                  .collect(Collectors.joining(", "))
              + (texts.size() > SHOWN_TEXTS ? " and so on" : "")
              + ": the sweep calls them public");
    }
    return start
        .file()
        .map(
            file ->
                "the weights of "
                    + file.getFileName()
                    + " that training starts from: the sweep calls them public");
  }

  /** One for each class, in their order: of a sweep that has classes. */
  private static List<String> texts(SweepDefinition sweep, Start.FromLabelNames start) {
    return start.texts().isEmpty() ? sweep.data().classNames() : start.texts();
  }

  /** Each class's text is a row's: through the encoder, then through the maps. */
  private static LinearModel encoded(
      SweepDefinition sweep, Start.FromLabelNames start, FeaturePipeline features)
      throws IOException {
    List<String> texts = texts(sweep, start);
    double[][] encodings = new double[texts.size()][];
    try (TextEncoder encoder = EncoderLibrary.usual().openTexts(sweep.data().encoders().get(0))) {
      float[] row = new float[encoder.width()];
      RowMap map = features.open(row.length);
      float[] image = new float[features.outputs(row.length)];
      for (int c = 0; c < encodings.length; c++) {
        encoder.encode(texts.get(c), row, 0);
        map.apply(row, 0, image, 0);
        encodings[c] = new double[image.length];
        for (int j = 0; j < image.length; j++) {
          encodings[c][j] = image[j];
        }
      }
    }
    int columns = sweep.train().loss().columns(sweep.classes());
    return StartWeights.ofEncodings(encodings, start.scale(), columns);
  }

  /**
   * What training reads without a charge.
   *
   * @param rows as in {@link #of}; empty where the method needs none
   * @param features all maps that a row goes through
   * @throws IllegalArgumentException if the file, or the rows, make no model
   * @throws IOException if a file cannot be read
   */
  public static PublicInputs inputs(
      StudyDataFiles files, Optional<PublicRows> rows, FeaturePipeline features)
      throws IOException {
    return new PublicInputs(rows, of(files, rows, features));
  }

  private static LinearModel read(Map<String, NpyArray> arrays) {
    NpyArray weights = arrays.get("weights");
    if (weights == null || weights.shape().length != 2) {
      throw new IllegalArgumentException("it has no array 'weights' of two dimensions");
    }
    if (!Arrays.stream(weights.values()).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("it has a weight that is not a finite number");
    }
    return new LinearModel(weights.shape()[0], weights.shape()[1], weights.values());
  }
}
