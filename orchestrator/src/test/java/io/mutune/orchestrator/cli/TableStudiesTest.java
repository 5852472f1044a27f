package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.display.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies of tables with texts, gaps and people of many rows. */
class TableStudiesTest {
  private static final List<String> NAMES = List.of("who", "age", "job", "class");
  private static final String COLUMNS =
      """
        columns:
          who: {type: id}
          age: {type: number, min: 0, max: 100, fill: 40}
          job: {type: category, values: [farm, office], other: true}
          class: {type: label, values: [low, high]}
      """;
  private static final String REST =
      """
      budget: {epsilon: 2, delta: 1.0e-4}
      search: {strategy: fixed, space: {logitNoise: 1, steps: 20}}
      """;

  @TempDir Path folder;

  /** Made-up people, each with one to five rows. */
  private static List<List<String>> rows(int people) {
    Random random = new Random(5);
    List<List<String>> rows = new ArrayList<>();
    for (int person = 0; person < people; person++) {
      for (int row = random.nextInt(5); row >= 0; row--) {
        double age = Math.round(random.nextDouble() * 1000) / 10.0;
        String job = List.of("farm", "office", "sea").get(random.nextInt(3));
        boolean high = age + (job.equals("office") ? 30 : 0) + 20 * random.nextGaussian() > 60;
        rows.add(
            List.of(
                "p" + person,
                random.nextInt(20) == 0 ? "" : Double.toString(age),
                job,
                high ? "high" : "low"));
      }
    }
    return rows;
  }

  private void write(String file, String separator, List<List<String>> rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of(String.join(separator, NAMES)));
    rows.forEach(row -> lines.add(String.join(separator, row)));
    Files.write(folder.resolve(file), lines);
  }

  private void writeJson(String file, List<List<String>> rows) throws IOException {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(
          "{\"who\": \"%s\", %s\"job\": \"%s\", \"class\": \"%s\"}"
              .formatted(
                  row.get(0),
                  row.get(1).isEmpty() ? "" : "\"age\": " + row.get(1) + ", ",
                  row.get(2),
                  row.get(3)));
    }
    Files.write(folder.resolve(file), lines);
  }

  /** Ages as decimals, the others as texts. */
  private void writeParquet(String file, List<List<String>> rows) throws IOException {
    LogicalTypeAnnotation text = LogicalTypeAnnotation.stringType();
    MessageType schema =
        Types.buildMessage()
            .required(PrimitiveTypeName.BINARY)
            .as(text)
            .named("who")
            .optional(PrimitiveTypeName.INT32)
            .as(LogicalTypeAnnotation.decimalType(1, 4))
            .named("age")
            .required(PrimitiveTypeName.BINARY)
            .as(text)
            .named("job")
            .required(PrimitiveTypeName.BINARY)
            .as(text)
            .named("class")
            .named("people");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(folder.resolve(file)))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .build()) {
      for (List<String> row : rows) {
        SimpleGroup group = new SimpleGroup(schema);
        for (int i = 0; i < NAMES.size(); i++) {
          if (!NAMES.get(i).equals("age")) {
            group.add(i, row.get(i));
          } else if (!row.get(i).isEmpty()) {
            group.add(i, new BigDecimal(row.get(i)).unscaledValue().intValueExact());
          }
        }
        writer.write(group);
      }
    }
  }

  /** A study of the same sweep, in a store of its own that has the set in that format. */
  private Path run(String format, String more) throws IOException {
    String runs = folder.resolve("runs-" + format + more.length()).toString();
    String card =
        "version: 1\nname: people\n"
            + COLUMNS.indent(-2)
            + more
            + "private: {path: rows.%1$s, format: %1$s, rows: 900, declared: simulated}\n"
                .formatted(format);
    Path file = Files.writeString(folder.resolve("card.yaml"), card);
    CommandRun.of("data", "add", file.toString(), "--output", runs).succeeded();
    String sweep = sweep("{method: noisy-gd}\nrun: {noise: {seed: 3}}");
    return CommandRun.of("run", sweep, "--output", runs).succeeded().folder();
  }

  @Test
  void theSameTable_givesTheSameModelInEachFormat() throws IOException {
    List<List<String>> rows = rows(300);
    write("rows.csv", ",", rows);
    write("rows.tsv", "\t", rows);
    writeJson("rows.jsonl", rows);
    writeParquet("rows.parquet", rows);
    for (String unit : List.of("", "unit: {column: who, rows: 3, people: 300}\n")) {
      Path csv = run("csv", unit);
      byte[] model = Files.readAllBytes(csv.resolve("model.npz"));
      for (String format : List.of("tsv", "parquet", "jsonl")) {
        Path study = run(format, unit);
        assertThat(study.resolve("model.npz")).hasBinaryContent(model);
        assertThat(statement(study)).isEqualTo(statement(csv));
      }
    }
  }

  /** But for the study's id, times, and the hashes over these. */
  private static String statement(Path study) throws IOException {
    String statement = Files.readString(study.resolve("statement.json"));
    assertThat(Json.read(statement).path("charges")).isNotEmpty();
    String id = String.valueOf(study.getFileName()).replaceFirst(".*-", "");
    return statement
        .replace(id, "ID")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll("\\b[0-9a-f]{64}\\b", "HASH");
  }

  private CommandRun mutune(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--output", folder.resolve("runs").toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private void register() throws IOException {
    write("rows.csv", ",", rows(900));
    write("test.csv", ",", rows(100));
    String card =
        "version: 1\nname: people\nbudget: {mu: 5}\n"
            + COLUMNS.indent(-2)
            + """
            unit: {column: who, rows: 3, people: 900}
            private: {path: rows.csv, format: csv}
            test: {path: test.csv}
            """;
    mutune("data", "add", Files.writeString(folder.resolve("card.yaml"), card).toString())
        .succeeded();
  }

  private String sweep(String train) throws IOException {
    return Files.writeString(
            folder.resolve("sweep.yaml"),
            "version: 1\nname: persons\ndata: people\n" + REST + "train: " + train + "\n")
        .toString();
  }

  @Test
  void whereAPersonIsTheUnit_theStatementSaysSo_andTheAuditAgrees() throws IOException {
    register();
    CommandRun run = mutune("run", sweep("{method: noisy-gd}")).succeeded();

    assertThat(run.out())
        .contains("Protected: one person, all rows with the same who, of which at most 3 count")
        .contains("the data with and without the person look alike")
        .doesNotContain("each row is protected on its own");
    assertThat(run.out()).containsPattern("Test accuracy: [678]\\d");
    mutune("audit").succeeded();
    assertThat(mutune("data", "show", "people").succeeded().out())
        .contains("people:     900, private")
        .contains("a person by who, of whom at most 3 rows count");
    assertThat(mutune("data", "show", "people", "--format", "json").succeeded().out())
        .containsPattern("\"people\" *: 900");
    assertThat(Files.readString(run.folder().resolve("report.html")))
        .contains("with and without the person look alike", "Telling whether a person took part");
  }

  @Test
  void aModelCard_countsPeople_andOneThatCalledThemRowsStillAgrees() throws IOException {
    register();
    Path study = mutune("run", sweep("{method: noisy-gd}")).succeeded().folder();
    CommandRun.of("card", study.toString()).succeeded();
    Path card = study.resolve("card.md");

    String text = Files.readString(card);
    assertThat(text).contains("- People: 900, as stated in public").doesNotContain("- Rows");
    Files.writeString(card, text.replace("- People: ", "- Rows: "));
    CommandRun.of("verify", study.toString()).succeeded();
  }

  /** The same people in all three parts: what each costs adds up. */
  @Test
  void privateValidationAndTestRowsOfPeople_areScoredByPerson_andChargedInFull()
      throws IOException {
    write("rows.csv", ",", rows(900));
    write("held.csv", ",", rows(300));
    Files.copy(folder.resolve("held.csv"), folder.resolve("tested.csv"));
    String parts =
        """
        unit: {column: who, rows: 3, people: 900}
        private: {path: rows.csv, format: csv}
        validation: {path: held.csv, private: true, people: 300}
        test: {path: tested.csv, private: true, people: 300}
        """;
    String head = "version: 1\nname: people\nbudget: {mu: 5}\n" + COLUMNS.indent(-2);
    Path card = Files.writeString(folder.resolve("card.yaml"), head + parts);
    assertThat(mutune("data", "add", card.toString()).succeeded().out())
        .contains("The file has 900 people and 900 are stated, 0.0% apart: close enough.")
        .contains("There are 300 people, and up to 5 rows of one.")
        .containsPattern(
            "\\d+ of them have more than unit.rows says \\(3\\): the rows above it are");
    String search =
        """
        strategy: scale-free
          sweeps: [{epsilon: 0.3, trials: 3}]
          space: {logitNoise: {min: 0.3, max: 3}, steps: 20}
          score: {on: validation, epsilon: 0.1}
        """;
    String sweep = sweep("{method: noisy-gd}");
    Path file = Path.of(sweep);
    Files.writeString(
        file, Files.readString(file).replaceFirst("search: .*", "search:\n  " + search.strip()));
    CommandRun run = mutune("run", sweep).succeeded();
    assertThat(run.out())
        .contains("count, of data.private, data.validation, data.test of the data set people")
        .contains("a noisy sum over people of the share of their private validation rows that is")
        .contains("a noisy test accuracy, a mean over people, charged")
        .contains("Test accuracy: ");
    assertThat(Json.read(Files.readString(run.folder().resolve("statement.json"))).path("charges"))
        .extracting(charge -> charge.path("what").asString())
        .contains("score 1", "score 2", "score 3", "test score");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("epsilon: 0.1}", "epsilon: 0.1, test: [confusion, probabilities]}"));
    CommandRun counted = mutune("run", sweep).succeeded();
    assertThat(counted.out())
        .contains("On the private test rows of 300 people, as stated, by counts with noise of ")
        .contains(" of the people; area under")
        .doesNotContain("300 private test rows", " of the rows; area under");
    CommandRun.of("card", counted.folder().toString()).succeeded();
    assertThat(Files.readString(counted.folder().resolve("card.md")))
        .contains("On the private test rows of 300 people");
    assertThat(Files.readString(counted.folder().resolve("report.html")))
        .contains(">people, noisy<", "Noisy counts of the people of each class")
        .doesNotContain("test rows, noisy");
    mutune("audit").succeeded();

    Path uncounted = folder.resolve("uncounted.yaml");
    Files.writeString(
        uncounted, (head + parts).replace(", people: 300}\ntest", ", rows: 300}\ntest"));
    CommandRun refused = mutune("data", "add", uncounted.toString());
    assertThat(refused.status()).isEqualTo(ExitCode.INVALID);
    assertThat(refused.err())
        .contains("uncounted.yaml:11: ")
        .contains(
            "validation.people is missing; state in public how many people these rows are of");
    Files.writeString(
        uncounted,
        (head + parts).replace("private: true, people: 300}\ntest", "people: 300}\ntest"));
    assertThat(mutune("data", "add", uncounted.toString()).err())
        .contains("people is for private rows where the unit is a person; was");
  }

  @Test
  void whatIsPrivateForSingleRowsAlone_isRefusedBeforeAnythingIsCharged() throws IOException {
    register();
    for (String method :
        List.of(
            "{method: objective-perturbation, loss: logistic}", "{method: agd, loss: logistic}")) {
      CommandRun refused = mutune("run", sweep(method));
      assertThat(refused.status()).isEqualTo(ExitCode.INVALID);
      assertThat(refused.err()).contains("has no guarantee for people");
    }
    assertThat(mutune("data", "history", "people").out()).doesNotContain("reserved");
  }
}
