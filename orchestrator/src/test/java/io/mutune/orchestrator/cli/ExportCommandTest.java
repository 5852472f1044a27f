package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.table.Cell;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportCommandTest {
  private static final int ROWS = 1000;

  /** Probabilities are printed as float32, of which those near 1 are 6e-8 apart. */
  private static final double PRINTED = 1e-7;

  @TempDir Path folder;

  private static CommandRun export(Path model, Path output, String... more) {
    return CommandRun.of(
        Stream.concat(
                Stream.of("export", model.toString(), "--output", output.toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  /** Each row's class and its probabilities. */
  private List<String[]> predicted(Path model, String rows) throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), rows);
    return CommandRun.of("predict", model.toString(), file.toString(), "--format", "csv")
        .succeeded()
        .out()
        .lines()
        .skip(1)
        .map(line -> line.replace("\"b \"\"@DATA@\"\"\"", "b \"@DATA@\"").split(",", -1))
        .toList();
  }

  private Class<?> compiled(Path model) throws IOException, ClassNotFoundException {
    Path source = folder.resolve("Small.java");
    assertThat(export(model, source).succeeded().err()).isEmpty();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-Xlint:all",
                "-Werror",
                "-cp",
                folder.toString(),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(status).isZero();
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, null).loadClass("Small");
  }

  private static void assertEqual(Class<?> model, Object[] rows, List<String[]> predicted)
      throws ReflectiveOperationException {
    Method predict = model.getMethod("predict", rows[0].getClass());
    Method probabilities = model.getMethod("probabilities", rows[0].getClass());
    assertThat(predicted).hasSize(rows.length);
    for (int i = 0; i < rows.length; i++) {
      assertThat(predict.invoke(null, rows[i])).isEqualTo(predicted.get(i)[1]);
      double[] found = (double[]) probabilities.invoke(null, rows[i]);
      for (int c = 0; c < found.length; c++) {
        assertThat(found[c])
            .isCloseTo(Double.parseDouble(predicted.get(i)[2 + c]), within(PRINTED));
      }
    }
  }

  @Test
  void java_saysTheSameOfRawCells() throws Exception {
    Path model = SmallModels.table(folder.resolve("model"));
    String text = SmallModels.tableRows(ROWS);
    Object[] rows = text.lines().skip(1).map(line -> line.split(",", -1)).toArray();
    List<String[]> predicted = predicted(model, text);
    assertThat(predicted.stream().map(row -> row[1]).distinct()).hasSize(2);
    assertEqual(compiled(model), rows, predicted);
  }

  /** Without the library that Mutune has for it. */
  @Test
  void java_hashesANumber_asMutuneWritesIt() throws Exception {
    Method written =
        compiled(SmallModels.table(folder.resolve("model")))
            .getDeclaredMethod("written", double.class);
    written.setAccessible(true);
    for (double number : SmallModels.oddNumbers()) {
      assertThat(written.invoke(null, number)).isEqualTo(Cell.written(number));
    }
  }

  /** A method has 64 KB, and a class as many constants. */
  @Test
  void java_ofThousandsOfColumns_isCompiled() throws Exception {
    Path model = SmallModels.wide(folder.resolve("model"), 4000);
    List<String> names = new ArrayList<>();
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      names.addAll(List.of("x" + i, "c" + i));
      cells.addAll(List.of("" + i / 2.0, i % 3 == 0 ? "b" : "a" + i));
    }
    names.add("y");
    cells.add("left");
    List<String[]> predicted =
        predicted(model, String.join(",", names) + "\n" + String.join(",", cells) + "\n");
    Object[] rows = {cells.toArray(String[]::new)};
    assertEqual(compiled(model), rows, predicted);
  }

  @Test
  void java_ofThousandsOfClasses_isCompiled() throws Exception {
    String names =
        IntStream.range(0, 9000).mapToObj(c -> "\"c" + c + '"').collect(Collectors.joining(", "));
    Path model =
        SmallModels.write(
            folder.resolve("model"),
            "\"loss\": \"hinge\", \"classes\": [" + names + "]",
            "[]",
            SmallModels.NUMBERS.formatted(1),
            new int[] {1, 9000});
    List<String[]> predicted = predicted(model, "1\n-1\n");
    Method predict = compiled(model).getMethod("predict", float[].class);
    assertThat(predict.invoke(null, new float[] {1})).isEqualTo(predicted.get(0)[1]);
    assertThat(predict.invoke(null, new float[] {-1})).isEqualTo(predicted.get(1)[1]);
  }

  @Test
  void java_saysTheSameOfNumbers() throws Exception {
    Path model = SmallModels.numbers(folder.resolve("model"));
    String text = SmallModels.numberRows(ROWS);
    Object[] rows = text.lines().map(ExportCommandTest::floats).toArray();
    List<String[]> predicted = predicted(model, text);
    assertThat(predicted.stream().map(row -> row[1]).distinct()).hasSize(3);
    assertEqual(compiled(model), rows, predicted);
  }

  private static float[] floats(String line) {
    String[] cells = line.split(",", -1);
    float[] row = new float[cells.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = Float.parseFloat(cells[i]);
    }
    return row;
  }

  @Test
  void java_givesTargetsBetweenTheBounds() throws Exception {
    Path model = SmallModels.target(folder.resolve("model"));
    List<String[]> predicted = predicted(model, "-3\n0.25\n0\n");
    Method predict = compiled(model).getMethod("predict", float[].class);
    List<String> found = new ArrayList<>();
    for (float x : new float[] {-3, 0.25f, 0}) {
      found.add(predict.invoke(null, new float[] {x}).toString());
    }
    assertThat(found).isEqualTo(predicted.stream().map(row -> row[1]).toList()).contains("20.0");
  }

  @Test
  void java_refusesARowThatDoesNotFit_byItsColumn() throws Exception {
    Class<?> model = compiled(SmallModels.table(folder.resolve("model")));
    Map<String, String> row = Map.of("age", "x");
    Method scores = model.getMethod("scores", Map.class);
    assertThat(scores.invoke(null, Map.of("age", "40", "level", "low", "born", "01 Feb 1970")))
        .isNotNull();
    InvocationTargetException thrown =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            InvocationTargetException.class, () -> scores.invoke(null, row));
    assertThat(thrown.getCause())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column 'age' is not a finite number");
    InvocationTargetException misspelt =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            InvocationTargetException.class, () -> scores.invoke(null, Map.of("agee", "40")));
    assertThat(misspelt.getCause()).hasMessage("there is no column 'agee'");
  }

  @Test
  void json_hasAllThatARowGoesThrough() throws IOException {
    Path model = SmallModels.table(folder.resolve("model"));
    Path output = folder.resolve("small.json");
    export(model, output).succeeded();
    var document = Json.read(Files.readString(output));
    assertThat(document.path("link").asString()).isEqualTo("logistic");
    assertThat(document.path("about").asString()).startsWith("Made by the study small-1. ");
    assertThat(document.path("input").path("columns")).hasSize(SmallModels.COLUMNS.size());
    assertThat(document.path("steps").path(0).path("step").asString()).isEqualTo("apart");
    assertThat(document.path("weights")).hasSize(34);
    Path second = folder.resolve("again.json");
    export(model, second).succeeded();
    assertThat(second).hasSameTextualContentAs(output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "java", "onnx", "npz"})
  void whatCannotBeWrittenDown_isNamed(String form) throws IOException {
    requireRefused(
        form,
        "\"hog\", \"height\": 8, \"width\": 8, \"channels\": 1, \"cell\": 4, \"orientations\": 9,"
            + " \"block\": 2",
        36,
        "hog");
    requireRefused(
        form,
        "\"random-fourier\", \"features\": 6, \"gamma\": 1, \"seed\": 0, \"orthogonal\": 1",
        6,
        "random-fourier with orthogonal directions");
  }

  private void requireRefused(String form, String map, int features, String named)
      throws IOException {
    Path model =
        SmallModels.write(
            folder.resolve("model"),
            "\"classes\": [\"a\", \"b\"]",
            "[{\"type\": " + map + "}]",
            "{\"format\": \"idx\", \"features\": 64}",
            new int[] {features, 2});
    Path output = folder.resolve("Small." + form);
    assertThat(export(model, output).failedWith(2))
        .isEqualTo(
            "mutune: %s: the feature map %s cannot be written down as %s"
                .formatted(model, named, form));
    assertThat(output).doesNotExist();
  }

  @Test
  void onnx_hasNoHash() throws IOException {
    Path model = SmallModels.table(folder.resolve("model"));
    assertThat(export(model, folder.resolve("small.onnx")).failedWith(2))
        .isEqualTo(
            "mutune: %s: the column 'zip' of type hashed has no such hash in ONNX and cannot be"
                    .formatted(model)
                + " written down as onnx");
  }

  @Test
  void wrongUse_isToldInOneLine() throws IOException {
    Path model = SmallModels.target(folder.resolve("model"));
    assertThat(export(model, folder.resolve("small.pkl")).failedWith(2))
        .contains("--to must say which of json, java, onnx and npz small.pkl is to be");
    assertThat(export(model, folder.resolve("a-b.java")).failedWith(2))
        .contains(
            "--output must name a Java class that its own code does not name, such as Model.java;"
                + " was 'a-b.java'");
    for (String taken : List.of("Row", "Texts", "List", "String", "record", "var")) {
      assertThat(export(model, folder.resolve(taken + ".java")).failedWith(2))
          .contains("was '" + taken + ".java'");
    }
    assertThat(export(model, folder.resolve("gone/x.json")).failedWith(2))
        .contains("there is no folder");
    assertThat(export(folder.resolve("gone"), folder.resolve("x.json")).failedWith(2))
        .endsWith("gone: there is no such file");
    export(model, folder.resolve("small.pkl"), "--to", "json").succeeded();
    for (String document : List.of("model.npz", "model.json", "result.json")) {
      assertThat(export(model, model.resolve(document), "--to", "json").failedWith(2))
          .endsWith(document + ": is a document of the study; name another file");
    }
    export(model, model.resolve("small.json")).succeeded();
  }

  @Test
  void aStoreAndItsWitness_areNotWrittenOver() throws IOException {
    Path model = SmallModels.target(folder.resolve("model"));
    CommandRun.of("account", "create", "rows", "--mu", "1", "--output", folder.toString())
        .succeeded();
    Files.writeString(folder.resolve("mutune.db-wal"), "the newest charges");
    for (String kept : List.of("mutune.db", "mutune.db-wal", "mutune.db.witness")) {
      byte[] before = Files.readAllBytes(folder.resolve(kept));
      assertThat(export(model, folder.resolve(kept), "--to", "json").failedWith(2))
          .endsWith(kept + ": is a file of SQLite, as a store is, or a witness; name another file");
      assertThat(folder.resolve(kept)).hasBinaryContent(before);
    }
  }
}
