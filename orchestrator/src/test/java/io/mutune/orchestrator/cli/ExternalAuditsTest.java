package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StubTrainers.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the canary attack finds of programs that are not as they say: the stub in its manners. */
@Timeout(600)
class ExternalAuditsTest {
  private static final String ON_SAMPLES = "type: sampled-gaussian, samplingRate: 0.3";

  @TempDir Path folder;

  /** To an eighth of what a canary has at first. */
  private static String clippedFar(String manner, String type) {
    return StubTrainers.train(manner, type + ", clipNorm: 0.1");
  }

  /**
   * Checkpoints that are weights and velocity tell the noisy sums. Half the noise, canaries that
   * are not clipped and one noise for two runs are each found for certain, also on samples, which
   * the audit knows again; so is a trainer that takes all rows in place of its sample. An honest
   * one is accused once in 3e8 times by these three, and is refuted once in 100 times at most, were
   * its ε not below what it is charged: it is far below.
   */
  @ParameterizedTest
  @CsvSource(
      value = {
        "all-wrong; type: gaussian; not what was charged/not independent/another part",
        "honest; type: gaussian; ",
        "no-sample; " + ON_SAMPLES + "; not what was charged",
        "honest; " + ON_SAMPLES + "; "
      },
      delimiter = ';')
  void anAudit_findsATrainerThatIsNotAsItSays(String manner, String type, @Nullable String wrong)
      throws Exception {
    boolean refuted = wrong != null;
    SmallSweep sweep = SmallSweep.in(folder).declaredPublic().trials(1).steps(10);
    padWithZeros(sweep.privateRows(), 70);
    padWithZeros(sweep.testRows(), 70);
    String file = sweep.train(clippedFar(manner, type)).command("run")[1];
    Path document = folder.resolve("attack.json");
    CommandRun run =
        CommandRun.of(
            "attack",
            "canary",
            file,
            "--canaries",
            "200",
            "--guesses",
            "60",
            "--seed",
            "1",
            "--output",
            document.toString());
    assertThat(run.status()).isEqualTo(refuted ? ExitCode.AUDIT_DISAGREES : ExitCode.DONE);
    assertThat(run.out())
        .contains("the noisy sums that the iterates of 2 runs tell", "released models say alone");
    JsonNode shown = json(document);
    assertThat(shown.path("refutes").asBoolean()).as(run.out()).isEqualTo(refuted);
    assertThat(shown.path("lowerBound").path("byModels").isNumber()).isTrue();
    List<String> problems = shown.path("problems").valueStream().map(JsonNode::asString).toList();
    assertThat(problems.isEmpty()).isEqualTo(wrong == null);
    for (String each : wrong == null ? new String[0] : wrong.split("/", -1)) {
      assertThat(problems).anyMatch(problem -> problem.contains(each));
    }
  }

  /**
   * What is measured in docs/external-trainers.md. A false alarm: the three checks 3e-9 a study,
   * and 1e-6 for the bound; so 200 honest audits are all passed but once in 5e3 times.
   */
  @Tag("experiment")
  @Timeout(3600)
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "honest; type: gaussian; 0; 200; 0",
        "half-noise; type: gaussian; 0; 50; 50",
        "unclipped; type: gaussian; 0; 50; 50",
        "same-noise; type: gaussian; 2; 20; 20",
        "better; type: gaussian; 256; 10; 10",
        "honest; " + ON_SAMPLES + "; 0; 50; 0",
        "half-noise; " + ON_SAMPLES + "; 0; 50; 50",
        "unclipped; " + ON_SAMPLES + "; 0; 50; 50",
        "no-sample; " + ON_SAMPLES + "; 0; 50; 50"
      })
  void audits_findWhatTheyShouldAndNothingElse(
      String manner, String type, int trials, int audits, int found) throws Exception {
    SmallSweep sweep = SmallSweep.in(folder).declaredPublic();
    String space = "space: {learningRate: %s, steps: 10}}";
    sweep.search(
        trials == 0
            ? "{strategy: fixed, " + space.formatted("0.01")
            : "{strategy: random, trials: %d, seed: 1, score: {on: private, epsilon: 0.05}, "
                    .formatted(trials)
                + space.formatted("{min: 0.009, max: 0.011}"));
    padWithZeros(sweep.privateRows(), 70);
    Path file = Path.of(sweep.train(clippedFar(manner, type)).command("run")[1]);
    Files.writeString(
        file,
        Files.readString(file).replace("  test: {path: test.csv}\n", "")); // no process for it
    int refuted = 0;
    double most = 0;
    double mostByModels = 0;
    Set<String> problems = new TreeSet<>();
    for (int audit = 0; audit < audits; audit++) {
      Path document = folder.resolve("attack.json");
      CommandRun run =
          CommandRun.of(
              "attack",
              "canary",
              file.toString(),
              "--canaries",
              "200",
              "--guesses",
              "60",
              "--confidence",
              "0.999999",
              "--output",
              document.toString());
      assertThat(run.status()).as(run.err()).isIn(ExitCode.DONE, ExitCode.AUDIT_DISAGREES);
      JsonNode shown = json(document);
      refuted += shown.path("refutes").asBoolean() ? 1 : 0;
      most = Math.max(most, shown.path("lowerBound").path("epsilon").asDouble());
      mostByModels = Math.max(mostByModels, shown.path("lowerBound").path("byModels").asDouble());
      shown.path("problems").forEach(problem -> problems.add(problem.asString()));
    }
    System.out.printf(
        "%s, %s: %d of %d found; epsilon at least %.2f, by models %.2f of %s; %s%n",
        manner,
        type,
        refuted,
        audits,
        most,
        mostByModels,
        json(folder.resolve("attack.json")).path("guaranteed"),
        problems);
    assertThat(refuted).isEqualTo(found);
  }

  /** Features in which a canary alone has anything. */
  private static void padWithZeros(Path rows, int features) throws IOException {
    List<String> padded = new ArrayList<>();
    for (String line : Files.readAllLines(rows)) {
      padded.add("0,".repeat(features) + line);
    }
    Files.write(rows, padded);
  }
}
