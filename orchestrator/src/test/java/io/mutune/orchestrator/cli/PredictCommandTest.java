package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PredictCommandTest {
  private static final String CSV =
      """
      {"format": "csv", "delimiter": ",", "header": false, "label": "last", "features": 2}""";
  private static final String NAMED =
      """
      {"format": "csv", "delimiter": ";", "header": true, "label": "kind", "features": 2}""";
  private static final String LIBSVM =
      """
      {"format": "libsvm", "features": 2}""";
  private static final String IDX =
      """
      {"format": "idx", "features": 2}""";

  @TempDir Path folder;

  private Path model;

  /** The greater of two features between 0 and 8 names the class. */
  @BeforeEach
  void writeModel() throws IOException {
    model = Files.createDirectory(folder.resolve("toy-1"));
    weights(new int[] {2, 2}, 1, 0, 0, 1);
    describe(CSV);
  }

  private void weights(int[] shape, double... values) throws IOException {
    NpzFile.write(model.resolve("model.npz"), Map.of("weights", new NpyArray(shape, values)));
  }

  private void describe(String data) throws IOException {
    description(
        """
        {"version": 1, "classes": ["left", "right"],
         "features": [{"type": "scale", "min": 0, "max": 8}], "data": %s}"""
            .formatted(data));
  }

  private void description(String json) throws IOException {
    Files.writeString(model.resolve("model.json"), json);
  }

  private Path file(String text) throws IOException {
    return file(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("rows"), bytes);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  private record Answer(int status, String out, String err) {}

  private static Answer mutune(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        MutuneCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> words = new ArrayList<>(List.of("predict"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    int status = command.execute(words.toArray(String[]::new));
    return new Answer(status, out.toString(), err.toString());
  }

  private void assertPredicts(Path file, List<String> classes, Object... options) {
    List<Object> arguments = new ArrayList<>(List.of(model, file, "--format", "json"));
    arguments.addAll(List.of(options));
    Answer answer = mutune(arguments.toArray());
    assertThat(answer.err()).isEmpty();
    assertThat(answer.status()).isZero();
    List<String> predicted = new ArrayList<>();
    Json.read(answer.out())
        .withArray("predictions")
        .forEach(prediction -> predicted.add(prediction.path("class").asString()));
    assertThat(predicted).isEqualTo(classes);
  }

  private static void assertFails(Answer answer, String line) {
    assertThat(answer.err()).isEqualTo("mutune: " + line + System.lineSeparator());
    assertThat(answer.out()).isEmpty();
    assertThat(answer.status()).isEqualTo(2);
  }

  @Test
  void table_hasALineARow() throws IOException {
    Answer answer = mutune(model, file("7,1\n2,3\n0,0\n"));
    assertThat(answer.out())
        .isEqualTo(
            """
            row  class
            ----------
              1  left
              2  right
              3  left
            """);
    assertThat(answer.err()).isEmpty();
    assertThat(answer.status()).isZero();
  }

  @Test
  void json_countsRowsFromOne_andWritesLabelsAsText() throws IOException {
    description(
        """
        {"classes": ["0", "1"], "features": [], "data": %s}"""
            .formatted(CSV));
    Answer answer = mutune(model, file("7,1\n2,3\n"), "--format", "json");
    assertThat(Json.read(answer.out()))
        .isEqualTo(
            Json.read(
                """
                {"version": 1,
                 "predictions": [{"row": 1, "class": "0"}, {"row": 2, "class": "1"}]}"""));
  }

  @Test
  void featureMapsOfTheModel_areApplied() throws IOException {
    assertPredicts(file("9,10\n"), List.of("left")); // both are clamped, and the first wins a tie
  }

  @Test
  void model_mayBeGivenByItsNpz() throws IOException {
    model = model.resolve("model.npz");
    assertPredicts(file("7,1\n"), List.of("left"));
  }

  @Test
  void model_mayBeGivenByItsDescription() throws IOException {
    model = model.resolve("model.json");
    assertPredicts(file("7,1\n"), List.of("left"));
  }

  @Test
  void npz_isKnownByItsName() throws IOException {
    Path rows = folder.resolve("rows.npz");
    NpzFile.write(
        rows, Map.of("features", new NpyArray(new int[] {2, 2}, new double[] {7, 1, 2, 3})));
    assertPredicts(rows, List.of("left", "right"));
  }

  @Test
  void modelOfOneLogit_hasTwoClasses() throws IOException {
    weights(new int[] {2, 1}, -1, 1);
    assertPredicts(file("7,1\n1,7\n"), List.of("left", "right"));
  }

  @Test
  void labelColumnOfTheTrainingFile_isSkipped_whateverItHolds() throws IOException {
    assertPredicts(file("7,1,left\n2,3,unheard of\n2,3,\n"), List.of("left", "right", "right"));
  }

  @Test
  void layoutOfTheTrainingFile_isTheDefault() throws IOException {
    describe(NAMED);
    assertPredicts(file("a;kind;b\n7;?;1\n"), List.of("left"));
    assertPredicts(file("a;b\n7;1\n"), List.of("left"));
  }

  @Test
  void options_comeBeforeTheLayoutOfTheTrainingFile() throws IOException {
    describe(NAMED);
    assertPredicts(file("7\t1\n"), List.of("left"), "--no-header", "--delimiter", "\\t");
    assertPredicts(file("7,1\n"), List.of("left"), "--no-header", "--delimiter", ",");
    assertPredicts(file("x;7;1\n"), List.of("left"), "--no-header", "--label", "first");
    assertPredicts(file("7;x;1\n"), List.of("left"), "--no-header", "--label", "1");
    assertPredicts(file("a;b\n7;1\n"), List.of("left"), "--label", "none");
    assertPredicts(
        file("of 2026\n\na;b\n7;1\n"), List.of("left"), "--label", "none", "--skip-lines", "2");
    describe(CSV);
    assertPredicts(file("a,c,b\n7,x,1\n"), List.of("left"), "--header", "--label", "c");
  }

  @Test
  void textThatIsGzip_isKnownByItsName() throws IOException {
    byte[] packed = gzip("2,3\n".getBytes(StandardCharsets.UTF_8));
    assertPredicts(Files.write(folder.resolve("rows.csv.gz"), packed), List.of("right"));
    Path unnamed = file(packed);
    assertFails(mutune(model, unnamed), unnamed + ": is gzip: its name must end in .gz");
  }

  @Test
  void libsvm_isReadWithLabelsAndWithout() throws IOException {
    describe(LIBSVM);
    assertPredicts(file("1:7 2:1\n5 2:3\n2:3\n"), List.of("left", "right", "right"));
  }

  @Test
  void idx_isReadWithoutLabels() throws IOException {
    describe(IDX);
    byte[] rows = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 7, 1, 2, 3};
    assertPredicts(file(rows), List.of("left", "right"));
    describe(CSV);
    assertPredicts(file(gzip(rows)), List.of("left", "right"), "--type", "idx");
  }

  @Test
  void csvForAModelOfAnotherFormat_isReadTheUsualWay() throws IOException {
    describe(IDX);
    assertPredicts(file("7,1\n"), List.of("left"), "--type", "csv");
    assertPredicts(file("7,1,x\n"), List.of("left"), "--type", "csv", "--label", "last");
  }

  @Test
  void fileWithoutRows_givesTheHeadAlone() throws IOException {
    assertThat(mutune(model, file(""))).isEqualTo(new Answer(0, "row  class\n----------\n", ""));
    assertPredicts(file(""), List.of());
    describe(NAMED);
    assertPredicts(file("a;b\n"), List.of());
  }

  @Test
  void modelThatIsNotThere_isNamed() throws IOException {
    Path gone = folder.resolve("gone");
    assertFails(mutune(gone, file("7,1\n")), gone + ": there is no such file");
    Files.delete(model.resolve("model.json"));
    assertFails(
        mutune(model, file("7,1\n")), model.resolve("model.json") + ": there is no such file");
    Files.delete(model.resolve("model.npz"));
    assertFails(
        mutune(model, file("7,1\n")), model.resolve("model.npz") + ": there is no such file");
  }

  @Test
  void damagedWeights_areRefused() throws IOException {
    Path npz = model.resolve("model.npz");
    byte[] sound = Files.readAllBytes(npz);
    sound[sound.length / 2] ^= 1;
    Files.write(npz, sound);
    assertFailsWith(npz + ": ");
    Files.writeString(npz, "weights");
    assertFails(
        mutune(model, file("7,1\n")), npz + ": is truncated or damaged: its zip does not unpack");
    weights(new int[] {4}, 1, 0, 0, 1);
    assertFails(mutune(model, file("7,1\n")), npz + ": has no array 'weights' of two dimensions");
    weights(new int[] {2, 2}, 1, 0, 0, Double.NaN);
    assertFails(mutune(model, file("7,1\n")), npz + ": has a weight that is not a finite number");
    weights(new int[] {0, 2});
    assertFailsWith(model.resolve("model.json") + ": is not the description of this model: ");
  }

  private void assertFailsWith(String start) throws IOException {
    Answer answer = mutune(model, file("7,1\n"));
    assertThat(answer.err()).startsWith("mutune: " + start).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.status()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "not json",
        "[]",
        "{}",
        "{\"classes\": 3}",
        "{\"classes\": [\"a\", \"b\"], \"features\": [{\"type\": 3}]}",
        "{\"classes\": [\"a\", \"b\"], \"features\": [{\"type\": \"scale\"}]}",
        "{\"classes\": [\"a\", \"b\"], \"data\": 1}",
        "{\"classes\": [\"a\", \"b\"], \"data\": {\"features\": 2}}",
        "{\"classes\": [\"a\", \"b\"], \"data\": {\"format\": \"xls\", \"features\": 2}}",
        "{\"classes\": [\"a\", \"b\"], \"data\": {\"format\": \"csv\", \"features\": 2}}",
        "{\"classes\": [\"a\", \"b\"], \"data\": {\"format\": \"csv\", \"features\": 2,"
            + " \"delimiter\": \"ab\", \"header\": false, \"label\": \"last\"}}",
        "{\"classes\": [\"a\", \"b\"], \"data\": {\"format\": \"csv\", \"features\": 2,"
            + " \"delimiter\": \",\", \"header\": 7, \"label\": []}}",
      })
  void descriptionThatDescribesNoModel_isRefused(String json) throws IOException {
    description(json);
    assertFailsWith(model.resolve("model.json") + ": is not the description of ");
  }

  /** Two columns, and rows of two numbers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"version\": 2| it is of version 2, and this is read: 1",
        "\"model\": \"file\"| its 'model' is 'file', and weights are 'linear'",
        "\"loss\": \"logistic\"| its loss, logistic, has 1 columns, the weights 2",
        "\"loss\": \"squared\", \"target\": {\"min\": 0, \"max\": 1}| it has classes and a target",
        "\"loss\": \"none\"| there is no loss 'none'",
      })
  void descriptionThatContradictsItself_isRefused(String said, String why) throws IOException {
    description(
        """
        {%s, "classes": ["left", "right"], "features": [],
         "data": {"format": "npy", "features": 2}}"""
            .formatted(said));
    assertFails(
        mutune(model, file("7,1\n")),
        model.resolve("model.json") + ": is not the description of this model: " + why);
  }

  /** Whose other keys may be of any kind. */
  @Test
  void descriptionOfAnotherVersion_isRefusedAsThat() throws IOException {
    description("{\"version\": 2, \"classes\": 3, \"model\": {\"kind\": \"linear\"}}");
    assertFails(
        mutune(model, file("7,1\n")),
        model.resolve("model.json")
            + ": is not the description of this model: it is of version 2, and this is read: 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"type\": \"label\", \"values\": [\"right\", \"left\"]",
        "\"type\": \"label\", \"values\": [\"left\", \"right\", \"none\"]",
        "\"type\": \"target\", \"min\": 0, \"max\": 1",
      })
  void labelOfATableThatIsNotWhatTheModelPredicts_isRefused(String label) throws IOException {
    description(
        """
        {"classes": ["left", "right"], "features": [],
         "data": {"format": "csv", "delimiter": ",", "header": true, "features": 2, "table":
          {"columns": [{"name": "a", "type": "number", "min": 0, "max": 8, "knots": 0},
           {"name": "b", "type": "number", "min": 0, "max": 8, "knots": 0},
           {"name": "y", %s}]}}}"""
            .formatted(label));
    assertFails(
        mutune(model, file("a,b,y\n7,1,left\n"), "--metrics"),
        model.resolve("model.json")
            + ": is not the description of this model: its column 'y' and its classes or target"
            + " differ");
  }

  @Test
  void featuresThatAreNoNumberOfThem_areRefused() throws IOException {
    String refusal = model.resolve("model.json") + ": is not the description of ";
    describe("{\"format\": \"npy\", \"features\": 2.5}");
    assertFails(mutune(model, file("7,1\n")), refusal + "a model");
    description(
        """
        {"classes": ["left", "right"], "features": [{"type": "constant"}],
         "data": {"format": "npy", "features": 2147483647}}""");
    assertFails(mutune(model, file("7,1\n")), refusal + "this model: it has too many features");
  }

  @Test
  void descriptionThatIsNoText_isRefused() throws IOException {
    Files.write(model.resolve("model.json"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertFailsWith(model.resolve("model.json") + ": is not the description of a model");
  }

  @Test
  void descriptionOfAnotherModel_isRefusedWithBothNumbers() throws IOException {
    String refusal = model.resolve("model.json") + ": is not the description of this model: ";
    weights(new int[] {2, 3}, 1, 0, 0, 1, 0, 0);
    assertFails(
        mutune(model, file("7,1\n")), refusal + "it has 2 classes, the weights have 3 columns");
    weights(new int[] {3, 2}, 1, 0, 0, 1, 0, 0);
    assertFails(mutune(model, file("7,1\n")), refusal + "its rows have 2 features, the weights 3");
  }

  @Test
  void wrongWidth_namesBoth() throws IOException {
    Path rows = file("1,2,3,4\n");
    assertFails(mutune(model, rows), rows + ":1: has 4 columns instead of 2, or 3 with a label");
    describe(IDX);
    file(new byte[] {0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 3, 7, 1, 2});
    assertFails(mutune(model, rows), rows + ": has 3 columns instead of 2");
    describe(LIBSVM);
    file("1:1 3:1\n");
    assertFails(mutune(model, rows), rows + ":1: entry 2 has an index outside 1-2");
  }

  @Test
  void badValue_isToldWithItsLine_andNothingIsPrinted() throws IOException {
    Path rows = file("7,1\n7,x\n");
    assertFails(mutune(model, rows), rows + ":2: column 2 is not a finite number");
  }

  @Test
  void fileThatCannotBeRead_isNamed() throws IOException {
    Path gone = folder.resolve("gone.csv");
    assertFails(mutune(model, gone), gone + ": there is no such file");
    assertFails(mutune(model, folder), folder + ": is a folder, not a file");
    Path rows = folder.resolve("rows.gz");
    Files.write(rows, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0});
    assertFails(mutune(model, rows), rows + ": is truncated or damaged: its gzip does not unpack");
  }

  @Test
  void optionsThatDoNotFitTheFile_areRefused() throws IOException {
    Path rows = file("7,1\n");
    assertFails(
        mutune(model, rows, "--type", "idx", "--header"),
        "--header is for csv and tsv, and the file is to be read as idx");
    assertFails(
        mutune(model, rows, "--label", "kind"),
        "--label names a column, 'kind', which needs --header");
    assertFails(
        mutune(model, rows, "--delimiter", "::"),
        "--delimiter must be one character, no quote and no #; was '::'");
    assertFails(
        mutune(model, rows, "--skip-lines", "-1"), "--skip-lines must be 0 or more; was -1");
    Answer answer = mutune(model, rows, "--type", "xls");
    assertThat(answer.status()).isEqualTo(2);
    assertThat(answer.err()).contains("--type");
  }
}
