package io.mutune.orchestrator.cli;

import static io.mutune.orchestrator.cli.StudiesHere.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.plan.StudyPlan;
import io.mutune.orchestrator.search.RandomStopping;
import io.mutune.orchestrator.search.SearchFailedException;
import io.mutune.orchestrator.search.TrialPoint;
import io.mutune.orchestrator.store.AccountClaim;
import io.mutune.orchestrator.store.RunState;
import io.mutune.orchestrator.store.StoreDecorator;
import io.mutune.orchestrator.store.StoreException;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Spending;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.study.StudyResult;
import io.mutune.orchestrator.sweep.SweepContext;
import io.mutune.orchestrator.sweep.yaml.SweepReader;
import io.mutune.trainer.noise.AttemptStreams;
import io.mutune.trainer.noise.Purpose;
import io.mutune.trainer.noise.SeededNoise;
import io.mutune.trainer.noise.UniformStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What random stopping must not tell. The noise is seeded here, so that the secrets can be drawn
 * again and looked for.
 */
@Timeout(600)
class RandomStoppingTest {
  private static final long SEED = 5;

  private static final String SEARCH =
      "{strategy: random-stopping, space: {learningRate: {min: 0.1, max: 9}, steps: {min: 20, max:"
          + " 60}}, runs: {mean: 8}, score: {on: private, epsilon: 0.3}}";

  @TempDir Path folder;

  private SmallSweep sweep(long seed) throws IOException {
    return SmallSweep.in(folder).search(SEARCH).seed(seed).parallel(2);
  }

  private StudyPlan plan(SmallSweep sweep) throws IOException {
    return StudyPlan.of(SweepReader.read("sweep.yaml", text(sweep), context()));
  }

  private String text(SmallSweep sweep) throws IOException {
    sweep.command("run");
    return Files.readString(folder.resolve("sweep.yaml"));
  }

  private SweepContext context() {
    return SweepContext.ofFile(folder.resolve("sweep.yaml"));
  }

  /** The points of all runs, as the seed draws them. */
  private List<TrialPoint> secrets(SmallSweep sweep, long seed) throws IOException {
    StudyPlan plan = plan(sweep);
    RandomStopping search = (RandomStopping) plan.sweep().search();
    String streams = text(sweep).replaceAll("parallelTrials *: *\\d+", "parallelTrials:");
    UniformStream bits =
        new SeededNoise(seed).bits(new AttemptStreams(streams, 0, 1).step(1, Purpose.SAMPLE));
    int count = search.count(bits.next(), bits.next());
    List<TrialPoint> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(search.draw(bits.next(), plan.sweep().runScale(), plan.target().mu()));
    }
    return points;
  }

  /** One with a few runs, so that there are losers to be told of. */
  private long seedWithLosers() throws IOException {
    for (long seed = SEED; ; seed++) {
      if (secrets(sweep(seed), seed).size() >= 4) {
        return seed;
      }
    }
  }

  @Test
  void theWinnerIsReleased_andNoFileNamesALoserOrHowManyThereWere() throws IOException {
    long seed = seedWithLosers();
    SmallSweep sweep = sweep(seed);
    List<TrialPoint> drawn = secrets(sweep, seed);

    CommandRun run = CommandRun.run(sweep).succeeded();

    String result = Files.readString(run.folder().resolve("result.json"));
    double winner = Json.read(result).path("final").path("learningRate").asDouble();
    assertThat(drawn).extracting(TrialPoint::learningRate).contains(winner);
    assertThat(result).doesNotContain("seconds");
    assertThat(Json.read(result).path("trials").size()).isZero();
    String told = run.out() + run.err();
    for (TrialPoint point : drawn) {
      if (point.learningRate() != winner) {
        assertThat(told).doesNotContain(digits(point.learningRate()));
        requireNowhere(sweep.runs(), point.learningRate());
      }
    }
    // The search itself works: the winner is found in text and in the store.
    assertThat(found(sweep.runs(), winner)).isGreaterThanOrEqualTo(2);
    assertThat(told).doesNotContain("trial ").doesNotContain(" runs;");
  }

  private static String digits(double rate) {
    return String.format(Locale.ROOT, "%.4g", rate);
  }

  private static void requireNowhere(Path folder, double rate) throws IOException {
    assertThat(found(folder, rate)).as("files that hold %s", rate).isZero();
  }

  /** In how many files a rate stands, in digits or in the bytes of a double. */
  private static long found(Path folder, double rate) throws IOException {
    byte[] little = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(rate).array();
    byte[] big = ByteBuffer.allocate(8).putDouble(rate).array();
    long count = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = LeakSearch.withoutTimes(Files.readString(file, StandardCharsets.ISO_8859_1));
        boolean there =
            Stream.of(little, big)
                    .map(raw -> new String(raw, StandardCharsets.ISO_8859_1))
                    .anyMatch(bytes::contains)
                || bytes.contains(Double.toString(rate).substring(0, 8));
        count += there ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void studiesOfDifferentlyManyRuns_leaveTheSameLinesAndRows() throws IOException {
    long first = seedWithLosers();
    int runs = secrets(sweep(first), first).size();
    long second = first + 1;
    while (secrets(sweep(second), second).size() == runs) {
      second++;
    }

    CommandRun one = CommandRun.run(sweep(first)).succeeded();
    CommandRun other = CommandRun.run(sweep(second)).succeeded();

    assertThat(other.err().lines().count()).isEqualTo(one.err().lines().count());
    assertThat(other.out().lines().count()).isEqualTo(one.out().lines().count());
    try (StudyStore store = Stores.openExisting(sweep(first).store())) {
      assertThat(store.studies())
          .allSatisfy(
              study -> {
                assertThat(store.charges(study.id())).hasSize(1);
                assertThat(store.trial(study.id(), 0).stepsBegun()).isEqualTo(1);
                assertThat(store.trial(study.id(), 0).starts()).isEqualTo(1);
                assertThat(study.seconds()).isZero();
              });
    }
  }

  @Test
  void aFinishedOne_isAuditedAndAgrees() throws IOException {
    SmallSweep sweep = SmallSweep.in(folder).search(SEARCH);
    CommandRun run = CommandRun.run(sweep).succeeded();

    assertThat(Files.readString(run.folder().resolve("statement.txt")))
        .contains("of an unknown number of runs the best alone")
        .containsPattern("charge +mechanism .*run\\.sigma +run\\.sensitivity")
        .containsPattern("repeat-and-select:[a-z:-]+ +[0-9.]+ ");
    CommandRun.of(sweep.command("audit")).succeeded();
  }

  @Test
  void publicRows_scoreForNothing() throws IOException {
    SmallSweep sweep =
        SmallSweep.in(folder)
            .search(SEARCH.replace("{on: private, epsilon: 0.3}", "{on: validation}"));
    Path file = Files.writeString(folder.resolve("open.yaml"), withValidation(text(sweep)));

    CommandRun.of("run", file.toString(), "--output", sweep.runs().toString()).succeeded();
  }

  private static String withValidation(String text) {
    return text.replace(
        "  test:", "  validation: {path: test.csv, range: {first: 1, last: 50}}\n  test:");
  }

  private Study created(StudyStore store, SmallSweep sweep) throws IOException {
    Study study = Study.create(plan(sweep), text(sweep), context(), sweep.runs());
    store.create(study.record(), 0, AccountClaim.NONE);
    return study;
  }

  @Test
  void whatWasReleased_isReadBack_andNothingIsAskedAgain() throws IOException {
    SmallSweep sweep = sweep(SEED);
    try (StudyStore store = Stores.open(sweep.store())) {
      Study study = created(store, sweep);
      StudyResult first = run(store, study, () -> false);
      Files.writeString(sweep.privateRows(), "no rows");

      StudyResult again = run(store, study, () -> false);

      assertThat(again.model().weights()).isEqualTo(first.model().weights());
      assertThat(again.decision()).isEqualTo(first.decision());
      assertThat(store.charges(study.id())).hasSize(1);
    }
  }

  /** Its runs cannot be had again, so a moment without the store may not lose them. */
  @Test
  void aStoreThatIsAwayForAMoment_losesNothing() throws IOException {
    SmallSweep sweep = sweep(SEED);
    try (StudyStore store = Stores.open(sweep.store())) {
      Study study = created(store, sweep);
      Set<String> failed = new HashSet<>();
      StudyStore away =
          StoreDecorator.of(
              store,
              (operation, arguments, inner) -> {
                boolean last =
                    operation.equals("checkpoint")
                        || operation.equals("move") && arguments[2] == RunState.TRAINED;
                if (last && failed.add(operation)) {
                  throw new StoreException(operation + " fails");
                }
                return inner.run(arguments);
              });
      assertThatThrownBy(() -> run(away, study, () -> false))
          .isInstanceOf(StoreException.class)
          .hasMessage("move fails");
      Files.writeString(sweep.privateRows(), "no rows");

      StudyResult result = run(store, study, () -> false);

      assertThat(failed).containsExactlyInAnyOrder("checkpoint", "move");
      assertThat(result.model().weights())
          .isEqualTo(store.trial(study.id(), 0).checkpoint().orElseThrow().weights());
      assertThat(store.charges(study.id())).hasSize(1);
    }
  }

  @Test
  void oneThatWasStopped_isLost_itsChargeStaysAndNothingIsReleased() throws IOException {
    SmallSweep sweep = sweep(SEED);
    try (StudyStore store = Stores.open(sweep.store())) {
      Study study = created(store, sweep);
      AtomicInteger looks = new AtomicInteger();

      assertThatThrownBy(() -> run(store, study, () -> looks.incrementAndGet() > 8))
          .isInstanceOf(SearchFailedException.class)
          .hasMessageContaining("interrupted")
          .hasMessageContaining("spent");
      assertThatThrownBy(() -> run(store, study, () -> false))
          .isInstanceOf(SearchFailedException.class)
          .hasMessageContaining("an earlier start did not end");

      assertThat(store.trial(study.id(), 0).checkpoint()).isEmpty();
      assertThat(store.charges(study.id())).hasSize(1);
      assertThat(
              new Spending(study.plan(), List.of(store.charges(study.id()).get(0).charge()))
                  .epsilonSpent()
                  .value())
          .isGreaterThan(1.9);
    }
  }
}
