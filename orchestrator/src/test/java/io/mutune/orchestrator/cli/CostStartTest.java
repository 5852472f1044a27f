package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A question about costs starts nothing that it does not need: no arrays, no database, no charts.
 */
class CostStartTest {
  private static final List<String> HEAVY =
      List.of(
          "org.nd4j. org.bytedeco. org.sqlite. org.knowm. ch.qos.logback. java.awt.".split(" "));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian --sigma 20 --steps 28 --delta 1e-5",
        "dpsgd --sigma 1 --q 0.01 --steps 100 --delta 1e-5 --compare --format json"
      })
  void aQuestion_loadsNoClassOfTheHeavyLibraries(String words)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xlog:class+load",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            RuntimeClasses.path(),
            MutuneCommand.class.getName(),
            "cost");
    builder.command().addAll(List.of(words.split(" ")));
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    // That classes are listed at all.
    assertThat(out).contains("io.mutune.accountant.gdp.GaussianDp");
    for (String library : HEAVY) {
      assertThat(out.lines().filter(line -> line.contains("] " + library))).isEmpty();
    }
  }
}
