package io.mutune.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SweepContextTest {
  private static final SweepContext CONTEXT =
      new SweepContext(
          Path.of("/home/sweeps"),
          Path.of("/home/work"),
          Map.of("DATA", "data", "ROOT", "/mnt", "DOLLAR", "a$1\\b", "UNUSED", "secret"));

  @Test
  void aPathOfTheText_isRelativeToTheSweepsFolder() {
    assertThat(CONTEXT.resolve("data/a.csv")).isEqualTo(Path.of("/home/sweeps/data/a.csv"));
    assertThat(CONTEXT.resolve("../a.csv")).isEqualTo(Path.of("/home/a.csv"));
    assertThat(CONTEXT.resolve("/tmp/a.csv")).isEqualTo(Path.of("/tmp/a.csv"));
  }

  @Test
  void aPathThatBeginsWithAVariable_isRelativeToTheWorkingFolder() {
    assertThat(CONTEXT.resolve("${DATA}/a.csv")).isEqualTo(Path.of("/home/work/data/a.csv"));
    assertThat(CONTEXT.resolve("${ROOT}/a.csv")).isEqualTo(Path.of("/mnt/a.csv"));
  }

  @Test
  void aVariableFurtherOn_leavesAPathRelativeToTheSweepsFolder() {
    assertThat(CONTEXT.resolve("x/${DATA}/a.csv")).isEqualTo(Path.of("/home/sweeps/x/data/a.csv"));
  }

  @Test
  void whatAVariableHolds_isTakenToTheLetter() {
    assertThat(CONTEXT.resolve("x/${DOLLAR}")).isEqualTo(Path.of("/home/sweeps/x/a$1\\b"));
  }

  @Test
  void anOutputFolder_isRelativeToTheWorkingFolder() {
    assertThat(CONTEXT.resolveOutput("runs")).isEqualTo(Path.of("/home/work/runs"));
    assertThat(CONTEXT.resolveOutput("x/${DATA}")).isEqualTo(Path.of("/home/work/x/data"));
  }

  @Test
  void aStudy_remembersOnlyTheVariablesThatItsTextUses() {
    SweepContext used = CONTEXT.usedBy("path: ${DATA}/a\nlabels: ${DATA}/b\noutput: ${MISSING}");

    assertThat(used.variables()).isEqualTo(Map.of("DATA", "data"));
    assertThat(used.sweepFolder()).isEqualTo(CONTEXT.sweepFolder());
    assertThat(used.workingFolder()).isEqualTo(CONTEXT.workingFolder());
    assertThat(used.resolve("${DATA}/a")).isEqualTo(CONTEXT.resolve("${DATA}/a"));
  }

  /** Whoever wrote a sweep would read them in the store of whoever runs it. */
  @Test
  void secrets_areNoVariables_byTheirNameOrBecauseTheyHoldAPassword() {
    Map<String, String> environment =
        new TreeMap<>(
            Map.of("DATA_KEY_FILE", "d", "COMPASS", "m", "PATTERNS", "p", "TOKENIZERS", "t"));
    for (String name :
        List.of(
            "PGPASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "API_KEY",
            "ghToken",
            "SSHPASS",
            "apiKey",
            "MYSQL_PWD")) {
      environment.put(name, "hidden");
    }
    assertThat(SweepContext.withoutSecrets(environment))
        .containsOnlyKeys("COMPASS", "DATA_KEY_FILE", "PATTERNS", "TOKENIZERS");
    assertThat(CONTEXT.variableProblem("x/${PGPASSWORD}"))
        .hasValueSatisfying(why -> assertThat(why).contains("PGPASSWORD", "no secret"));

    SweepContext withAddress =
        new SweepContext(
            CONTEXT.sweepFolder(),
            CONTEXT.workingFolder(),
            Map.of(
                "STORE", "postgresql://me:hidden@db/mutune",
                "OTHER", "postgresql://db/mutune?user=me&password=hidden",
                "PUBLIC", "s3a://bucket/a"));
    assertThat(withAddress.usedBy("# ${STORE} ${OTHER} ${PUBLIC}").variables())
        .containsOnlyKeys("PUBLIC");
    assertThat(withAddress.variableProblem("${STORE}"))
        .hasValue("needs the environment variable STORE, which holds a password");
  }

  @Test
  void theContextOfAFile_isItsFolder() {
    Path working = Path.of("").toAbsolutePath();

    SweepContext context = SweepContext.ofFile(Path.of("sweeps", "..", "more", "a.yaml"));

    assertThat(context.sweepFolder()).isEqualTo(working.resolve("more"));
    assertThat(context.workingFolder()).isEqualTo(working);
    assertThat(SweepContext.ofFile(Path.of("a.yaml")).sweepFolder()).isEqualTo(working);
  }
}
