package io.mutune.orchestrator.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.document.ClaimsDocument;
import io.mutune.orchestrator.report.ClaimsPage;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefinition;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The claims that come with the project, but for running them. With {@code -Dmutune.pin=write} what
 * their files say, and the verdicts that follow from the figures, are written into the documents,
 * and the pages are made anew, for who changes their form.
 */
class ClaimFilesTest {
  private static final Path SWEEPS =
      Path.of(System.getProperty("mutune.root", ".")).resolve("sweeps");

  private static final Path RESULTS = SWEEPS.resolveSibling("docs/results");

  static List<ClaimFile> files() throws IOException {
    return ClaimFile.in(SWEEPS.resolve("claims"));
  }

  @BeforeAll
  static void writePages() throws IOException {
    if ("write".equals(System.getProperty("mutune.pin"))) {
      for (ClaimFile file : files()) {
        ClaimsPage.write(judged(file, document(file)), RESULTS);
      }
    }
  }

  private static ClaimsDocument document(ClaimFile file) throws IOException {
    return Json.read(
        Files.readString(RESULTS.resolve(file.name() + ".json")), ClaimsDocument.class);
  }

  /** What its file and its figures make of it now. */
  private static ClaimsDocument judged(ClaimFile file, ClaimsDocument made) {
    Map<String, ClaimResult> results =
        made.claims().stream().collect(Collectors.toMap(ClaimResult::name, claim -> claim));
    List<ClaimResult> judged = new ArrayList<>();
    for (Claim claim : file.claims()) {
      ClaimResult result = results.get(claim.name());
      assertThat(result).as(claim.name()).isNotNull();
      judged.add(
          result
              .ours()
              .map(ours -> ClaimResult.of(claim, file.figure(), ours))
              .orElseGet(
                  () ->
                      result.isNotTried()
                          ? ClaimResult.notTried(claim, result.why().orElseThrow())
                          : ClaimResult.unobtainable(
                              claim, ((Claim.Unobtainable) claim.way()).why())));
    }
    return ClaimsDocument.of(
        file,
        made.quick(),
        new Reproduction.Tried(judged, made.seconds()),
        made.command(),
        made.made());
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyPage_saysWhatItsFileSays_andJudgesByTheRule(ClaimFile file) throws IOException {
    ClaimsDocument made = document(file);

    assertThat(made).isEqualTo(judged(file, made));
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
    Map<String, ClaimResult.Ours> ours = new HashMap<>();
    for (ClaimResult entry : document(file).claims()) {
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
