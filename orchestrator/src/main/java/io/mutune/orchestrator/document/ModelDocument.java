package io.mutune.orchestrator.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.study.MutuneBuild;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.trainer.feature.FeatureMap;
import io.mutune.trainer.feature.FeaturePipeline;
import io.mutune.trainer.format.ClassLabels;
import io.mutune.trainer.format.DataSpec;
import io.mutune.trainer.format.Labelling;
import io.mutune.trainer.format.RowForm;
import io.mutune.trainer.format.TargetRange;
import io.mutune.trainer.loss.HingeLoss;
import io.mutune.trainer.loss.Loss;
import io.mutune.trainer.loss.LossType;
import io.mutune.trainer.model.LinearModel;
import io.mutune.trainer.model.ModelFile;
import io.mutune.trainer.model.TrainedModel;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import io.mutune.trainer.setting.SettingsMap;
import io.mutune.trainer.table.Table;
import java.io.ByteArrayOutputStream;
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
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.core.JacksonException;

/**
 * A model as two files: {@code model.npz} with the array {@code weights} [features, columns], and
 * {@code model.json}, this record, with its classes, its features, the form of its rows and what
 * made it.
 */
public record ModelDocument(
    String study,
    String name,
    @JsonUnwrapped GuaranteeNote guarantee,
    String model,
    String loss,
    Optional<Map<String, Double>> classWeights,
    @JsonUnwrapped Form form,
    Maker provenance)
    implements Document {
  private static final String WEIGHTS = "weights";

  /** This record, beside the model. */
  public static final String DESCRIPTION = "model.json";

  /** A model that is a file of its trainer's. */
  public static final String FILE = "model.bin";

  /** A linear model. */
  public static final String WEIGHTS_FILE = "model.npz";

  private static final String TYPE = "type";
  private static final String LINEAR = "linear";

  /** The range of real targets. */
  public record Range(double min, double max) {
    static Optional<Range> of(Labelling labelling) {
      return labelling instanceof TargetRange range
          ? Optional.of(new Range(range.min(), range.max()))
          : Optional.empty();
    }
  }

  /**
   * What is needed to use the model.
   *
   * @param classes in the order of the columns, where the labels are classes
   * @param features maps that a row goes through, each with its type and its parameters
   */
  public record Form(
      Optional<List<String>> classes,
      Optional<Range> target,
      List<Map<String, Object>> features,
      RowsDocument data) {
    /**
     * @param columns of a row before any feature map, where the sweep does not state them: its maps
     *     do not change them then
     */
    static Form of(SweepDefinition sweep, FeaturePipeline features, int columns) {
      DataSpec spec = sweep.data().training().spec();
      Integer stated = spec.features();
      return new Form(
          spec.labelling() instanceof ClassLabels labels
              ? Optional.of(labels.names())
              : Optional.empty(),
          Range.of(spec.labelling()),
          features.maps().stream().map(ModelDocument::described).toList(),
          RowsDocument.of(spec, stated == null ? columns : stated));
    }

    Labelling labelling() {
      if (target.isPresent() && classes.isPresent()) {
        throw new IllegalArgumentException("it has classes and a target");
      }
      return target
          .<Labelling>map(range -> new TargetRange(range.min(), range.max()))
          .orElseGet(() -> new ClassLabels(classes.orElse(List.of())));
    }

    FeaturePipeline pipeline() {
      List<FeatureMap> maps = new ArrayList<>();
      for (Map<String, Object> feature : features) {
        Map<String, Double> parameters = new LinkedHashMap<>();
        feature.forEach(
            (key, value) -> {
              if (value instanceof Number number) {
                parameters.put(key, number.doubleValue());
              }
            });
        maps.add(FeatureMap.of(String.valueOf(feature.get(TYPE)), parameters));
      }
      return new FeaturePipeline(maps);
    }

    RowForm rows(FeaturePipeline pipeline, int weights) {
      int outputs = pipeline.outputs(data.features());
      if (outputs != weights) {
        throw new IllegalArgumentException(
            "its rows have %d features, the weights %d".formatted(outputs, weights));
      }
      RowForm rows = data.form();
      Table table = rows.table();
      if (table != null) {
        table.label().ifPresent(label -> checkLabel(label.name(), Labelling.of(table)));
      }
      return rows;
    }

    /** By the column's labels {@code --metrics} judges what the model predicts. */
    private void checkLabel(String column, Labelling labels) {
      if (!labels.equals(labelling())) {
        throw new IllegalArgumentException(
            "its column '%s' and its classes or target differ".formatted(column));
      }
    }
  }

  public record Maker(Optional<String> mutune, String java, String platform) {}

  /** Which study made it, and under which guarantee. */
  public record Made(Optional<String> study, Optional<String> name) {
    String about(GuaranteeNote note) {
      String which = "Made by the study " + name.orElse("?") + "-" + study.orElse("?") + ". ";
      return which
          + note.why()
              .map(why -> "It comes without a guarantee: " + why)
              .orElse("What is guaranteed is in the statement of that study.");
    }
  }

  /**
   * Writes a model of a study.
   *
   * @param folder that is there already
   */
  public static void write(Path folder, StudyResult result, TrainedModel model) throws IOException {
    if (model instanceof ModelFile file) {
      Files.write(folder.resolve(FILE), file.content());
    } else {
      NpzFile.write(
          folder.resolve(WEIGHTS_FILE),
          Map.of(
              WEIGHTS,
              new NpyArray(new int[] {model.features(), model.columns()}, model.weights())));
    }
    ModelDocument made =
        of(
            result.study(),
            GuaranteeNote.of(result.statement()),
            model instanceof ModelFile,
            result.features(),
            result.model().features());
    Files.writeString(folder.resolve(DESCRIPTION), Json.write(made));
  }

  /**
   * The description of any model of a study.
   *
   * @param isFile whether it is a file of its trainer's
   * @param features all maps that a row goes through
   * @param columns of a row before them, where the sweep does not state them
   */
  public static ModelDocument of(
      Study study, GuaranteeNote guarantee, boolean isFile, FeaturePipeline features, int columns) {
    SweepDefinition sweep = study.sweep();
    return new ModelDocument(
        study.id(),
        sweep.name(),
        guarantee,
        isFile ? "file" : LINEAR,
        sweep.train().loss().key(),
        sweep.classWeights(),
        Form.of(sweep, features, columns),
        new Maker(
            Optional.of(MutuneBuild.here().version()),
            System.getProperty("java.vm.version"),
            System.getProperty("os.name") + " " + System.getProperty("os.arch")));
  }

  private static Map<String, Object> described(FeatureMap map) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put(TYPE, map.name());
    described.putAll(map.parameters());
    return described;
  }

  /** Whether a file of weights has no other array. */
  public static boolean hasWeightsAlone(Path npz) throws IOException {
    return NpzFile.read(npz).keySet().equals(Set.of(WEIGHTS));
  }

  /**
   * Whether a file's arrays give its very bytes; another machine may deflate the same to others.
   */
  public static boolean isAsWrittenHere(Path npz) throws IOException {
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    NpzFile.write(made, NpzFile.read(npz));
    return Arrays.equals(made.toByteArray(), Files.readAllBytes(npz));
  }

  /**
   * The model of a folder, also where it is a file that its trainer wrote.
   *
   * @throws IOException if a file is missing or not what it should be
   */
  public static TrainedModel model(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return Files.isRegularFile(file)
        ? new ModelFile(1, 1, Files.readAllBytes(file))
        : read(folder).model();
  }

  /**
   * Reads a model.
   *
   * @param path the npz file, the folder that holds it or {@code model.json}, which stands beside
   *     it
   * @throws IOException if a file is missing or not what it should be
   */
  public static StoredModel read(Path path) throws IOException {
    Path npz =
        Files.isDirectory(path)
            ? path.resolve(WEIGHTS_FILE)
            : path.endsWith(DESCRIPTION) ? path.resolveSibling(WEIGHTS_FILE) : path;
    Path described = npz.resolveSibling(DESCRIPTION);
    if (Files.isRegularFile(npz.resolveSibling(FILE))) {
      throw new IOException(
          npz.resolveSibling(FILE)
              + ": is a model that only the trainer understands that wrote it: score rows with it");
    }
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
      String text = Files.readString(described);
      Json.read(text, Version.class).check();
      Form form = Json.read(text, Form.class);
      Trained trained = Json.read(text, Trained.class);
      trained.check();
      LinearModel model = new LinearModel(weights.shape()[0], weights.shape()[1], weights.values());
      Labelling labelling = form.labelling();
      checkColumns(model, labelling);
      Loss loss = trained.read(model, labelling);
      FeaturePipeline features = form.pipeline();
      return new StoredModel(
          model,
          labelling,
          features,
          form.rows(features, model.features()),
          loss,
          Json.read(text, GuaranteeNote.class).why(),
          Json.read(text, Made.class).about(Json.read(text, GuaranteeNote.class)));
    } catch (JacksonException | CharacterCodingException e) {
      throw new IOException(described + ": is not the description of a model", e);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          described + ": is not the description of this model: " + e.getMessage(), e);
    } catch (ArithmeticException e) {
      throw new IOException(
          described + ": is not the description of this model: it has too many features", e);
    }
  }

  /** Read before all else: another version may have other keys. */
  public record Version(OptionalInt version) {
    private void check() {
      version.stream()
          .filter(given -> given != Json.VERSION)
          .forEach(
              given -> {
                throw new IllegalArgumentException(
                    "it is of version %d, and this is read: %d".formatted(given, Json.VERSION));
              });
    }
  }

  /** By what a model was trained; nothing of it is in a description that somebody else wrote. */
  public record Trained(Optional<String> model, Optional<String> loss) {
    private void check() {
      model
          .filter(kind -> !kind.equals(LINEAR))
          .ifPresent(
              kind -> {
                throw new IllegalArgumentException(
                    "its 'model' is '%s', and weights are '%s'".formatted(kind, LINEAR));
              });
    }

    /** With its usual settings, which change no figure; if none is named one that knows least. */
    Loss read(LinearModel read, Labelling labelling) {
      if (loss.isEmpty()) {
        return new HingeLoss();
      }
      Loss named =
          type(loss.get()).read(SettingsMap.of(Map.of()), labelling.size() == Labelling.REAL);
      int columns = named.columns(labelling.size());
      if (columns != read.columns()) {
        throw new IllegalArgumentException(
            "its loss, %s, has %d columns, the weights %d"
                .formatted(loss.get(), columns, read.columns()));
      }
      return named;
    }

    private static LossType type(String key) {
      return Loss.all().stream()
          .filter(type -> type.key().equals(key))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("there is no loss '" + key + "'"));
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
}
