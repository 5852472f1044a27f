package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The claims that come with the project, but for running them. */
class ClaimFilesTest {
  private static final Path SWEEPS =
      Path.of(System.getProperty("mutune.root", ".")).resolve("sweeps");

  static List<ClaimFile> files() throws IOException {
    return ClaimFile.in(SWEEPS.resolve("claims"));
  }

  @ParameterizedTest
  @MethodSource("files")
  void everySweep_isOne_onRowsThatNeedNoProtection_withTestRowsAndASeed(ClaimFile file) {
    SweepContext context =
        new SweepContext(
            SWEEPS.toAbsolutePath(),
            Path.of("").toAbsolutePath(),
            Map.of("MUTUNE_DATA", "/data", "SHUFFLED", "/shuffled", "HOME", "/home"));
    for (Claim claim : file.claims()) {
      if (claim.way() instanceof Claim.Studies studies) {
        Stream.of(studies.words(), studies.minus())
            .filter(words -> !words.isEmpty() || words == studies.words())
            .forEach(
                words -> {
                  String one = file.sweepOf(claim, words, 1);
                  SweepDefinition sweep = SweepReader.read(claim.name(), one, context);
                  assertThat(sweep.data().declared().isOpen()).isTrue();
                  assertThat(sweep.data().test()).isPresent();
                  assertThat(file.sweepOf(claim, words, 2)).isNotEqualTo(one);
                });
      }
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyComparison_isOfASweepThatIsThere(ClaimFile file) {
    for (Claim claim : file.claims()) {
      if (claim.way() instanceof Claim.Comparison comparison) {
        assertThat(Files.exists(SWEEPS.resolve(comparison.sweep()))).as(claim.name()).isTrue();
      }
    }
  }
}
