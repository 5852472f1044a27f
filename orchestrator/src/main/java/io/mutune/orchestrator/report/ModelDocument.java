package io.mutune.orchestrator.report;

import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.data.ClassLabels;
import io.mutune.trainer.data.CsvLayout;
import io.mutune.trainer.data.DataFormat;
import io.mutune.trainer.data.DataSpec;
import io.mutune.trainer.data.LabelColumn;
import io.mutune.trainer.data.Labelling;
import io.mutune.trainer.data.NpyArray;
import io.mutune.trainer.data.NpzFile;
import io.mutune.trainer.data.TargetRange;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.model.LinearModel;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model as two files: {@code model.npz} with the array {@code weights} [features, columns], and
 * {@code model.json} with its classes, its features, the form of its rows and what made it.
 */
public final class ModelDocument {
  private static final String WEIGHTS = "weights";

  /**
   * The form of the rows that a model learned from, and so of the next ones most likely.
   *
   * @param csv for other formats the usual one, with no label column
   * @param features how many columns a row has without its label, before any feature map
   */
  public record RowForm(DataFormat format, CsvLayout csv, int features) {}

  /**
   * A model read back; its parts suit each other.
   *
   * @param why the stated ε does not hold; empty where it does
   */
  public record StoredModel(
      LinearModel model,
      Labelling labelling,
      FeaturePipeline features,
      RowForm form,
      Optional<String> why) {}

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
    json.setAll(Json.tree(GuaranteeNote.of(result.statement())));
    json.put("model", "linear").put("loss", sweep.train().loss().key());
    putLabelling(json, sweep.training().spec().labelling());
    ArrayNode features = json.putArray("features");
    for (FeatureMap map : result.features().maps()) {
      ObjectNode feature = features.addObject().put("type", map.name());
      map.parameters().forEach(feature::put);
    }
    json.set("data", data(sweep.training().spec(), inputs(result)));
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

  /** A row's columns before any feature map; a sweep whose maps change them states them. */
  private static int inputs(StudyResult result) {
    Integer stated = result.study().sweep().training().spec().features();
    return stated == null ? result.model().features() : stated;
  }

  private static void putLabelling(ObjectNode json, Labelling labelling) {
    if (labelling instanceof ClassLabels classes) {
      classes.names().forEach(json.putArray("classes")::add);
    } else if (labelling instanceof TargetRange range) {
      json.putObject("target").put("min", range.min()).put("max", range.max());
    }
  }

  private static ObjectNode data(DataSpec spec, int features) {
    ObjectNode json = Json.object().put("format", spec.format().key());
    if (spec.format() == DataFormat.CSV) {
      json.put("delimiter", String.valueOf(spec.csv().delimiter()));
      json.put("header", spec.csv().header());
      json.put("label", spec.csv().label().text());
      if (spec.csv().lineBreaks()) {
        json.put("lineBreaks", true);
      }
    }
    return json.put("features", features);
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
    if (!Arrays.stream(weights.values()).allMatch(Double::isFinite)) {
      throw new IOException(npz + ": has a weight that is not a finite number");
    }
    try {
      ObjectNode json = Json.read(Files.readString(described));
      LinearModel model = new LinearModel(weights.shape()[0], weights.shape()[1], weights.values());
      Labelling labelling = labelling(json);
      checkColumns(model, labelling);
      FeaturePipeline features = features(json);
      return new StoredModel(
          model,
          labelling,
          features,
          form(json, features, model.features()),
          Json.read(json, GuaranteeNote.class).why());
    } catch (JacksonException | CharacterCodingException e) {
      throw new IOException(described + ": is not the description of a model", e);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          described + ": is not the description of this model: " + e.getMessage(), e);
    }
  }

  private static void checkColumns(LinearModel model, Labelling labelling) {
    boolean oneLogit =
        model.columns() == 1 && (labelling.size() == 2 || labelling.size() == Labelling.REAL);
    if (model.columns() != labelling.size() && !oneLogit) {
      throw new IllegalArgumentException(
          "it has %d classes, the weights have %d columns"
              .formatted(labelling.size(), model.columns()));
    }
  }

  private static Labelling labelling(ObjectNode json) {
    JsonNode target = json.path("target");
    if (target.isObject()) {
      return new TargetRange(target.path("min").asDouble(), target.path("max").asDouble());
    }
    List<String> classes = new ArrayList<>();
    json.withArray("classes").forEach(name -> classes.add(name.asString()));
    return new ClassLabels(classes);
  }

  private static FeaturePipeline features(ObjectNode json) {
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
    return new FeaturePipeline(maps);
  }

  private static RowForm form(ObjectNode json, FeaturePipeline pipeline, int weights) {
    JsonNode data = json.path("data");
    if (!data.isObject()) {
      throw new IllegalArgumentException("'data', the form of the rows, is missing");
    }
    int features = data.path("features").asInt();
    int outputs = pipeline.outputs(features);
    if (outputs != weights) {
      throw new IllegalArgumentException(
          "its rows have %d features, the weights %d".formatted(outputs, weights));
    }
    DataFormat format = DataFormat.ofKey(data.path("format").asString());
    if (format != DataFormat.CSV) {
      return new RowForm(format, new CsvLayout(',', false, new LabelColumn.None()), features);
    }
    String delimiter = data.path("delimiter").asString();
    if (delimiter.length() != 1) {
      throw new IllegalArgumentException("'delimiter' must be one character");
    }
    return new RowForm(
        format,
        new CsvLayout(
            delimiter.charAt(0),
            data.path("header").asBoolean(),
            LabelColumn.of(data.path("label").asString()),
            data.path("lineBreaks").asBoolean(false)),
        features);
  }
}
