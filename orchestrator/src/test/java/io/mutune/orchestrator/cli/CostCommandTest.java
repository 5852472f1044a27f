package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.command.Interruption;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What {@code mutune cost} answers, and what it refuses. */
class CostCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Of what has a closed form; the reference tables' own tolerance. */
  private static final double CLOSED_FORM = 1e-10;

  private static CommandRun ask(String... words) {
    List<String> all = new ArrayList<>(List.of("cost"));
    all.addAll(List.of(words));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private static JsonNode json(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--format", "json"));
    return MAPPER.readTree(ask(all.toArray(String[]::new)).succeeded().out());
  }

  private static String refused(String words) {
    return ask(words.split(" ")).failedWith(ExitCode.INVALID);
  }

  private static double epsilon(JsonNode answer) {
    return answer.get("epsilon").asDouble();
  }

  @Test
  void gaussian_printsTheGuaranteeRoundedUpAndTheLowerEndDown() {
    String out = ask("gaussian", "--sigma=20", "--steps=28", "--delta=1e-5").succeeded().out();
    // 0.98577047493239.., see docs/composition-examples.md.
    assertThat(out)
        .contains("epsilon     0.985771\n", "at least    0.98577\n", "accountant  gdp\n");
    assertThat(out).contains("neighbours  add-remove\n");
  }

  @Test
  void replacingARow_doublesTheSensitivity() {
    // μ = 1/2: what oracle/gdp.json's formula gives; Rényi accounting has 2.166.
    assertThat(epsilon(json("gaussian", "--sigma=2", "--delta=1e-5")))
        .isCloseTo(1.99309, within(1e-5));
    assertThat(epsilon(json("gaussian", "--sigma=2", "--delta=1e-5", "--with=rdp")))
        .isCloseTo(2.166, within(5e-4));
    JsonNode replaced = json("gaussian", "--sigma=2", "--delta=1e-5", "--adjacency=replace-one");
    assertThat(epsilon(replaced)).isCloseTo(4.377178095681225, within(CLOSED_FORM));
    assertThat(replaced.get("adjacency").asString()).isEqualTo("replace-one");
  }

  private static String said(String... words) {
    List<String> all = new ArrayList<>(List.of("compose", "--delta=1e-5"));
    Collections.addAll(all, words);
    return ask(all.toArray(String[]::new)).succeeded().out();
  }

  /** A value from 0 to 1 has the distance 1 from another, and costs more than that on a sample. */
  @Test
  void onASampleWhereARowIsReplaced_theAnswerSaysWhatOfTheVectorsItAssumes() {
    String part = "subsampled-gaussian:sigma=1,samplingRate=0.01,sensitivity=1";
    String assumed = "assumes     vectors of norm at most half the sensitivity, in samples\n";
    assertThat(said("--adjacency=replace-one", part)).endsWith(assumed);
    assertThat(said(part)).doesNotContain(assumed);
    assertThat(said("--adjacency=replace-one", "gaussian:sigma=9")).doesNotContain(assumed);
  }

  @Test
  void mu_isTheSameAsItsSigma() {
    assertThat(epsilon(json("gaussian", "--mu=0.5", "--delta=1e-5")))
        .isEqualTo(epsilon(json("gaussian", "--sigma=2", "--delta=1e-5")));
  }

  @Test
  void delta_isAnsweredAtAnEpsilon_andLeadsBack() {
    JsonNode answer = json("gaussian", "--sigma=2", "--epsilon=1");
    String delta = answer.get("delta").asString();
    assertThat(epsilon(json("gaussian", "--sigma=2", "--delta=" + delta)))
        .isCloseTo(1, within(1e-9))
        .isLessThanOrEqualTo(1);
  }

  @Test
  void theComparison_marksTheTightestAndSaysWhyOthersDoNotApply() {
    JsonNode answer =
        json("dpsgd", "--sigma=1", "--q=0.01", "--steps=100", "--delta=1e-5", "--compare");
    double guarantee = answer.get("guarantee").asDouble();
    int tightest = 0;
    for (JsonNode row : answer.get("comparison")) {
      if (row.has("notApplicable")) {
        assertThat(row.get("notApplicable").asString()).isNotBlank();
      } else {
        assertThat(row.get("upper").asDouble()).isGreaterThanOrEqualTo(guarantee);
        tightest += row.get("tightest").asBoolean() ? 1 : 0;
      }
    }
    assertThat(tightest).isEqualTo(1);
    assertThat(answer.get("comparison").valueStream().map(r -> r.get("accountant").asString()))
        .containsExactly("gdp", "pld", "rdp", "zcdp", "advanced", "basic");
  }

  @Test
  void oneAccountant_canBeAskedByName() {
    JsonNode answer = json("gaussian", "--sigma=20", "--steps=28", "--delta=1e-5", "--with=rdp");
    assertThat(answer.get("accountant").asString()).isEqualTo("rdp");
    assertThat(epsilon(answer)).isGreaterThan(0.985771);
    assertThat(refused("dpsgd --sigma 1 --q 0.01 --steps 9 --delta 1e-5 --with zcdp"))
        .contains("zcdp does not apply", "not amplified by sampling");
  }

  @Test
  void compose_takesRunsNotationAndJson_allTheSame() {
    double notation = epsilon(json("compose", "--delta=1e-5", "gaussian:sigma=20,count=28"));
    String object =
        "{\"mechanism\": \"gaussian\", \"parameters\": {\"sigma\": \"20\"}, \"count\": 28}";
    assertThat(epsilon(json("compose", "--delta=1e-5", object))).isEqualTo(notation);
    assertThat(epsilon(json("compose", "--delta=1e-5", "[" + object + "]"))).isEqualTo(notation);
    assertThat(notation)
        .isEqualTo(epsilon(json("gaussian", "--sigma=20", "--steps=28", "--delta=1e-5")));
    // One run of ε costs that ε, and is never below it.
    assertThat(epsilon(json("compose", "--delta=1e-5", "0.2")))
        .isGreaterThanOrEqualTo(0.2)
        .isCloseTo(0.2, within(CLOSED_FORM));
  }

  @Test
  void oneRunAlone_isPrintedAsTheEpsilonThatItHas() {
    for (String epsilon : List.of("1", "0.2", "1x1", "3", "0.0001", "7.25")) {
      String shown = epsilon.replace("1x", "");
      String out = ask("compose", "--delta=1e-5", "--compare", epsilon).succeeded().out();
      assertThat(out).contains("epsilon     " + shown + "\n");
      assertThat(out.lines().filter(line -> line.startsWith("gdp "))).hasSize(1);
      assertThat(out.lines().filter(line -> line.startsWith("gdp ")).findFirst().orElseThrow())
          .matches("gdp +" + shown + " .*tightest");
    }
    // What is not exact is still rounded up: ε(√2·μ(1)) = 1.4647…
    assertThat(ask("compose", "--delta=1e-5", "1", "1").succeeded().out())
        .contains("epsilon     1.4")
        .doesNotContain("epsilon     2");
    double two = epsilon(json("compose", "--delta=1e-5", "2x1"));
    String printed =
        ask("compose", "--delta=1e-5", "2x1")
            .succeeded()
            .out()
            .lines()
            .findFirst()
            .orElseThrow()
            .replace("epsilon", "");
    assertThat(Double.parseDouble(printed)).isBetween(two, two + 1e-5);
  }

  @Test
  void compose_readsTheChargesOfAStatement(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("statement.json");
    Files.writeString(
        file,
        """
        {"version": 1, "adjacency": "add-remove", "charges": [
          {"what": "trial 1", "mechanism": "gaussian",
           "parameters": {"sigma": 20.0, "sensitivity": 1.0}, "count": 28, "mu": 0.26}]}
        """);
    assertThat(epsilon(json("compose", "--delta=1e-5", "--file=" + file)))
        .isEqualTo(epsilon(json("gaussian", "--sigma=20", "--steps=28", "--delta=1e-5")));
    assertThat(refused("compose --delta 1e-5 --adjacency replace-one --file " + file))
        .contains("add-remove", "replace-one");
    Files.writeString(file, "{\"guarantee\": \"void\", \"charges\": []}");
    assertThat(refused("compose --delta 1e-5 --file " + file))
        .contains("the statement's guarantee is void: its charges are not all that it cost");
    for (String key : List.of("guarantee", "adjacency")) {
      for (String value : List.of("null", "[\"void\"]", "{}", "0")) {
        Files.writeString(file, "{\"%s\": %s, \"charges\": []}".formatted(key, value));
        assertThat(refused("compose --delta 1e-5 --file " + file))
            .contains("statement.json: %s must be text; was %s".formatted(key, value));
      }
    }
  }

  @Test
  void aTotal_leavesTheLargestFinalRun_orIsPassed() {
    JsonNode answer = json("compose", "--delta=1e-5", "3x0.2", "3x0.3", "--total=1.0");
    double left = answer.get("final").get("eps_f").asDouble();
    // oracle/composition.json.
    assertThat(left).isCloseTo(0.693316, within(1e-6));
    assertThat(epsilon(json("compose", "--delta=1e-5", "3x0.2", "3x0.3", "1x" + left)))
        .isLessThanOrEqualTo(1.0 + 1e-12);
    JsonNode passed = json("compose", "--delta=1e-5", "3x0.2", "3x0.3", "0.7", "--total=1.0");
    assertThat(passed.get("fits").asBoolean()).isFalse();
    assertThat(passed.get("final").isNull()).isTrue();
    assertThat(ask("compose", "--delta=1e-5", "1", "--total=0.99").out())
        .containsPattern("left +nothing: the releases pass the total\n");
  }

  @Test
  void aRestThatIsPrintedAsZero_isNothing() {
    assertThat(ask("compose", "--delta=1e-5", "2.9999999999", "--total=3").out())
        .containsPattern("left +nothing: the releases take the whole total\n");
    assertThat(ask("compose", "--delta=1e-5", "2.99999999", "--total=3").out())
        .containsPattern("left +a Gaussian run of epsilon 3.05");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "0.2", "0.3"}) // one is a double, the nearest of the others is not
  void aTotalThatIsWhatTheReleasesCost_leavesNothing_andIsNotPassed(String epsilon) {
    JsonNode met = json("compose", "--delta=1e-5", epsilon, "--total=" + epsilon);
    assertThat(met.get("fits").asBoolean()).isTrue();
    assertThat(met.get("final").isNull()).isTrue();
    assertThat(ask("compose", "--delta=1e-5", epsilon, "--total=" + epsilon).out())
        .containsPattern("left +nothing: the releases take the whole total\n");
  }

  @ParameterizedTest
  @CsvSource({
    "--solve sigma --steps 100, sigma",
    "--solve steps --sigma 30, steps",
    "--solve q --sigma 1 --steps 100, q",
    "--solve final 3x0.2, eps_f"
  })
  void whatIsCalibrated_keepsTheBudgetAndIsNearItsEdge(String options, String key) {
    String words = "calibrate --epsilon 1 --delta 1e-5 " + options;
    JsonNode answer = json(words.split(" "));
    assertThat(answer.get("costs").asDouble()).isBetween(0.98, 1.0);
    assertThat(answer.get(key).asDouble())
        .isEqualTo(answer.get("guarantee").asDouble())
        .isBetween(answer.get("lower").asDouble(), answer.get("upper").asDouble());
  }

  @Test
  void aSigma_canBeCalibratedByALooserAccountant() {
    JsonNode any = json("calibrate", "--epsilon=1", "--delta=1e-5", "--steps=10", "--solve=sigma");
    JsonNode renyi =
        json(
            "calibrate",
            "--epsilon=1",
            "--delta=1e-5",
            "--steps=10",
            "--solve=sigma",
            "--with=rdp");
    assertThat(renyi.get("sigma").asDouble()).isGreaterThan(any.get("sigma").asDouble());
    assertThat(renyi.get("accountant").asString()).isEqualTo("rdp");
  }

  @Test
  void select_costsMoreThanARunAndLessThanAllOfThem() {
    double run = epsilon(json("gaussian", "--sigma=20", "--delta=1e-5"));
    JsonNode best = json("select", "gaussian:sigma=20", "--mean=10", "--delta=1e-5");
    assertThat(epsilon(best)).isGreaterThan(run);
    assertThat(best.get("mechanisms").get(0).get("mechanism").asString())
        .isEqualTo("repeat-and-select:truncated-negative-binomial:gaussian");
    assertThat(
            epsilon(
                json(
                    "select", "gaussian:sigma=20", "--mean=10", "--shape=poisson", "--delta=1e-5")))
        .isGreaterThan(run);
  }

  @Test
  void whatAnAnswerCharges_canBeAskedAgain() {
    JsonNode answer = json("select", "gaussian:sigma=20", "--mean=10", "--delta=1e-5");
    String again = answer.get("mechanisms").toString();
    // Read as decimals and rounded to more cost: an ulp of gamma.
    assertThat(epsilon(json("compose", "--delta=1e-5", again)))
        .isCloseTo(epsilon(answer), withinPercentage(1e-7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gaussian --sigma -1 --delta 1e-5 | --sigma must be finite and above 0; was -1",
        "gaussian --sigma 0 --delta 1e-5 | --sigma must be finite and above 0; was 0",
        "gaussian --sigma NaN --delta 1e-5 | --sigma must be a number; was 'NaN'",
        "gaussian --sigma inf --delta 1e-5 | --sigma must be finite and above 0; was inf",
        "gaussian --sigma 1 --delta 1 | delta must be at least 0 and below 1; was 1",
        "gaussian --sigma 1 --delta -1e-5 | delta must be at least 0 and below 1; was -1e-5",
        "gaussian --sigma 1 --steps 0 --delta 1e-5 | --steps must be a whole number, at least 1",
        "gaussian --sigma 1 --steps 1.5 --delta 1e-5 | was 1.5",
        "gaussian --sigma 1 --epsilon -1 | epsilon must be finite and at least 0; was -1",
        "gaussian --sigma 1 --delta 1e-5 --epsilon 1 | one of them",
        "gaussian --sigma 1 --mu 1 --delta 1e-5 | give --sigma or --mu, one of them",
        "gaussian --sigma 1 --delta 1e-5 --adjacency zero-out | adjacency must be one of add-remove, replace-one; was 'zero-out'",
        "gaussian --sigma 1 --delta 1e-5 --with moments | an accountant is one of",
        "dpsgd --sigma 1 --q 1.5 --steps 9 --delta 1e-5 | must be above 0 and at most 1; was 1.5",
        "dpsgd --sigma 1 --q 0 --steps 9 --delta 1e-5 | must be above 0 and at most 1; was 0",
        "compose --delta 1e-5 | give a PART or --file",
        "compose --delta 1e-5 0x0.2 | the count of 0x0.2 must be a whole number, at least 1",
        "compose --delta 1e-5 3x-0.2 | the epsilon of 3x-0.2 must be finite and above 0; was -0.2",
        "compose --delta 1e-5 gauss:sigma=1 | unknown mechanism 'gauss'",
        "compose --delta 1e-5 gausian:sgima=1 | 'gausian'; did you mean gaussian and sigma?",
        "compose --delta 1e-5 gaussian:sgima=1 | had [sgima, count, sensitivity]; did you mean sigma?",
        "compose --delta 1e-5 gaussian:sigma | a mechanism is written as",
        "compose --delta 1e-5 gaussian:sigma=1,sigma=2 | sigma is given twice",
        "compose --delta 1e-5 gaussian:sigma=1,count=0.5 | count must be a whole number",
        "compose --delta 1e-5 [{] | a part is no JSON at line 1, column 3",
        "compose --epsilon 1 3x0.2 | means something at a delta above 0 only",
        "calibrate --epsilon 1 --delta 1e-5 --solve sigma | solving for sigma needs steps",
        "calibrate --epsilon 1 --delta 1e-5 --solve sigma --steps 1 --sigma 1 | takes no sigma",
        "calibrate --epsilon 1 --delta 1e-5 --solve q --steps 1 --sigma 1 --q 0.5 | takes no q",
        "calibrate --epsilon 1 --delta 1e-5 --solve final --q 0.5 0.2 | solving for final takes no q",
        "calibrate --epsilon 1 --delta 1e-5 --solve noise | what to solve for must be one of",
        "calibrate --epsilon 0 --delta 1e-5 --solve sigma --steps 1 | epsilon must be finite and above 0",
        "calibrate --epsilon 1 --delta 1e-5 --solve final 9x0.9 | nothing is left for a final run",
        "select gaussian:sigma=1 --mean 0.5 --delta 1e-5 | mean must be finite and above 1; was 0.5",
        "select gaussian:sigma=1 --mean 3 --shape -2 --delta 1e-5 | shape must be finite and above -1",
        "batch /nowhere/at-all.json | there is no such file"
      })
  void nonsense_isRefusedWithItsRuleAndItsValue(String words, String rule) {
    assertThat(refused(words)).contains(rule);
  }

  /** With the file's name and the place alone: the library's own words name its settings. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | is empty",
        "'{\"charges\": [' | is no JSON at line 1, column 14",
        "'[]\n[]' | holds more than one JSON value, at line 2, column 1",
        "'{\"a\": 1, \"a\": 1}' | has a key twice at line 1, column 13",
        "\u00e9 | is not UTF-8 text"
      })
  void aFileThatIsNoJson_isNamedWithThePlace(String text, String rule, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("parts.json");
    byte[] bytes = text.replace("\\n", "\n").getBytes(StandardCharsets.ISO_8859_1);
    Files.write(file, bytes);
    assertThat(refused("batch " + file)).isEqualTo("mutune: " + file + ": " + rule);
    assertThat(refused("compose --delta 1e-5 --file " + file))
        .isEqualTo("mutune: " + file + ": " + rule);
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(bytes));
      assertThat(refused("batch -")).isEqualTo("mutune: standard input: " + rule);
    } finally {
      System.setIn(before);
    }
  }

  @ParameterizedTest
  @CsvSource({"[,5000", "1,5000"})
  void aJsonThatIsTooMuch_isNoBug(String part, int times, @TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("parts.json"), "[" + part.repeat(times));
    assertThat(refused("batch " + file))
        .isEqualTo("mutune: " + file + ": is nested too deeply, or has too long a number");
  }

  @Test
  void anOptionThatIsMissing_hasTheNameOfTheUsage() {
    CommandRun run = ask("dpsgd", "--sigma=1", "--steps=9", "--delta=1e-5");
    assertThat(run.status()).isEqualTo(ExitCode.INVALID);
    assertThat(run.err())
        .startsWith("mutune: Missing required option: '--q=Q'\nUsage:")
        .contains(" --q=Q");
  }

  @Test
  void aGaussian_hasNoEpsilonAtADeltaOfZero() {
    JsonNode answer = json("gaussian", "--sigma=1", "--delta=0");
    assertThat(answer.get("guarantee").asString()).isEqualTo("inf");
    assertThat(ask("gaussian", "--sigma=1", "--delta=0").out()).contains("epsilon     infinite");
  }

  @Test
  void namingACommand_readsNoOtherAndChangesNothing() {
    String[] words = {"cost", "gaussian", "--help"};
    CommandLine named = MutuneCommand.commandLine(new Interruption(), words);
    StringWriter out = new StringWriter();
    named.setOut(new PrintWriter(out));
    assertThat(named.execute(words)).isZero();
    assertThat(out.toString()).isNotBlank().isEqualTo(CommandRun.of(words).out());
    assertThat(MutuneCommand.commandLine(new Interruption(), words).getSubcommands())
        .hasSize(1)
        .hasEntrySatisfying(
            "cost", cost -> assertThat(cost.getSubcommands()).containsOnlyKeys("gaussian"));
    assertThat(MutuneCommand.commandLine(new Interruption(), "none such").getSubcommands())
        .hasSize(30);
  }

  @Test
  void helpOfAccount_listsBudgetsAlone() {
    String help = CommandRun.of("account", "--help").succeeded().out();
    assertThat(help).contains("create", "show", "history").doesNotContain("gaussian", "batch");
    assertThat(CommandRun.of("cost", "--help").succeeded().out())
        .contains("gaussian", "dpsgd", "compose", "calibrate", "select", "batch")
        .doesNotContain("history");
  }

  @Test
  void aBatch_putsErrorsInTheirPlaces() {
    CommandRun run =
        BatchInput.of(
            """
            [{"mechanism": "gaussian", "parameters": {"sigma": 20}, "count": 28, "delta": 1e-5},
             {"mechanism": "gaussian", "parameters": {"sigma": -20}, "delta": 1e-5},
             7,
             {"question": "epsilon", "mechanism": "gaussian", "parameters": {"sigma": "0.5"}},
             {"mechanism": "gaussian", "parameters": {"sigma": 2}, "delta": "NaN"},
             {"kind": "no-such"},
             {"question": "sigma", "epsilon": 1, "delta": "1e-5", "steps": 10, "sgima": 1},
             {"mechanism": "gaussian", "parameters": {"sigma": NaN}, "delta": "1e-5"},
             {"mechanism": "gaussian", "parameters": {"sigma": "0.5"}, "delta": 0, "id": "last"}]
            """);
    JsonNode answers = MAPPER.readTree(run.succeeded().out());
    assertThat(answers.size()).isEqualTo(9);
    assertThat(answers.get(0).get("guarantee").asDouble()).isBetween(0.98577, 0.98578);
    assertThat(answers.get(1).get("error").asString()).contains("sigma", "above 0", "-20");
    assertThat(answers.get(2).get("error").asString()).contains("7");
    assertThat(answers.get(3).get("error").asString()).contains("at a delta or at an epsilon");
    assertThat(answers.get(4).get("error").asString()).contains("delta must be a number", "NaN");
    assertThat(answers.get(5).get("error").asString()).isEqualTo("unknown key 'kind'");
    assertThat(answers.get(6).get("error").asString()).contains("sgima");
    assertThat(answers.get(7).get("error").asString()).contains("sigma must be a number", "NaN");
    assertThat(answers.get(8).get("upper").asString()).isEqualTo("inf");
    assertThat(answers.get(8).get("id").asString()).isEqualTo("last");
    assertThat(run.err()).contains("7 could not be answered");
  }

  @Test
  void mechanismsThatAreNoList_areAnErrorAndNotFree() {
    CommandRun run =
        BatchInput.of(
            """
            [{"mechanisms": 3, "delta": "1e-5"},
             {"question": "final", "epsilon": 1, "mechanisms": "gaussian", "delta": "1e-5"}]
            """);
    JsonNode answers = MAPPER.readTree(run.succeeded().out());
    assertThat(answers.get(0).get("error").asString())
        .isEqualTo("mechanisms must be a list; was 3");
    assertThat(answers.get(1).get("error").asString()).startsWith("mechanisms must be a list");
  }

  @Test
  void aBatchThatIsNoJson_isRefusedWithItsPlace() {
    String error = BatchInput.of("[{\"kind\": }]").failedWith(ExitCode.INVALID);
    assertThat(error).contains("line 1", "column");
    assertThat(BatchInput.of("{\"kind\": 1}").failedWith(ExitCode.INVALID))
        .contains("a JSON list of queries");
  }

  @Test
  void numbersInJson_areTheShortestThatReadBack() {
    JsonNode answer = json("gaussian", "--sigma=1", "--epsilon=4");
    String printed = answer.get("delta").toString();
    double delta = Double.parseDouble(printed);
    for (int digits = 1; digits < printed.replaceAll("E.*|[.-]", "").length(); digits++) {
      assertThat(Double.parseDouble(String.format("%." + (digits - 1) + "e", delta)))
          .as("%d digits", digits)
          .isNotEqualTo(delta);
    }
  }
}
