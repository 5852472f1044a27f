package io.mutune.orchestrator.sweep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.search.Interval;
import io.mutune.orchestrator.search.LinearScaling;
import io.mutune.orchestrator.search.ScaleFree;
import io.mutune.orchestrator.search.SearchStrategy;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.SweepDefaults;
import io.mutune.orchestrator.sweep.Sweeps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepsReaderTest {
  private static String scaleFree(String space) {
    return Sweeps.edited(
        Sweeps.SCALE_FREE,
        "  strategy: scale-free\n",
        "  strategy: scale-free\n  space: {" + space + "}\n");
  }

  private static String fixed(String space) {
    return Sweeps.edited(Sweeps.FIXED, "learningRate: 2.5, steps: 40", space);
  }

  /**
   * 10000 rows at (1, 1e-5): μn = 2671, so that ν = 60 is a radius of 16026, at a rate of 11.4
   * (three classes).
   */
  @Test
  void auto_isWhatTheLargestNoiseNeedsAtAStableRate() {
    SearchStrategy usual =
        Sweeps.read(scaleFree("logitNoise: {min: 0.1, max: 1}, steps: auto")).search();
    SearchStrategy wide =
        Sweeps.read(scaleFree("logitNoise: {min: 0.1, max: 60}, steps: auto")).search();
    SearchStrategy bound =
        Sweeps.read(scaleFree("logitNoise: {min: 0.1, max: 100}, steps: {auto: 700}")).search();

    assertThat(usual.fixedSteps()).hasValue(100);
    assertThat(usual.whySteps().orElseThrow()).startsWith("100 steps, as is usual");
    assertThat(wide.fixedSteps().orElseThrow()).isBetween(1380, 1440);
    assertThat(bound.fixedSteps()).hasValue(700);
  }

  @Test
  void fixed_takesAutoForItsOneNoise() {
    SearchStrategy search = Sweeps.read(fixed("logitNoise: 8, steps: auto")).search();

    // 60000 rows and ten classes: a radius of 8 · 0.1 · 0.2671 · 60000 at a rate of 38.
    assertThat(search.fixedSteps().orElseThrow()).isBetween(335, 340);
    assertThat(search.whySteps().orElseThrow()).contains("a logit noise of 8 at");
  }

  @Test
  void aNumberOfSteps_hasNoReason() {
    assertThat(Sweeps.read(scaleFree("steps: 70")).search().whySteps()).isEmpty();
  }

  private static SweepContext plannedBy(SweepDefaults defaults) {
    return new SweepContext(
        Sweeps.CONTEXT.sweepFolder(),
        Sweeps.CONTEXT.workingFolder(),
        Sweeps.CONTEXT.variables(),
        Sweeps.CONTEXT.form(),
        defaults,
        Sweeps.CONTEXT.card());
  }

  /** A sweep that leaves its trials to the plan. */
  private static String proposed(long rows) {
    String text =
        Sweeps.edited(
            Sweeps.SCALE_FREE,
            "  sweeps:\n    - {epsilon: 0.2, trials: 3}\n  score: {on: private, epsilon: 0.02}\n",
            "");
    return Sweeps.edited(text, "rows: 10000", "rows: " + rows);
  }

  /** Its trials stand where they stood, and cost what they cost. */
  @Test
  void aStudyThatWasPlannedWithDearerTrials_isPlannedAsItWas() {
    String text = proposed(60000);
    ScaleFree earlier =
        (ScaleFree)
            SweepReader.read("old.yaml", text, plannedBy(SweepDefaults.PLANNED_STEPS)).search();
    ScaleFree now = (ScaleFree) Sweeps.read(text).search();

    assertThat(earlier.logitNoise()).isEqualTo(new Interval(0.1, 10, Interval.Scale.LOG));
    assertThat(earlier.why().orElseThrow()).contains("3 trials of 800 each and scores of 200");
    assertThat(now.logitNoise()).isEqualTo(new Interval(0.2, 8, Interval.Scale.LOG));
    assertThat(now.why().orElseThrow()).doesNotContain("scores of 200");
  }

  /** At a μ of 0.27 a budget has a μ times the rows of 1000 with 4000 rows. */
  @Test
  void aStudyThatWasPlannedWithTrialsOfFewRows_keepsThem() {
    String text = proposed(4000);
    ScaleFree earlier =
        (ScaleFree)
            SweepReader.read("old.yaml", text, plannedBy(SweepDefaults.CHEAPER_TRIALS)).search();

    assertThat(earlier.rounds()).hasSize(1);
    assertThat(((ScaleFree) Sweeps.read(text).search()).rounds()).isEmpty();
  }

  @Test
  void aLineThatWasPlannedOnFewRows_keepsItsTrials() {
    String text =
        Sweeps.edited(
            proposed(4000),
            "strategy: scale-free",
            "strategy: linear-scaling\n  space: {learningRate: {min: 0.1, max: 9}, steps: 100}");
    LinearScaling earlier =
        (LinearScaling)
            SweepReader.read("old.yaml", text, plannedBy(SweepDefaults.FIXED_SHARE)).search();

    assertThat(earlier.rounds()).hasSize(2);
    assertThat(((LinearScaling) Sweeps.read(text).search()).rounds()).isEmpty();
  }

  @Test
  void aStudyThatWasPlannedWithTheLeastSteps_keepsThem() {
    String text = scaleFree("logitNoise: {min: 0.1, max: 100}");
    SweepContext earlier = plannedBy(SweepDefaults.SURER_LINES);

    assertThat(SweepReader.read("old.yaml", text, earlier).search().fixedSteps().orElseThrow())
        .isBetween(1150, 1200);
    assertThat(Sweeps.read(text).search().fixedSteps()).hasValue(2000);
  }

  /** A study that was planned before steps were the plan's is planned as it was. */
  @Test
  void whereStepsAreLeftOut_thePlanTakesThemUnlessTheStudyIsOlder() {
    String text = scaleFree("logitNoise: {min: 0.1, max: 100}");
    String auto = scaleFree("logitNoise: {min: 0.1, max: 100}, steps: auto");
    SweepContext older = plannedBy(SweepDefaults.HUNDRED_STEPS);

    assertThat(Sweeps.read(text).search()).isEqualTo(Sweeps.read(auto).search());
    assertThat(SweepReader.read("old.yaml", text, older).search().fixedSteps()).hasValue(100);
    assertThat(SweepReader.read("old.yaml", auto, older).search().fixedSteps()).hasValue(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          steps: atuo          | search.space.steps must be one of auto; was atuo; did you mean auto?
          steps: {auto: 0}     | search.space.steps.auto must be a whole number from 1 to 1000000; was 0
          steps: {auto: many}  | search.space.steps.auto must be a number; was many
          """)
  void aMistake_isNamed(String space, String message) {
    assertThat(Sweeps.problems(scaleFree(space)))
        .singleElement()
        .asString()
        .startsWith("8: ")
        .contains(message);
  }

  @Test
  void aBoundBesideARange_isRefused() {
    assertThat(Sweeps.problems(scaleFree("steps: {auto: 9, min: 5}")))
        .singleElement()
        .asString()
        .contains("search.space.steps.min is not a known key");
  }

  @Test
  void whereNoNoiseIsGiven_autoIsNoNumber() {
    assertThat(Sweeps.problems(fixed("learningRate: 2.5, steps: auto")))
        .singleElement()
        .asString()
        .contains("search.space.steps must be");
  }
}
