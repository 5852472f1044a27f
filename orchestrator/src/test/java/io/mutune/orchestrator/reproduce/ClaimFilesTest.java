package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ClaimsDocument;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
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

  private static SweepDefinition sweep(ClaimFile file, Claim claim, Map<String, String> words) {
    SweepContext context =
        new SweepContext(
            SWEEPS.toAbsolutePath(),
            Path.of("").toAbsolutePath(),
            Map.of("MUTUNE_DATA", "/data", "SHUFFLED", "/shuffled", "HOME", "/home"));
    return SweepReader.read(claim.name(), file.sweepOf(claim, words, 1), context);
  }

  /** Those of both ways, where a figure is a difference. */
  private static List<SweepDefinition> sweeps(ClaimFile file, Claim claim) {
    return claim.way() instanceof Claim.Studies studies
        ? Stream.of(studies.words(), studies.minus())
            .filter(words -> !words.isEmpty() || words == studies.words())
            .map(words -> sweep(file, claim, words))
            .toList()
        : List.of();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everySweep_isOne_onRowsThatNeedNoProtection_withTestRowsAndASeed(ClaimFile file) {
    for (Claim claim : file.claims()) {
      for (SweepDefinition sweep : sweeps(file, claim)) {
        assertThat(sweep.data().declared().isOpen()).isTrue();
        assertThat(sweep.data().test()).isPresent();
      }
      if (claim.way() instanceof Claim.Studies studies) {
        assertThat(file.sweepOf(claim, studies.words(), 2))
            .isNotEqualTo(file.sweepOf(claim, studies.words(), 1));
      }
    }
  }

  /** A page is made once, and what a column says may change after it. */
  @ParameterizedTest
  @MethodSource("files")
  void everyPage_statesNoLessThanTheBudgetOfTheDearerWay(ClaimFile file) throws IOException {
    Path page = SWEEPS.resolveSibling("docs/results").resolve(file.name() + ".json");
    Map<String, ClaimResult.Ours> ours = new HashMap<>();
    for (ClaimResult entry : Json.read(Files.readString(page), ClaimsDocument.class).claims()) {
      entry.ours().ifPresent(figure -> ours.put(entry.name(), figure));
    }
    for (Claim claim : file.claims()) {
      OptionalDouble dearest =
          sweeps(file, claim).stream()
              .filter(sweep -> sweep.train().method().isCharged())
              .mapToDouble(sweep -> sweep.budget().epsilon().value())
              .max();
      boolean isWhole = claim.way() instanceof Claim.Studies studies && studies.release().isEmpty();
      if (dearest.isPresent() && isWhole && ours.containsKey(claim.name())) {
        // Digits of noise and of a search leave a little of it.
        assertThat(ours.get(claim.name()).epsilon().getAsDouble())
            .as(claim.name())
            .isGreaterThan(dearest.getAsDouble() * 0.998);
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
