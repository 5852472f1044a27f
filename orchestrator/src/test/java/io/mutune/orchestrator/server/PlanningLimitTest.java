package io.mutune.orchestrator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose plan is computed when. */
@Timeout(60)
class PlanningLimitTest {
  private final PlanningLimit planning = new PlanningLimit(ServerSettings.Limits.STANDARD);
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);

  @AfterEach
  void stop() {
    release.countDown();
    callers.shutdownNow();
    planning.close();
  }

  private Future<Integer> heavy(String caller) {
    return callers.submit(
        () ->
            planning.within(
                caller,
                () -> {
                  begun.countDown();
                  release.await();
                  return 1;
                }));
  }

  @Test
  void heavyPlansOfOne_keepNobodyElseWaiting() throws Exception {
    List<Future<Integer>> heavy = new ArrayList<>();
    heavy.add(heavy("greedy"));
    begun.await();
    for (int i = 0; i < 3; i++) {
      heavy.add(heavy("greedy"));
    }
    for (String other : List.of("a", "b", "c", PlanningLimit.SERVER)) {
      Future<Integer> answer = callers.submit(() -> planning.within(other, () -> 7));
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(7);
    }
    assertThat(heavy).noneMatch(Future::isDone);
    release.countDown();
    for (Future<Integer> plan : heavy) {
      assertThat(plan.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void theServer_waitsWhereOthersAreRefused() throws Exception {
    List<Future<Integer>> others = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      others.add(heavy("caller " + i / 4));
    }
    while (others.stream().noneMatch(Future::isDone)) {
      Thread.sleep(10);
    }
    Future<Integer> server = heavy(PlanningLimit.SERVER);
    Thread.sleep(100);
    assertThat(server.isDone()).isFalse();
    release.countDown();
    assertThat(server.get(20, TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void whoAsksForTooMany_isToldSo_andOthersAreNot() throws Exception {
    List<Future<Integer>> heavy = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      heavy.add(heavy("greedy"));
    }
    // No other is done before its release.
    while (heavy.stream().noneMatch(Future::isDone)) {
      Thread.sleep(10);
    }
    Future<Integer> refused = heavy.stream().filter(Future::isDone).findFirst().orElseThrow();
    assertThatThrownBy(refused::get)
        .cause()
        .isInstanceOf(HttpProblem.class)
        .hasMessageContaining("too many plans are being computed");
    assertThat(planning.<Integer>within("other", () -> 2)).isEqualTo(2);
  }
}
