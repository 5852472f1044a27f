package io.mutune.orchestrator.report;

import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.NpyArray;
import io.mutune.trainer.data.NpzFile;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model as two files: {@code model.npz} with the array {@code weights} [features, columns], and
 * {@code model.json} with its classes, its features and what made it.
 */
public final class ModelDocument {
  private static final String WEIGHTS = "weights";

  /** A model read back. */
  public record StoredModel(LinearModel model, ClassLabels classes, FeaturePipeline features) {}

  private ModelDocument() {}

  static void write(Path folder, StudyResult result) throws IOException {
    LinearModel model = result.model();
    NpzFile.write(
        folder.resolve("model.npz"),
        Map.of(
            WEIGHTS, new NpyArray(new int[] {model.features(), model.columns()}, model.weights())));
    Files.writeString(folder.resolve("model.json"), Json.write(json(result)));
  }

  private static ObjectNode json(StudyResult result) {
    SweepDefinition sweep = result.study().sweep();
    ObjectNode json = Json.document();
    json.put("study", result.study().id()).put("name", sweep.name());
    json.put("model", "linear").put("loss", sweep.train().loss().key());
    ArrayNode classes = json.putArray("classes");
    sweep.training().spec().classes().names().forEach(classes::add);
    ArrayNode features = json.putArray("features");
    for (FeatureMap map : sweep.features().maps()) {
      ObjectNode feature = features.addObject().put("type", map.name());
      map.parameters().forEach(feature::put);
    }
    ObjectNode provenance = json.putObject("provenance");
    String version = ModelDocument.class.getPackage().getImplementationVersion();
    if (version != null) {
      provenance.put("mutune", version);
    }
    provenance
        .put("java", System.getProperty("java.vm.version"))
        .put("platform", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    return json;
  }

  /**
   * Reads a model.
   *
   * @param path the npz file, or the folder that holds it; {@code model.json} stands beside it
   * @throws IOException if a file is missing or not what it should be
   */
  public static StoredModel read(Path path) throws IOException {
    Path npz = Files.isDirectory(path) ? path.resolve("model.npz") : path;
    Path described = npz.resolveSibling("model.json");
    for (Path file : List.of(npz, described)) {
      if (!Files.isRegularFile(file)) {
        throw new IOException(file + ": there is no such file");
      }
    }
    NpyArray weights = NpzFile.read(npz).get(WEIGHTS);
    if (weights == null || weights.shape().length != 2) {
      throw new IOException(npz + ": has no array 'weights' of two dimensions");
    }
    try {
      ObjectNode json = Json.read(Files.readString(described));
      List<String> classes = new ArrayList<>();
      json.withArray("classes").forEach(name -> classes.add(name.asString()));
      List<FeatureMap> maps = new ArrayList<>();
      for (JsonNode feature : json.withArray("features")) {
        Map<String, Double> parameters = new LinkedHashMap<>();
        feature
            .properties()
            .forEach(
                p -> {
                  if (p.getValue().isNumber()) {
                    parameters.put(p.getKey(), p.getValue().asDouble());
                  }
                });
        maps.add(FeatureMap.of(feature.path("type").asString(), parameters));
      }
      int columns = weights.shape()[1];
      if (columns != classes.size() && !(columns == 1 && classes.size() == 2)) {
        throw new IOException(
            described + ": names " + classes.size() + " classes for " + columns + " columns");
      }
      return new StoredModel(
          new LinearModel(weights.shape()[0], columns, weights.values()),
          new ClassLabels(classes),
          new FeaturePipeline(maps));
    } catch (JacksonException | IllegalArgumentException e) {
      throw new IOException(described + ": is not the description of a model", e);
    }
  }
}
