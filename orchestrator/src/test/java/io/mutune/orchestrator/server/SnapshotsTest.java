package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mutune.orchestrator.schedule.StudyQueue;
import io.mutune.orchestrator.schedule.Submission;
import io.mutune.orchestrator.schedule.UnknownStudyException;
import io.mutune.orchestrator.store.RegisteredSets;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyState;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.orchestrator.study.Study;
import io.mutune.orchestrator.sweep.SweepContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for a look at the store, and who does not; by a clock and a thread of the test's. */
class SnapshotsTest {
  @TempDir private Path folder;

  /** Of 7 that a study has, in two of three. */
  private static final int MOST_CHARGES = 15;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger planned = new AtomicInteger();
  private final List<String> planners = new CopyOnWriteArrayList<>();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean atOnce = true;
  private StudyStore store;
  private Snapshots snapshots;
  private String study;

  @BeforeEach
  void submit() throws IOException {
    store = Stores.open(folder.resolve("mutune.db"));
    study = submitted();
    Executor lookers =
        look -> {
          if (atOnce) {
            look.run();
          } else {
            waiting.add(look);
          }
        };
    snapshots =
        new Snapshots(
            store,
            now::get,
            (caller, record) -> {
              planners.add(caller);
              planned.incrementAndGet();
              return Study.ofRecord(record);
            },
            lookers,
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            MOST_CHARGES);
  }

  private String submitted() throws IOException {
    return new StudyQueue(store, folder)
        .submit(
            new Submission(
                "sweep",
                RegisteredSets.sweep(
                    store, TestServer.ROOT.resolve("sweeps").toRealPath(), TestServer.inPlace(5)),
                new SweepContext(folder, folder, Map.of())))
        .id();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void whatWasSeenLately_isShownWhileAnotherThreadLooksAgain() {
    Snapshots.Snapshot first = snapshots.of(study);
    assertThat(snapshots.of(study)).isSameAs(first);
    store.move(study, StudyState.RUNNING);
    atOnce = false;
    pass(Duration.ofMillis(300));
    for (int i = 0; i < 10; i++) {
      assertThat(snapshots.of(study)).isSameAs(first);
    }
    assertThat(waiting).hasSize(1);
    waiting.remove().run();
    assertThat(snapshots.of(study).json()).contains("\"running\"");
    assertThat(waiting).isEmpty();
  }

  @Test
  void plansOfManyCharges_areKeptWhileThereIsRoom() throws IOException {
    String second = submitted();
    String third = submitted();
    assertThat(snapshots.of(study).status().study().plan().size()).isBetween(6, 7);
    for (String asked : List.of(second, study, third, study, third)) {
      pass(Duration.ofSeconds(2)); // so that it looks, by its plan
      snapshots.of(asked);
    }
    assertThat(planned.get()).isEqualTo(3);
    snapshots.of(second);
    assertThat(planned.get()).isEqualTo(4);
  }

  @Test
  void aStudy_isPlannedInTheTurnOfWhoAsksForIt_andALookInThatOfTheServer() throws IOException {
    snapshots.study("reader", snapshots.find(study));
    snapshots.of(submitted());
    assertThat(planners).containsExactly("reader", PlanningLimit.SERVER);
  }

  @Test
  void anOlderOne_isLookedAtAnewBeforeItIsShown() {
    assertThat(snapshots.of(study).json()).contains("\"planned\"");
    store.move(study, StudyState.RUNNING);
    pass(Duration.ofSeconds(2));
    assertThat(snapshots.of(study).json()).contains("\"running\"");
  }

  @Test
  void aLookThatTakesTooLong_isWaitedForByNobodyWhoComesLater() {
    Snapshots.Snapshot first = snapshots.of(study);
    atOnce = false;
    pass(Duration.ofMillis(300));
    assertThat(snapshots.of(study)).isSameAs(first);
    pass(Duration.ofSeconds(3));
    assertThatThrownBy(() -> snapshots.of(study))
        .isInstanceOf(HttpProblem.class)
        .hasMessageContaining("does not answer in time");
    assertThat(waiting).hasSize(1);
    waiting.remove().run();
    atOnce = true;
    assertThat(snapshots.of(study)).isNotSameAs(first);
  }

  @Test
  void aSlowPlan_holdsNotEveryThreadOfTheServer() throws Exception {
    atOnce = false;
    ExecutorService callers = Executors.newCachedThreadPool();
    CompletionService<String> answers = new ExecutorCompletionService<>(callers);
    try {
      for (int i = 0; i < 20; i++) {
        answers.submit(() -> snapshots.of(study).record().id());
      }
      for (int i = 0; i < 4; i++) {
        Future<String> refused = answers.take();
        assertThatThrownBy(refused::get)
            .hasCauseInstanceOf(HttpProblem.class)
            .hasMessageContaining("too many wait");
      }
      waiting.remove().run();
      for (int i = 0; i < 16; i++) {
        assertThat(answers.take().get()).isEqualTo(study);
      }
      assertThat(waiting).isEmpty();
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  void whatThereIsNot_isNotKept() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> snapshots.of("ffffffff")).isInstanceOf(UnknownStudyException.class);
    }
    assertThat(snapshots.of(study).record().id()).isEqualTo(study);
  }

  @Test
  void whatWasChangedFromHere_isNotShownAsItWas() {
    snapshots.of(study);
    store.move(study, StudyState.RUNNING);
    snapshots.forget(study);
    assertThat(snapshots.of(study).json()).contains("\"running\"");
  }

  @Test
  void theSameCharges_haveTheirEpsilonFoundOnce() {
    Snapshots.Snapshot first = snapshots.of(study);
    pass(Duration.ofSeconds(2));
    Snapshots.Snapshot second = snapshots.of(study);
    assertThat(second).isNotSameAs(first);
    assertThat(second.epsilonSpent()).isSameAs(first.epsilonSpent());
  }
}
