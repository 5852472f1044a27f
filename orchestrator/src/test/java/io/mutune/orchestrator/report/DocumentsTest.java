package io.mutune.orchestrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.accountant.Delta;
import io.mutune.accountant.Epsilon;
import io.mutune.accountant.Mu;
import io.mutune.accountant.gdp.GaussianDp;
import io.mutune.accountant.ledger.PrivacyStatement;
import io.mutune.orchestrator.display.DisplayNumber;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.Document;
import io.mutune.orchestrator.document.PlanDocument;
import io.mutune.orchestrator.document.ResultDocument;
import io.mutune.orchestrator.document.ResultText;
import io.mutune.orchestrator.document.StatementDocument;
import io.mutune.orchestrator.document.TrialsCsv;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.Fit;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.LedgerHead;
import io.mutune.orchestrator.study.StudyResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a study leaves, key by key as the format lists it. */
class DocumentsTest {
  private static final StudyResult RESULT = Results.of(Results.sweep(), Path.of("/nowhere/run"));
  private static final StudyPlan PLAN = RESULT.study().plan();

  /** Keys whose values are numbers wherever they stand. */
  private static final Set<String> NUMBERS =
      Set.of(
          ("version epsilon delta mu rows trial sweep learningRate steps radius logitNoise sigma"
                  + " sensitivity count score lostSteps seconds testAccuracy x y")
              .split(" "));

  private static ObjectNode written(Document document) {
    return Json.read(Json.write(document));
  }

  private static void assertNumbersAreNumbers(JsonNode node) {
    node.properties()
        .forEach(
            p -> {
              if (NUMBERS.contains(p.getKey())) {
                assertThat(p.getValue().isNumber()).as(p.getKey()).isTrue();
              }
              assertNumbersAreNumbers(p.getValue());
            });
    if (node.isArray()) {
      node.forEach(DocumentsTest::assertNumbersAreNumbers);
    }
  }

  @Test
  void everyDocument_carriesItsVersionFirstAndNumbersAsNumbers() {
    for (Document document :
        List.of(PlanDocument.of(PLAN), StatementDocument.of(RESULT), ResultDocument.of(RESULT))) {
      ObjectNode json = written(document);

      assertThat(json.propertyNames()).first().isEqualTo("version");
      assertThat(json.get("version").asInt()).isEqualTo(1);
      json.remove("steps"); // of a plan: why there are so many
      json.remove("learningCurve"); // lists of numbers
      assertNumbersAreNumbers(json);
    }
  }

  @Test
  void plan_listsEachChargeInOrder() {
    ObjectNode json = written(PlanDocument.of(PLAN));

    assertThat(json.propertyNames())
        .containsExactly(
            "version name strategy method rows budget steps charges trials finalSigma".split(" "));
    assertThat(json.get("charges").valueStream().map(c -> c.get("what").asString()))
        .containsExactly("trial 1", "score 1", "trial 2", "score 2", "trial 3", "score 3", "final");
    JsonNode last = json.get("charges").get(6);
    assertThat(last.get("mu").asDouble()).isEqualTo(PLAN.target().mu().value());
    assertThat(last.get("epsilon").asDouble()).isEqualTo(PLAN.target().epsilon().value());
    assertThat(json.get("trials")).hasSize(3);
    assertThat(json.get("budget").propertyNames())
        .containsExactly("epsilon", "delta", "mu", "adjacency");
    assertThat(PlanDocument.text(PLAN, Optional.empty()))
        .contains("nothing was read yet", "trial 1", "score 3", "final", "sigma");
  }

  @Test
  void statement_hasTheKeysOfTheFormat() {
    ObjectNode json = written(StatementDocument.of(RESULT));

    assertThat(json.propertyNames())
        .containsExactly(
            ("version guarantee epsilon delta mu accountant profile adjacency unit kind budget"
                    + " charges scoring noise released excluded")
                .split(" "));
    assertThat(json.get("guarantee").asString()).isEqualTo("holds");
    assertThat(json.get("kind").asString()).isEqualTo("fixed-plan");
    assertThat(json.get("epsilon").asDouble()).isEqualTo(RESULT.statement().epsilon().value());
    assertThat(json.get("mu").asDouble()).isEqualTo(RESULT.statement().mu().orElseThrow().value());
    assertThat(json.get("charges")).hasSize(7);
    JsonNode first = json.get("charges").get(0);
    assertThat(first.propertyNames())
        .containsExactly("what", "mechanism", "parameters", "count", "mu");
    assertThat(first.get("parameters").propertyNames()).containsExactly("sigma", "sensitivity");
    assertThat(first.get("count").asLong()).isEqualTo(PLAN.trials().get(0).point().steps());
  }

  @Test
  void theProfile_hasTheStatedEpsilonAtItsDeltaAndThatOfEveryOtherOne() {
    PrivacyStatement statement = RESULT.statement();
    JsonNode profile = written(StatementDocument.of(RESULT)).get("profile");

    assertThat(profile.propertyNames()).containsExactly("epsilons", "tradeOff");
    assertThat(profile.get("epsilons")).hasSize(7);
    for (JsonNode at : profile.get("epsilons")) {
      Delta delta = Delta.of(at.get("delta").asDouble());
      double epsilon =
          delta.equals(statement.delta())
              ? statement.epsilon().value()
              : GaussianDp.of(statement.mu().orElseThrow()).epsilon(delta).value();
      assertThat(at.get("epsilon").asDouble()).isEqualTo(epsilon);
    }
    assertThat(profile.get("tradeOff").propertyNames()).containsExactly("falseAlarms", "misses");
    assertThat(StatementDocument.of(RESULT).text())
        .contains("The same guarantee at other delta", "1e-10", "false alarms");
  }

  @Test
  void aVoidStatement_saysSoInItsFirstLineAndWhy() {
    PrivacyStatement statement = RESULT.statement().withVoid("the best was picked uncharged");

    StatementDocument document =
        StatementDocument.of(statement, PLAN, new LedgerHead(9, "head"), 7);
    ObjectNode json = written(document);
    assertThat(json.get("guarantee").asString()).isEqualTo("void");
    assertThat(json.get("why").asString()).isEqualTo("the best was picked uncharged");
    assertThat(document.text().lines().findFirst())
        .hasValue("THE STATED EPSILON DOES NOT HOLD: the best was picked uncharged");
    assertThat(document.text())
        .contains("But for that, everything")
        .doesNotContain("study released is (");
  }

  @Test
  void statementInWords_roundsItsFiguresUp() {
    String text = StatementDocument.of(RESULT).text();

    Matcher figures =
        Pattern.compile("epsilon (\\S+) at delta (\\S+), mu ([0-9.]+)\\.\\R").matcher(text);
    assertThat(figures.find()).isTrue();
    double epsilon = RESULT.statement().epsilon().value();
    double mu = RESULT.statement().mu().orElseThrow().value();
    // Six digits, the last of them rounded up; both figures lie in [0.1, 1].
    assertThat(Double.parseDouble(figures.group(1))).isBetween(epsilon, epsilon + 1e-6);
    assertThat(Double.parseDouble(figures.group(2))).isEqualTo(1e-5);
    assertThat(Double.parseDouble(figures.group(3))).isBetween(mu, mu + 1e-6);
    assertThat(text)
        .contains("one row of data.private", "add-remove neighbours", "  - the final model\n")
        .contains("  - other studies on the same rows\n");
  }

  @Test
  void costs_areShownRoundedUpAndWhatIsLeftRoundedDown() {
    assertThat(DisplayNumber.cost(Mu.of(0.12345601))).isEqualTo("0.123457");
    assertThat(DisplayNumber.left(Mu.of(0.12345699))).isEqualTo("0.123456");
    assertThat(DisplayNumber.cost(Epsilon.of(0.99999999))).isEqualTo("1");
    assertThat(DisplayNumber.left(Epsilon.of(0.1))).isEqualTo("0.1");
  }

  @Test
  void values_areShownToFourDigits() {
    assertThat(DisplayNumber.value(2.5)).isEqualTo("2.5");
    assertThat(DisplayNumber.value(100)).isEqualTo("100");
    assertThat(DisplayNumber.value(0)).isEqualTo("0");
    assertThat(DisplayNumber.value(-0.012345)).isEqualTo("-0.01235");
    assertThat(DisplayNumber.value(0.035)).isEqualTo("0.035");
    assertThat(DisplayNumber.value(95230.4)).isEqualTo("95,230");
    assertThat(DisplayNumber.value(9999.7)).isEqualTo("10000");
    assertThat(DisplayNumber.value(-123456)).isEqualTo("-123,500");
    assertThat(DisplayNumber.value(1.25e-7)).isEqualTo("1.25e-7");
    assertThat(DisplayNumber.value(3e12)).isEqualTo("3e12");
    assertThat(DisplayNumber.value(Double.NaN)).isEqualTo("NaN");
    assertThat(DisplayNumber.percent(0.81254)).isEqualTo("81.25%");
  }

  @Test
  void times_areShownAsClocksDo() {
    assertThat(DisplayNumber.time(4.24)).isEqualTo("4.2 s");
    assertThat(DisplayNumber.time(42.4)).isEqualTo("42 s");
    assertThat(DisplayNumber.time(185)).isEqualTo("3:05 min");
    assertThat(DisplayNumber.time(7207)).isEqualTo("2:00:07 h");
  }

  @Test
  void result_hasTheKeysOfTheFormat() {
    ObjectNode json = written(ResultDocument.of(RESULT));

    assertThat(json.propertyNames())
        .containsExactly(
            ("version study name testAccuracy test learningCurve strategy method dataSet scores"
                    + " final trials fit guards seconds")
                .split(" "));
    assertThat(json.get("testAccuracy").asDouble()).isEqualTo(0.8125);
    assertThat(json.get("seconds").asDouble()).isEqualTo(12.5);
    JsonNode last = json.get("final");
    assertThat(last.propertyNames())
        .contains("learningRate", "steps", "radius", "logitNoise", "sigma");
    assertThat(last.get("steps").asInt()).isEqualTo(80);
    assertThat(last.get("radius").asDouble()).isEqualTo(120);
    assertThat(last.get("sigma").asDouble())
        .isEqualTo(PLAN.sigma(PLAN.finalCharge(new TrialPoint(1, 80))).orElseThrow());
    assertThat(last.get("lostSteps").asInt()).isEqualTo(3);
    JsonNode trials = json.get("trials");
    assertThat(trials.get(0).get("score").asDouble()).isEqualTo(0.6);
    assertThat(trials.get(0).get("state").asString()).isEqualTo("scored");
    assertThat(trials.get(1).has("score")).isFalse();
    assertThat(trials.get(1).get("state").asString()).isEqualTo("unscored");
    assertThat(json.get("guards").get(0).get("guard").asString()).isEqualTo("lost-score");
    assertThat(json.get("fit").propertyNames())
        .containsExactly("kind", "axis", "value", "coefficients", "points", "curve", "posterior");
    assertThat(json.get("fit").get("posterior").propertyNames())
        .containsExactly("deviation", "prior");
  }

  @Test
  void resultInWords_namesTheLostTheGuardsAndTheFinalRun() {
    assertThat(ResultText.of(RESULT))
        .contains(
            "lost",
            "Guard lost-score: 1 of 3 <lost>.",
            "Final run: radius 120 = learning rate 1.5 x 80 steps",
            "A crash lost 3 of its steps",
            "Test accuracy: 81.25%",
            "best at 1");
  }

  @Test
  void aFit_isOneSentence() {
    Fit line =
        new Fit(
            "polynomial",
            "mu",
            "radius",
            List.of(-5.0, 150.0),
            List.of(),
            List.of(),
            Optional.empty());
    Fit parabola =
        new Fit(
            "polynomial",
            "epsilon",
            "radius",
            List.of(1.0, 2.0, 3.0),
            List.of(),
            List.of(),
            Optional.empty());

    assertThat(ResultText.sentence(line)).isEqualTo("Fit: radius = 150 * mu - 5");
    assertThat(ResultText.sentence(parabola))
        .isEqualTo("Fit: a polynomial of degree 2 over epsilon");
  }

  @Test
  void trialsCsv_hasANumberInEveryColumnButTheStateAndTheGuarantee() {
    List<String[]> rows = TrialsCsv.of(RESULT).lines().map(line -> line.split(",", -1)).toList();

    assertThat(rows.get(0))
        .containsExactly(
            """
            version trial sweep epsilon mu learningRate steps radius logitNoise sigma lostSteps
            score state guarantee clipNorm clipQuantile weightDecay projectionRadius samplingRate
            from
            """
                .split("\\s+"));
    assertThat(rows).hasSize(4);
    for (String[] row : rows.subList(1, 4)) {
      assertThat(row).hasSameSizeAs(rows.get(0));
      for (int c = 0; c < 11; c++) {
        assertThat(Double.parseDouble(row[c])).isFinite();
      }
      assertThat(Double.parseDouble(row[7]))
          .isEqualTo(Double.parseDouble(row[5]) * Double.parseDouble(row[6]));
    }
    assertThat(rows.get(1)[13]).isEqualTo("holds");
    assertThat(rows.get(1)[11]).isEqualTo("0.6");
    assertThat(rows.get(2)[11]).isEmpty();
    assertThat(rows.get(2)[12]).isEqualTo("unscored");
  }
}
